#include "studies/shape/moved_rigs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/cook/cook.h"
#include "sinew/cook/flesh/flesh_method.h"
#include "sinew/jobs/shape/shape_work.h"
#include "sinew/jobs/transfer_shapes.h"
#include "sinew/mesh/triangle_geometry.h"
#include "sinew/session/session.h"
#include "sinew/shape/edit_shapes.h"
#include "sinew/shape/joint_turns.h"
#include "sinew/shape/presets.h"
#include "sinew/shape/shape_forces.h"
#include "sinew/shape/shape_rig_json.h"
#include "studies/shape/experiments.h"

namespace sinew {
namespace {

constexpr double bent_by = 90;  // degrees
constexpr const char* bulge = "bulge";
// Frames of the clip that are shown; frames that are simulated per second, and for how many seconds at most.
constexpr std::size_t shown_frames = 6;
constexpr double shown_per_second = 60, most_seconds = 4;

class MovedRigs {
 public:
  MovedRigs(std::string joint, int tetrahedra) : joint_(std::move(joint)) { settings_.tetrahedra = tetrahedra; }

  RiggedCharacter make(const std::filesystem::path& source, const Progress& progress) {
    ShapeSubject subject = opened(source, progress);
    file_.character = shaped_character(subject.character.file, subject.surface());
    ShapeRig arm;
    arm.name = bulge;
    arm.kind = TemplateKind::field;
    arm.controls = {joint_turn_from(joint_ + "=0").joint};
    arm.samples = bulge_samples(subject, progress);
    add_rigs(file_, {arm}, false, subject.character, subject.surface());
    for (const char* name : {"chest_flex", "breathing"}) {
      const ShapePreset& preset = shape_preset(name);
      add_rigs(file_,
               sized_together(preset_rigs(preset, name, {}, {}, subject.surface()), subject.surface(), *subject.body),
               preset.breathes, subject.character, subject.surface());
    }
    return measured(std::move(subject), file_);
  }

  RiggedCharacter move(const std::filesystem::path& source, const std::filesystem::path& target,
                       const Progress& progress) {
    TransferShapesJob job;
    job.source = source, job.target = target;
    job.flesh = settings_;
    job.given = file_;
    const TransferredShapes moved = transfer_shapes(job, progress);
    RiggedCharacter character = measured(opened(target, {}), moved.rigs);
    character.surface_error = moved.surface_error;
    return character;
  }

 private:
  ShapeSubject opened(const std::filesystem::path& file, const Progress& progress) const {
    return shape_subject(open_character(file).character, file.stem().string(), settings_.tetrahedra, progress);
  }

  std::vector<ShapeSample> bulge_samples(ShapeSubject& subject, const Progress& progress) const {
    const BentLimb limb = bent_limb_experiment(subject, joint_, progress);
    std::vector<ShapeSample> samples;
    for (const auto& [degrees, forces] : limb.samples)
      samples.push_back(field_sample({degrees}, forces, *subject.body));
    return samples;
  }

  RiggedCharacter measured(ShapeSubject subject, const ShapeFile& file) const {
    RiggedCharacter result;
    result.name = subject.name;
    result.height = subject.height();
    result.triangles = subject.surface().rest.triangles;
    const Pose rest = sample(subject.character.skeleton, nullptr, 0);
    for (const ShapeRig& rig : file.rigs)
      if (rig.name == bulge) {
        const JointTurn turn = joint_turn_from(rig.controls.front() + "=" + std::to_string(bent_by));
        add_still(subject, file, rig.name, turned(subject.character, rest, {&turn, 1}), result);
      }
    add_still(subject, file, "chest_flex", rest, result);
    add_still(subject, file, "breathing", rest, result);
    if (!subject.character.clips.empty()) animate(subject.character, file, result);
    return result;
  }

