// The inside of a body on its way to equilibrium, a step at a time: what W b leaves out of poses.
#pragma once

#include <memory>
#include <span>

#include "sinew/deform/rig_space/rig_space_body.h"
#include "sinew/deform/rig_space/tetrahedral_energy.h"
#include "sinew/linalg/cholesky.h"

namespace sinew {

// Moves the interior vertices that have a correction towards the equilibrium of equation 5 (Hahn 2013), the others
// held: Newton's method with the stiffness at rest, turned with the body, R K^-1 R^T, which is factorised once. Where
// poses follow each other closely, an iteration each keeps up with them.
class InteriorRelaxation {
 public:
  // Keeps a reference. Throws simulation_error where the inside is not stable at rest.
  explicit InteriorRelaxation(const RigSpaceBody& body);

  // An iteration from the body in x (world, all vertices), against the mesh's own shape: adds to `offset`, per interior
  // vertex in rest space, and to x what it moves them by, as far as that lowers the energy. Returns the root mean
  // square of that.
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
