#include "sinew/deform/surface/fit/example_frames.h"

namespace sinew {

SurfaceState ExampleFrames::state(std::size_t frame, const PosedSurface* before, const PosedSurface& now,
                                  const PosedSurface& next) const {
  SurfaceState state = rest_in_goal(model_, bones(frame), now, next);
  for (std::size_t i = 0; i < vertices_; ++i) {
    state.position[i] += offset_behind_it(frame, i);
    if (frame > 0) state.change[i] = state.position[i] - before->goal[i] - offset_behind_it(frame - 1, i);
  }
  return state;
}

}  // namespace sinew
