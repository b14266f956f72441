#include "sinew/bake/flesh_frames.h"

#include <algorithm>
#include <numeric>

#include "sinew/bake/record_frames.h"
#include "sinew/rig/linear_blend.h"

namespace sinew {
namespace {

// Of the flesh's own swing, as its look says it: parts of it swing more slowly.
constexpr double slowest_swing = 2;

WatchedRun watched(const FleshScene& scene, const std::string& clip) {
  const FleshBody& body = *scene.body;
  WatchedRun run;
  run.clip = clip;
  run.height = scene.height;
  if (scene.material.frequency > 0) run.period = slowest_swing / scene.material.frequency;
  run.least_energy = least_energy(std::accumulate(body.mass.begin(), body.mass.end(), 0.0), scene.height);
  for (const Influences& influences :
       scene.lattice ? scene.lattice->description.influences : body.description.influences)
    run.state_joint.push_back(
        influences.count > 0 ? scene.surface.bones[static_cast<std::size_t>(influences.joint[0])].name : "");
  return run;
}

}  // namespace

FleshFrames::FleshFrames(const Character& character, const FleshScene& scene, const FleshSettings& settings,
                         const std::string& clip)
    : scene_(scene),
      settings_(settings),
      carrier_(surface_carrier(scene)),
      watch_(character, scene.surface, watched(scene, clip)),
      surface_(carrier_->surface_vertices()) {}

void FleshFrames::note_step(std::span<const Affine> bones) {
  if (std::equal(bones.begin(), bones.end(), bones_.begin(), bones_.end())) return;
  bones_.assign(bones.begin(), bones.end());
  still_ = false;
}

// The body may be turned over for a while by what throws it about; what counts is what is seen of it.
double FleshFrames::shown_volume_ratio(std::span<const Affine> bones) const {
  const SimulationSurface& surface = scene_.surface;
  std::vector<Vec3> rig(surface.rest.positions.size()), shown = surface_;
  linear_blend(surface.rest.positions, surface.influences, bones, rig);
  for (std::size_t v = 0; v < shown.size(); ++v) shown[v] += rig[v];
  return enclosed_volume_ratio(surface.rest, rig, shown);
}

void FleshFrames::record(const FleshFrame& frame, const ClipEnvironment& environment, std::span<Vec3> local,
                         Recording& recording) {
  const std::span<const Affine> bones = frame.moment.bones;
  state_.assign(local.begin(), local.end());
  carrier_->displace(bones, local, surface_);
  WatchedFrame watched;
  watched.time = frame.moment.clip_time;
  watched.elapsed = frame.elapsed;
  watched.displacement = surface_;
  watched.state = state_;
  if (!environment.empty()) watched.led = environment.led(frame.moment);
  watched.stretch = largest_stretch(bones);
  watched.bounded = settings_.colliders.empty();
  if (frame.measures.volume_ratio < 0 && !any_collapsed(bones)) watched.volume_ratio = shown_volume_ratio(bones);
  watched.energy = frame.measures.energy;
  watched.still = still_ && settings_.colliders.empty() && settings_.grabs.empty();
  watch_.look(watched);
  still_ = true;
  append_frame(scene_.surface, surface_, recording);
}

void FleshFrames::append(std::span<const Affine> bones, std::span<Vec3> local, Recording& recording) {
  carrier_->displace(bones, local, surface_);
  append_frame(scene_.surface, surface_, recording);
}

}  // namespace sinew
