// Motion of the bones that drives a surface model, sampled at the model's own steps, and, for fitting, the vertices of
// an example at the same times.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/deform/surface/vertex_terms.h"

namespace sinew {

// Frame k is at k * model.step after the first.
struct SurfaceMotion {
  std::string name;                        // name of the clip, for messages
  std::vector<std::vector<Affine>> bones;  // per frame, per bone of the model: rest space to world, metres
};

// One example performance: offsets of the vertices at each frame of the motion.
struct SurfaceExample {
  SurfaceMotion motion;
  std::vector<float> offset;  // frames x n x 3, metres, world axes: the example's position minus the goal's
  std::vector<float> weight;  // frames x n, or empty: 1 everywhere
  // If take_modes() has removed the modes from the offsets: the sum of weight |offset|^2 over vertices and frames but
  // the first before that. Negative: the sum of the offsets as they are.
  double rig_sum = -1;
};

// The posed rig at one frame, as a step needs it.
struct PosedSurface {
  std::vector<Vec3> goal;                // n, world, metres
  std::vector<SurfaceSegment> segments;  // world, metres
  // per spoke, metres: length in the goal, or at rest scaled by the bones' girth_stretch()
  std::vector<double> spoke_length;
  std::vector<Mat3> bone_rotation;  // per bone: closest rotation of its map; empty unless needs_bone_rotations()
};
void pose_surface(const SurfaceModel& model, std::span<const Affine> bones, PosedSurface& posed);

// Returns the scale of a segment's cross-section by a bone's map: the square root of the change of area; for a segment
// of zero length the cube root of the change of volume. 1 for rigid maps.
double girth_stretch(const SurfaceSegment& rest, const Affine& bone);

// Dynamic state of the surface: positions, changes over the last step, rotations of the neighbourhoods.
struct SurfaceState {
  std::vector<Vec3> position, change;
  std::vector<Quat> rotation;
};

// Returns the state at rest in the goal of `now`, moving along with it towards `next`.
SurfaceState rest_in_goal(const SurfaceModel& model, std::span<const Affine> bones, const PosedSurface& now,
                          const PosedSurface& next);

// Collects the input of one step.
SurfaceMoment moment_of(const SurfaceModel& model, const SurfaceState& state, const PosedSurface& now,
                        const PosedSurface& next);

// Computes one step (equations 3, 10 and 11) with the model's parameters: `after` from `before`. Only the rotations of
// `before` change; they become those of its positions. `each`: called in parallel with the terms of every vertex.
template <class Each>
void step_surface(const SurfaceModel& model, const PosedSurface& now, const PosedSurface& next, SurfaceState& before,
                  SurfaceState& after, const Each& each);
void step_surface(const SurfaceModel& model, const PosedSurface& now, const PosedSurface& next, SurfaceState& before,
                  SurfaceState& after);

}  // namespace sinew

#include "sinew/base/threads/parallel.h"

namespace sinew {

inline constexpr std::size_t surface_grain = 256;  // vertices per chunk

template <class Each>
void step_surface(const SurfaceModel& model, const PosedSurface& now, const PosedSurface& next, SurfaceState& before,
                  SurfaceState& after, const Each& each) {
  const std::size_t n = model.rest.size();
  after.position.resize(n);
  after.change.resize(n);
  after.rotation.resize(n);
  const SurfaceMoment moment = moment_of(model, before, now, next);
  parallel_for(n, surface_grain, [&](std::size_t i) {
    const TermArray terms = vertex_terms(model, moment, i, before.rotation[i]);
    const VertexMotion motion = vertex_step(model, moment, i, terms);
    after.position[i] = motion.position;
    after.change[i] = motion.change;
    after.rotation[i] = before.rotation[i];
    each(i, terms);
  });
}

}  // namespace sinew
