#include "sinew/bake/bake_mixed.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "sinew/bake/check_checkpoint.h"
#include "sinew/bake/fingerprint.h"
#include "sinew/bake/frame_loop.h"
#include "sinew/bake/mixed_environment.h"
#include "sinew/cook/part_scales.h"
#include "sinew/mesh/volume_measures.h"
#include "sinew/bake/run_watch.h"
#include "sinew/base/error.h"
#include "sinew/base/stopwatch.h"
#include "sinew/deform/mixed/mixed_elements.h"
#include "sinew/deform/mixed/mixed_solver.h"
#include "sinew/linalg/rotation.h"

namespace sinew {
namespace {

class MixedBake {
 public:
  MixedBake(const Character& character, const MixedScene& scene, const MixedSettings& settings, const BakeOptions& options)
      : character_(character),
        scene_(scene),
        options_(options),
        clip_(clip_of(character, options)),
        loop_(frame_loop(time_line(character, options), 0)),
        environment_(character, scene, settings),
        scales_(scene.mesh, scene.weights),
        solver_(scene.body),
        run_watch_(character, scene.surface, watched(scene, clip_)),
        result_(empty_result(character, scene.surface, options, loop_.time)) {
    if (!options.checkpoint.empty()) fingerprint_ = fingerprint(settings);
  }

  BakeResult run(const Progress& progress) {
    if (resumed(loop_, options_, fingerprint_, result_))
      check_recording_within(result_.recording, farthest_reach(character_, scene_.bones, clip_, loop_, scene_.height),
                             options_.checkpoint.string());
    // Nothing goes on from frame to frame: a checkpoint is the frames alone.
    run_frames(loop_, "posing", {{}, [this] { record_frame(); }, [](Checkpoint&) {}}, options_, fingerprint_, progress, result_);
    return std::move(result_);
  }

 private:
  static WatchedRun watched(const MixedScene& scene, const Clip* clip) {
    WatchedRun run;
    run.clip = clip ? clip->name : "rest";
    run.height = scene.height;
    return run;
  }

  void record_frame() {
    const double time = loop_.frame_time();
    Pose pose = sample(character_.skeleton, clip_, time);
    Stopwatch watch;
    const std::vector<Affine> bones = bone_transforms(character_, scene_.bones, pose);
    require_finite(bones, time);
    std::vector<Mat3> turns;
    for (const Affine& bone : bones) turns.push_back(closest_rotation(bone.linear));
    rotations_.resize(scene_.weights.size());
    blend_rotations(scene_.weights, turns, rotations_);
    // Forces and colliders have a size of their own: with them bodies are solved as they are.
    const std::vector<double> scales =
        environment_.empty() ? scales_.per_vertex(bones) : std::vector<double>(scene_.mesh.positions.size(), 1.0);
    std::vector<Vec3> pins = pin_positions(scene_.pins, scene_.body->rest, bones);
    for (std::size_t k = 0; k < pins.size(); ++k)
      pins[k] = pins[k] / scales[static_cast<std::size_t>(scene_.pins.vertex[k])];
    const std::vector<Vec3> forces = environment_.forces(time);
    MixedLoad load;
    load.rotations = rotations_;
    (scene_.pinning == Pinning::held ? load.held : load.tied) = pins;
    load.forces = forces;
    const MixedStatistics statistics = solve(load, pose);
    double milliseconds = watch.lap() * 1e3;
    const double energy = condensed_energy(*scene_.body, load, positions_);
    watch.lap();
    for (std::size_t v = 0; v < positions_.size(); ++v) positions_[v] *= scales[v];
    const std::vector<Vec3> surface = surface_positions();
    milliseconds += watch.lap() * 1e3;

    for (std::vector<double>& weights : pose.morph_weights) weights.assign(weights.size(), 0.0);
    for (std::size_t p = 0; p < result_.recording.parts.size(); ++p) append_displacement(p, pose, surface);
    const VolumeMeasures volumes = measure_volumes(scene_.mesh, positions_);
    keep_watch(time, bones, surface, volumes);
    result_.report.frames.push_back({time, milliseconds, std::max(statistics.solves, statistics.iterations), energy,
                                     volumes.ratio, volumes.min_det});
  }

