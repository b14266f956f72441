// Access to an example for a fit, frame by frame: goals, offsets from them, weights, and states.
#pragma once

#include "sinew/deform/surface/surface_motion.h"

namespace sinew {

class ExampleFrames {
 public:
  // Keeps references to both.
  ExampleFrames(const SurfaceModel& model, const SurfaceExample& example)
      : model_(model), example_(example), vertices_(model.rest.size()) {}

  std::size_t count() const { return example_.motion.bones.size(); }
  const std::vector<Affine>& bones(std::size_t frame) const { return example_.motion.bones[frame]; }
  void pose(std::size_t frame, PosedSurface& posed) const { pose_surface(model_, bones(frame), posed); }

  // Offset from the goal, metres, world axes.
  Vec3 offset(std::size_t frame, std::size_t vertex) const {
    const float* d = &example_.offset[3 * (frame * vertices_ + vertex)];
    return {d[0], d[1], d[2]};
  }
  // The offset that the model's range displays as offset().
  Vec3 offset_behind_it(std::size_t frame, std::size_t vertex) const {
    return offset_behind(offset(frame, vertex), inverse_squared_range(model_, vertex));
  }
  // Squared error of the goal itself, m^2; zero if the example has its sum (rig_sum).
  double goal_error(std::size_t frame, std::size_t vertex) const {
    return example_.rig_sum < 0 ? squared_norm(offset(frame, vertex)) : 0;
  }
  double weight(std::size_t frame, std::size_t vertex) const {
    return example_.weight.empty() ? 1 : static_cast<double>(example_.weight[frame * vertices_ + vertex]);
  }

  // The example's state at `frame`, moving from the previous frame, whose goal is `before`. Without one, at the first
  // frame, it moves along with the goal.
  SurfaceState state(std::size_t frame, const PosedSurface* before, const PosedSurface& now,
                     const PosedSurface& next) const;

 private:
  const SurfaceModel& model_;
  const SurfaceExample& example_;
  std::size_t vertices_;
};

// Three consecutive poses, advanced without copies.
struct PoseTriple {
  PosedSurface before, now, next;
  void advance() {
    std::swap(before, now);
    std::swap(now, next);
  }
};

}  // namespace sinew
