#include "sinew/deform/lattice/solver/change_step.h"

namespace sinew {

void change_step(const LatticePose& before, double ratio, LatticeState& state) {
  const VertexFrames& frames = before.functions;
  for (std::size_t f = 0; f < state.position.size(); ++f) {
    const Vec3& u = state.displacement[f];
    state.previous_displacement[f] = u - ratio * (u - state.previous_displacement[f]);
    state.previous_position[f] = frames.goal[f] + frames.rotation[f] * state.previous_displacement[f];
  }
}

}  // namespace sinew
