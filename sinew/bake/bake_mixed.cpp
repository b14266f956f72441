#include "sinew/bake/bake_mixed.h"

#include <array>
#include <string>

#include "sinew/bake/checkpoint.h"
#include "sinew/bake/time_line.h"
#include "sinew/bake/volume_measures.h"
#include "sinew/base/error.h"
#include "sinew/base/stopwatch.h"
#include "sinew/deform/mixed_fem/mixed_elements.h"
#include "sinew/deform/mixed_fem/mixed_solver.h"
#include "sinew/linalg/rotation.h"

namespace sinew {
namespace {

constexpr Vec3 gravity{0, -9.81, 0};  // m/s^2, world

class Bake {
 public:
  Bake(const Character& character, const MixedScene& scene, const MixedSettings& settings, const BakeOptions& options)
      : character_(character),
        scene_(scene),
        options_(options),
        clip_(clip_of(character, options)),
        time_(time_line(character, options)),
        solver_(scene.body),
        result_(empty_result(character, scene.surface, options, time_)) {
    if (settings.gravity)
      for (const double mass : scene.mass) forces_.push_back(gravity * mass);
    if (!options.checkpoint.empty()) fingerprint_ = fingerprint(settings.material);
  }

  BakeResult run(const Progress& progress) {
    if (options_.resume && !options_.checkpoint.empty() && std::filesystem::exists(options_.checkpoint)) resume();
    Stopwatch since_checkpoint;
    while (frame_ < time_.frames) {
      record_frame();
      if (!report(progress, "posing " + result_.report.name, fraction_done())) {
        result_.complete = frame_ == time_.frames;
        if (!options_.checkpoint.empty()) checkpoint();
        break;
      }
      if (!options_.checkpoint.empty() && since_checkpoint.seconds() > options_.checkpoint_seconds) {
        checkpoint();
        since_checkpoint.lap();
      }
    }
    for (std::int64_t f = 0; f < frame_; ++f) result_.recording.times.push_back(time_at(f));
    return std::move(result_);
  }

 private:
  double time_at(std::int64_t frame) const { return time_.begin + time_.frame_offset(frame); }
  double fraction_done() const { return static_cast<double>(frame_) / static_cast<double>(time_.frames); }

  void record_frame() {
    const double time = time_at(frame_);
    Pose pose = sample(character_.skeleton, clip_, time);
    Stopwatch watch;
    const std::vector<Affine> bones = bone_transforms(character_, scene_.bones, pose);
    std::vector<Mat3> turns;
    for (const Affine& bone : bones) turns.push_back(closest_rotation(bone.linear));
    rotations_.resize(scene_.weights.size());
    blend_rotations(scene_.weights, turns, rotations_);
    const std::vector<Vec3> pins = pin_positions(scene_.pins, scene_.body->rest, bones);
    MixedLoad load;
    load.rotations = rotations_;
    (scene_.pinning == Pinning::held ? load.held : load.tied) = pins;
    load.forces = forces_;
    const MixedStatistics statistics = solver_.solve(load, positions_);
    const std::vector<Vec3> surface = surface_positions();
    const double milliseconds = watch.lap() * 1e3;

    for (std::vector<double>& weights : pose.morph_weights) weights.assign(weights.size(), 0.0);
    for (std::size_t p = 0; p < result_.recording.parts.size(); ++p)
      append_displacement(p, pose, time, surface);
    const VolumeMeasures volumes = measure_volumes(scene_.mesh, positions_);
    result_.report.frames.push_back({time, milliseconds, statistics.solves,
                                     condensed_energy(*scene_.body, load, positions_), volumes.ratio,
                                     volumes.min_det});
    ++frame_;
  }

  // By displacements, so that a body at rest carries the surface at rest to the last bit.
  std::vector<Vec3> surface_positions() const {
    std::vector<Vec3> surface = scene_.surface.rest.positions;
    for (std::size_t s = 0; s < surface.size(); ++s) {
      const EmbeddedPoint& point = scene_.embedding.points[s];
      const Tetrahedron& corners = scene_.mesh.tetrahedra[static_cast<std::size_t>(point.tetrahedron)];
      for (std::size_t k = 0; k < 4; ++k) {
        const auto v = static_cast<std::size_t>(corners[k]);
        surface[s] += (positions_[v] - scene_.mesh.positions[v]) * point.weights[k];
      }
    }
    return surface;
  }