  // Its shapes are its own, not the rig's: seen from the shape at rest.
  void keep_watch(double time, std::span<const Affine> bones, std::vector<Vec3> surface, const VolumeMeasures& volumes) {
    for (std::size_t s = 0; s < surface.size(); ++s) surface[s] -= scene_.surface.rest.positions[s];
    WatchedFrame watched;
    watched.time = watched.elapsed = time;
    watched.displacement = surface;
    watched.stretch = largest_stretch(bones);
    watched.bounded = false;
    if (!any_collapsed(bones)) watched.volume_ratio = volumes.ratio;
    run_watch_.look(watched);
  }

  MixedStatistics solve(const MixedLoad& load, const Pose& pose) {
    if (!environment_.has_colliders()) return solver_.solve(load, positions_);
    MixedContacts contacts;
    return solver_.solve(load, environment_.surface(), environment_.colliders(pose), positions_, contacts);
  }

  void require_finite(const std::vector<Affine>& bones, double time) const {
    for (std::size_t b = 0; b < bones.size(); ++b)
      if (!is_finite(bones[b].translation) || !std::isfinite(frobenius_norm(bones[b].linear)))
        throw input_error(character_.file + ": at " + std::to_string(time) + " s the joint '" + scene_.bones[b].name +
                          "' is moved or scaled beyond all numbers; mend the clip.");
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

  void append_displacement(std::size_t p, const Pose& pose, const std::vector<Vec3>& surface) {
    PartRecording& recorded = result_.recording.parts[p];
    const Part& part = character_.parts[static_cast<std::size_t>(recorded.part)];
    const std::vector<Vec3> rig = posed_positions(character_, part, pose);
    for (std::size_t v = 0; v < rig.size(); ++v) {
      const Vec3 d =
          surface[static_cast<std::size_t>(scene_.surface.vertex_of[p][v])] - rig[v] * character_.metres_per_unit;
      if (!is_finite(d))
        throw simulation_error("vertex " + std::to_string(v) + " of '" + part.name +
                               "' is not where numbers reach; look at the rig's pose there.");
      recorded.displacement.insert(recorded.displacement.end(),
                                   {static_cast<float>(d.x), static_cast<float>(d.y), static_cast<float>(d.z)});
    }
  }

  std::uint64_t fingerprint(const MixedSettings& settings) const {
    const MixedBody& body = *scene_.body;
    Fingerprint print;
    const auto add = [&print](const auto& values) { print.add(values); };
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
    add(scene_.mass);
    for (const ColliderSettings& c : settings.colliders) {
      add(std::array{c.point, c.other_end, c.normal});
      add(std::array{c.radius, static_cast<double>(static_cast<int>(c.shape))});
      add(c.joint);
    }
    for (const MixedPoke& p : settings.pokes) {
      add(std::array{p.point, p.force});
      add(std::array{p.radius, p.begin.value_or(-HUGE_VAL), p.end.value_or(HUGE_VAL)});
    }
    for (const EmbeddedPoint& point : scene_.embedding.points) add(point.weights);
    for (const Bone& bone : scene_.bones) add(std::array{bone.rest_to_joint});
    print.add_clip(clip_);
    add(std::array{loop_.time.begin, loop_.time.length, options_.frames_per_second, static_cast<double>(options_.clip),
                   static_cast<double>(static_cast<int>(settings.material)), settings.gravity ? 1.0 : 0.0,
                   settings.ground.value_or(-HUGE_VAL)});
    return print.value();
  }

  const Character& character_;
  const MixedScene& scene_;
  const BakeOptions& options_;
  const Clip* clip_;
  FrameLoop loop_;
  MixedEnvironment environment_;
  PartScales scales_;
  MixedSolver solver_;
  RunWatch run_watch_;
  std::vector<Mat3> rotations_;
  std::vector<Vec3> positions_;
  std::uint64_t fingerprint_ = 0;
  BakeResult result_;
};

}  // namespace

BakeResult bake_mixed(const Character& character, const MixedScene& scene, const MixedSettings& settings,
                      const BakeOptions& options, const Progress& progress) {
  return MixedBake(character, scene, settings, options).run(progress);
}

}  // namespace sinew
