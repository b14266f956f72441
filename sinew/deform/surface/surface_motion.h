// What drives a surface model: its bones, sampled at the model's own steps, and, for fitting, where an example has the
// vertices at the same times.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/deform/surface/vertex_terms.h"

namespace sinew {

// Frame k is the time k * model.step after the first.
struct SurfaceMotion {
  std::string name;                        // of the clip, for messages
  std::vector<std::vector<Affine>> bones;  // per frame, per bone of the model: rest space to world, metres
};

// One performance: what the example has at each frame of the motion.
struct SurfaceExample {
  SurfaceMotion motion;
  std::vector<float> offset;  // frames x n x 3, metres, world axes: the example's position minus the goal's
  std::vector<float> weight;  // frames x n, or empty: 1 everywhere
  // Where offsets are without what the model's modes do (take_modes()): the sum of weight |offset|^2 over vertices and
  // frames but the first that there was with it. Negative: of the offsets as they stand.
  double rig_sum = -1;
};

// The rig at one frame, as a step looks at it.
struct PosedSurface {
  std::vector<Vec3> goal;                // n, world, metres
  std::vector<SurfaceSegment> segments;  // world, metres
  std::vector<double> spoke_length;  // per spoke, metres: of the goal, or of the rest under the bones' girth_stretch
  std::vector<Mat3> bone_rotation;   // per bone: closest rotation of its map; empty where needs_bone_rotations says no
};
void pose_surface(const SurfaceModel& model, std::span<const Affine> bones, PosedSurface& posed);

// What a bone's map does to the girth of a segment: the root of the factor of its cross-section's area, for a segment
// without length the third root of that of volume. 1 for rigid maps.
double girth_stretch(const SurfaceSegment& rest, const Affine& bone);

// Where the flesh is: positions, changes over the last step, rotations of the neighbourhoods.
struct SurfaceState {
  std::vector<Vec3> position, change;
  std::vector<Quat> rotation;
};

// At rest in the goal of `now`, moving along with it towards `next`.
SurfaceState rest_in_goal(const SurfaceModel& model, std::span<const Affine> bones, const PosedSurface& now,
                          const PosedSurface& next);

// What one step is made of.
SurfaceMoment moment_of(const SurfaceModel& model, const SurfaceState& state, const PosedSurface& now,
                        const PosedSurface& next);

// One step (equations 3, 10 and 11), with the parameters of the model: `after` from `before`, which stays as it is but
// for its rotations, which become those of its positions. `each`: called with every vertex's terms, side by side.
template <class Each>
void step_surface(const SurfaceModel& model, const PosedSurface& now, const PosedSurface& next, SurfaceState& before,
                  SurfaceState& after, const Each& each);
void step_surface(const SurfaceModel& model, const PosedSurface& now, const PosedSurface& next, SurfaceState& before,
                  SurfaceState& after);

}  // namespace sinew

#include "sinew/base/threads/parallel.h"

namespace sinew {

inline constexpr std::size_t surface_grain = 256;  // vertices of a chunk

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
