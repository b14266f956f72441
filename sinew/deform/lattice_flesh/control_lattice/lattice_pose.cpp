#include "sinew/deform/lattice_flesh/control_lattice/lattice_pose.h"

namespace sinew {

void predict_pose(const LatticeDescription& description, std::span<const Affine> bones, LatticePose& pose) {
  predict_frames(description.place, description.influences, bones, pose.functions);
  predict_frames(description.cell_centre, description.cell_influences, bones, pose.cells);
  pose.place = pose.functions.goal;
  std::vector<Vec3>& goal = pose.functions.goal;
  const auto coarse = static_cast<std::size_t>(description.coarse_functions);
  // Coefficients of smooth schemes do not lie where their vertices end up.
  for (std::size_t f = 0; f < coarse; ++f)
    goal[f] += pose.functions.rotation[f] * (description.rest[f] - description.place[f]);
  for (std::size_t f = coarse; f < goal.size(); ++f) goal[f] = {};
}

}  // namespace sinew
