#include "sinew/cook/rig_space/learn_skinning.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/deform/rig_space/static_interior.h"
#include "sinew/rig/offset_rig.h"

namespace sinew {
namespace {

constexpr const char* activity = "finding how the inside follows the surface";
constexpr double exercise_share = 0.6;  // largest share of a parameter's range that exercises use
constexpr int pushes = 6, steps_per_push = 4;
constexpr double push_speed = 1.0;  // body heights per second

class Examples {
 public:
  Examples(const CookedRigSpace& cooked, std::span<const ExampleClip> clips, const RigSpaceSettings& settings)
      : scene_(cooked),
        clips_(clips),
        settings_(settings),
        body_(std::make_shared<RigSpaceBody>(*cooked.body)),
        energy_(body_->mesh, body_->material),
        rig_(*cooked.rig, cooked.free),
        offsets_(rig_.offsets()),
        surface_(cooked.rig->vertices()) {
    for (const RigParameter& parameter : rig_.parameters()) rest_.push_back(parameter.rest);
    energy_.activate(std::vector<char>(body_->mesh.positions.size(), 1));
    for (std::size_t v = 0; v < body_->mesh.positions.size(); ++v)
      (v < body_->boundary_vertices() ? boundary_ : interior_).push_back(static_cast<int>(v));
    inside_ = std::make_unique<StaticInterior>(*body_, energy_);
  }

  SkinningExamples run(const Progress& progress) {
    const int calisthenics = settings_.poses / 2, from_clips = settings_.poses - calisthenics;
    const int all = settings_.poses + pushes * steps_per_push;
    const auto done = [&](int poses) { report_or_stop(progress, activity, static_cast<double>(poses) / all); };
    for (int k = 0; k < from_clips; ++k, done(k)) add(clip_pose(k, from_clips));
    for (int k = 0; k < calisthenics; ++k, done(from_clips + k)) add(exercise(k, calisthenics));
    if (result_.poses == 0)
      throw input_error(
          "no pose of the character leaves its inside in equilibrium; the rig folds its surface too far.");
    learn_first_map();
    for (int k = 0; k < pushes; ++k, done(settings_.poses + k * steps_per_push)) shake(k);
    return std::move(result_);
  }

 private:
  // Poses spread evenly over the clips' times.
  std::vector<double> clip_pose(int k, int count) const {
    std::vector<double> p = rest_;
    if (clips_.empty() || k == 0) return p;
    double length = 0;
    for (const ExampleClip& clip : clips_) length += clip.end - clip.begin;
    double at = length * k / count;
    for (const ExampleClip& clip : clips_) {
      if (at <= clip.end - clip.begin || &clip == &clips_.back()) {
        clip.animation->sample(clip.begin + std::min(at, clip.end - clip.begin), p);
        break;
      }
      at -= clip.end - clip.begin;
    }
    return p;
  }

  // Moves the free controls one after the other to either side, and in every second pose all of them, anywhere in their
  // ranges.
  std::vector<double> exercise(int k, int count) {
    std::vector<double> p = k % 4 == 3 ? clip_pose(1 + k * 7 % count, count) : rest_;
    std::uniform_real_distribution<double> uniform(-1, 1);
    const std::vector<RigParameter>& parameters = rig_.parameters();
    const auto move = [&](int i, double share) {
      const RigParameter& parameter = parameters[index(i)];
      p[index(i)] = parameter.rest + exercise_share * (share < 0 ? share * (parameter.rest - parameter.lower)
                                                                 : share * (parameter.upper - parameter.rest));
    };
    if (k % 2 == 1) {
      // The more controls move together, the less each one moves, so that neighbours do not tear the surface apart.
      const double most = std::min(1.0, std::sqrt(24.0 / static_cast<double>(offsets_.size())));
      for (const int i : offsets_) move(i, most * uniform(random_));
    } else {
      const std::size_t chosen = static_cast<std::size_t>(k / 2) * 7919 % offsets_.size();
      for (std::size_t i = chosen; i < offsets_.size() && i < chosen + 3; ++i) move(offsets_[i], k % 4 == 0 ? 1 : -1);
    }
    return p;
  }

  void add(const std::vector<double>& p) {
    std::vector<Vec3> x = body_->mesh.positions;
    rig_.evaluate(p, surface_);
    place_boundary(*body_, surface_, x);
    if (body_->has_skinning()) place_interior(*body_, x);
    try {
      result_.newton_steps += inside_->solve(x);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::simulation) throw;
      ++result_.skipped;
      return;
    }
    result_.positions.insert(result_.positions.end(), x.begin(), x.end());
    ++result_.poses;
    // A map learned from the first poses predicts the inside of later ones, which saves Newton steps.
    if (result_.poses == 8) learn_first_map();
  }

  void learn_first_map() {
    body_->interior = learn_volumetric_skinning(body_->mesh, boundary_, interior_, result_.positions).weights;
  }

  // Poses of the moments after an impulse to the whole character. It steps the motion directly: each step's rig is
  // where the last one came to, and deformers take no impulses.
  void shake(int k) {
    std::vector<double> p = clip_pose(1 + k, pushes + 1);
    RigSpaceDynamics dynamics = scene_.dynamics;
    dynamics.interior = InteriorVertices::skinning;
    dynamics.rest = RestShape::pose;
    RigSpaceMotion motion(body_, rig_, offsets_, dynamics);
    const double h = 0.02;
    motion.reset(p, p, h);
    Vec3 impulse;
    impulse[static_cast<std::size_t>(k % 3)] = (k < 3 ? 1 : -1) * push_speed * body_->height;
    motion.push(std::vector<Vec3>(body_->mesh.positions.size(), impulse));
    for (int step = 0; step < steps_per_push; ++step) {
      try {
        motion.advance(p, h);
      } catch (const Error& error) {
        if (error.kind() != ErrorKind::simulation) throw;
        ++result_.skipped;
        return;
      }
      for (std::size_t i = 0; i < offsets_.size(); ++i) p[index(offsets_[i])] = motion.free_values()[i];
      add(p);
    }
  }

  const CookedRigSpace& scene_;
  std::span<const ExampleClip> clips_;
  const RigSpaceSettings& settings_;
  std::shared_ptr<RigSpaceBody> body_;  // with a first guess of the map to the inside
  TetrahedralEnergy energy_;
  OffsetRig rig_;
  std::vector<int> offsets_;  // of its parameters that physics moves
  std::unique_ptr<StaticInterior> inside_;
  std::vector<Vec3> surface_;
  std::vector<double> rest_;
  std::vector<int> boundary_, interior_;
  std::mt19937 random_{20130719};
  SkinningExamples result_;
};

}  // namespace

SkinningExamples make_examples(const CookedRigSpace& cooked, std::span<const ExampleClip> clips,
                               const RigSpaceSettings& settings, const Progress& progress) {
  return Examples(cooked, clips, settings).run(progress);
}

VolumetricSkinning learn_skinning(CookedRigSpace& cooked, const SkinningExamples& examples,
                                  const RigSpaceSettings& settings, const Progress& progress) {
  RigSpaceBody& body = *cooked.body;
  std::vector<int> boundary, interior;
  for (std::size_t v = 0; v < body.mesh.positions.size(); ++v)
    (v < body.boundary_vertices() ? boundary : interior).push_back(static_cast<int>(v));
  VolumetricSkinningOptions options;
  options.candidates.count = settings.candidates;
  VolumetricSkinning skinning =
      learn_volumetric_skinning(body.mesh, boundary, interior, examples.positions, options, progress);
  body.interior = skinning.weights;
  return skinning;
}

}  // namespace sinew
