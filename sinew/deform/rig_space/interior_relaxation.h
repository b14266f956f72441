// Relaxation of a body's interior towards equilibrium, one iteration per step: finds the part d of a pose that the map
// W leaves out (interior_correction.h).
#pragma once

#include <memory>
#include <span>

#include "sinew/deform/rig_space/rig_space_body.h"
#include "sinew/deform/rig_space/tetrahedral_energy.h"
#include "sinew/linalg/cholesky.h"

namespace sinew {

// Moves the interior vertices that have a correction towards the equilibrium of equation 5 (Hahn 2013) while the others
// are fixed. It is Newton's method with the stiffness at rest, rotated with the body, R K^-1 R^T, which is factorised
// once. One iteration per step suffices if consecutive poses differ little.
class InteriorRelaxation {
 public:
  // Keeps a reference. Throws simulation_error if the interior is not stable at rest.
  explicit InteriorRelaxation(const RigSpaceBody& body);

  // Performs one iteration from the body in x (world, all vertices), against the mesh's rest shape. Adds the
  // displacement to `offset` (per interior vertex, rest space) and to x, shortened until it lowers the energy. Returns
  // the displacement's root mean square, metres.
  double iterate(std::span<Vec3> x, std::span<const Mat3> rotations, std::span<Vec3> offset);

 private:
  const RigSpaceBody& body_;
  TetrahedralEnergy energy_;
  std::vector<std::size_t> moving_;  // interior vertices, from 0
  BlockCholesky cholesky_;
  std::vector<Vec3> gradient_, tried_;
  std::vector<double> step_;
};

}  // namespace sinew