  // With the rigs whose names begin so alone, whose abstract controls are 1.
  void add_still(ShapeSubject& subject, const ShapeFile& file, const std::string& name, const Pose& pose,
                 RiggedCharacter& result) const {
    ShapeFile some = file;
    std::erase_if(some.rigs, [&](const ShapeRig& rig) { return !rig.name.starts_with(name); });
    if (some.rigs.empty()) return;
    for (AbstractControl& control : some.controls) control.keys.clear(), control.value = 1;
    const ShapeForces rigs(some, {}, subject.character, subject.surface(), *subject.body);
    std::vector<PointForce> forces;
    std::vector<PointDisplacement> shown;
    std::vector<PointStiffening> stiffening;
    rigs.find(pose, 0, {}, forces, shown, stiffening);
    const std::vector<Affine> bones = subject.bones(pose);
    subject.body->set_pose(bones);
    StillRig still{name, subject.skin(bones, subject.body->displacements({})), {}, 0, 0};
    try {
      still.with = subject.skin(bones, subject.body->displacements(forces));
      measure(result.triangles, still);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::simulation) throw;
      still.with = still.without;
      still.farthest = still.outward = std::numeric_limits<double>::quiet_NaN();
    }
    result.rigs.push_back(std::move(still));
  }

  static void measure(const std::vector<Triangle>& triangles, StillRig& rig) {
    std::vector<Vec3> normals(rig.without.size());
    for (const Triangle& t : triangles)
      for (const int v : t)
        normals[index(v)] += area_vector(rig.without[index(t[0])], rig.without[index(t[1])], rig.without[index(t[2])]);
    for (std::size_t s = 0; s < rig.with.size(); ++s)
      rig.farthest = std::max(rig.farthest, distance(rig.with[s], rig.without[s]));
    double count = 0;
    for (std::size_t s = 0; s < rig.with.size(); ++s) {
      const Vec3 moved = rig.with[s] - rig.without[s];
      if (!(norm(moved) > rig.farthest / 3)) continue;
      rig.outward += dot(moved, normalized(normals[s]));
      ++count;
    }
    if (count > 0) rig.outward /= count;
  }

  void animate(const Character& character, ShapeFile file, RiggedCharacter& result) const {
    for (AbstractControl& control : file.controls)
      if (control.keys.empty()) control.keys = {{0, 0}, {1, 0}, {1.2, 1}, {2, 1}, {2.2, 0}}, control.loop = true;
    for (const bool with : {false, true}) {
      FleshMethod method;
      method.values = settings_;
      if (with) method.values.shapes = shape_json(file);
      const Scene scene = cook(method, {character});
      play(character, scene, with, result);
    }
    for (const FrameOfRigs& frame : result.frames)
      for (std::size_t s = 0; s < frame.with.size(); ++s)
        result.most = std::max(result.most, distance(frame.with[s], frame.without[s]));
  }

  static void play(const Character& character, const Scene& scene, bool with, RiggedCharacter& result) {
    const Clip& clip = character.clips.front();
    Session session(character, scene, whole(clip));
    const double seconds = std::min(clip.end - clip.start, most_seconds);
    const auto frames = static_cast<std::size_t>(seconds * shown_per_second);
    std::vector<Vec3> skin(scene.surface->rest.positions.size());
    result.frames.resize(shown_frames);
    for (std::size_t frame = 1, shown = 0; frame <= frames; ++frame) {
      session.advance(1 / shown_per_second);
      session.surface(skin);
      if (frame * shown_frames < (shown + 1) * frames) continue;
      FrameOfRigs& here = result.frames[shown++];
      here.time = static_cast<double>(frame) / shown_per_second;
      (with ? here.with : here.without) = skin;
    }
  }

  std::string joint_;
  FleshSettings settings_;
  ShapeFile file_{"shapes", {}, {}, {}};
};

}  // namespace

std::vector<RiggedCharacter> moved_rigs(const std::filesystem::path& source, const std::string& joint,
                                        const std::vector<std::filesystem::path>& targets, int tetrahedra,
                                        const Progress& progress) {
  MovedRigs rigs(joint, tetrahedra);
  const double share = 1.0 / static_cast<double>(targets.size() + 1);
  std::vector<RiggedCharacter> result{rigs.make(source, part_of(progress, 0, share))};
  for (std::size_t k = 0; k < targets.size(); ++k) {
    const double done = share * static_cast<double>(k + 1);
    result.push_back(rigs.move(source, targets[k], part_of(progress, done, done + share)));
  }
  return result;
}

}  // namespace sinew