  void append_displacement(std::size_t p, const Pose& pose, double time, const std::vector<Vec3>& surface) {
    PartRecording& recorded = result_.recording.parts[p];
    const Part& part = character_.parts[static_cast<std::size_t>(recorded.part)];
    const std::vector<Vec3> rig = posed_positions(character_, part, pose);
    for (std::size_t v = 0; v < rig.size(); ++v) {
      const Vec3 d = surface[static_cast<std::size_t>(scene_.surface.vertex_of[p][v])] -
                     rig[v] * character_.metres_per_unit;
      if (!is_finite(d))
        throw simulation_error("at " + std::to_string(time) + " s vertex " + std::to_string(v) + " of '" + part.name +
                               "' is not where numbers reach; look at the rig's pose there.");
      recorded.displacement.insert(recorded.displacement.end(),
                                   {static_cast<float>(d.x), static_cast<float>(d.y), static_cast<float>(d.z)});
    }
  }

  std::uint64_t fingerprint(MixedMaterial material) const {
    const MixedBody& body = *scene_.body;
    std::uint64_t hash = hash_bytes(nullptr, 0);
    const auto add = [&hash](const auto& values) {
      hash = hash_bytes(values.data(), values.size() * sizeof(values[0]), hash);
    };
    add(body.rest);
    add(body.samples.volume);
    add(body.samples.shear);
    add(body.samples.lambda);
    add(body.skew_modulus);
    add(body.pins.held);
    add(body.pins.tied);
    add(body.pins.spring);
    add(scene_.pins.bone);
    add(scene_.weights.bone);
    add(scene_.weights.weight);
    add(forces_);
    for (const EmbeddedPoint& point : scene_.embedding.points) add(point.weights);
    for (const Bone& bone : scene_.bones)
      add(std::array{bone.rest_to_joint});
    for (const Channel& channel : clip_ ? clip_->channels : std::vector<Channel>{}) {
      add(std::array{channel.joint, static_cast<int>(channel.path), static_cast<int>(channel.interpolation)});
      add(channel.times);
      add(channel.values);
    }
    add(std::array{time_.begin, time_.length, options_.frames_per_second, static_cast<double>(options_.clip),
                   static_cast<double>(static_cast<int>(material))});
    return hash;
  }

  void checkpoint() const {
    Checkpoint state;
    state.fingerprint = fingerprint_;
    state.frames_done = frame_;
    state.frames = result_.report.frames;
    for (const PartRecording& part : result_.recording.parts) state.displacement.push_back(part.displacement);
    write_checkpoint(options_.checkpoint, state);
  }

  void resume() {
    Checkpoint state = read_checkpoint(options_.checkpoint, fingerprint_);
    bool fits = state.displacement.size() == result_.recording.parts.size() && state.frames_done >= 0 &&
                state.frames.size() == static_cast<std::size_t>(state.frames_done);
    for (std::size_t p = 0; fits && p < state.displacement.size(); ++p)
      fits = state.displacement[p].size() ==
             3 * state.frames.size() * static_cast<std::size_t>(result_.recording.parts[p].vertices);
    if (!fits)
      throw input_error(options_.checkpoint.string() +
                        ": the checkpoint records other parts; start again without --resume.");
    frame_ = state.frames_done;
    result_.report.frames = std::move(state.frames);
    for (std::size_t p = 0; p < state.displacement.size(); ++p)
      result_.recording.parts[p].displacement = std::move(state.displacement[p]);
  }

  const Character& character_;
  const MixedScene& scene_;
  const BakeOptions& options_;
  const Clip* clip_;
  TimeLine time_;
  MixedSolver solver_;
  std::vector<Vec3> forces_;  // per vertex of the body, newtons; empty: none
  std::vector<Mat3> rotations_;
  std::vector<Vec3> positions_;
  std::int64_t frame_ = 0;
  std::uint64_t fingerprint_ = 0;
  BakeResult result_;
};

}  // namespace

BakeResult bake_mixed(const Character& character, const MixedScene& scene, const MixedSettings& settings,
                      const BakeOptions& options, const Progress& progress) {
  return Bake(character, scene, settings, options).run(progress);
}

}  // namespace sinew
