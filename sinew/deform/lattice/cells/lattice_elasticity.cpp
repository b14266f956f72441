#include "sinew/deform/lattice/cells/lattice_elasticity.h"

namespace sinew {

std::unique_ptr<LatticeElasticity> lattice_elasticity(const LatticeBody& body) {
  if (body.run.nonlinear) return tissue_elasticity(body);
  switch (body.run.linearization) {
    case Linearization::linear:
      return cell_elasticity(body, CellFrames::rest);
    case Linearization::quasi:
      return cell_elasticity(body, CellFrames::floating);
    case Linearization::none:
      return nonlinear_elasticity(body);
    default:
      if (body.run.warping == Warping::vertex) return vertex_elasticity(body);
      return cell_elasticity(body, CellFrames::predicted);
  }
}

}  // namespace sinew
