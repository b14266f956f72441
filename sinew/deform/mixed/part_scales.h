// Rigs that scale their joints: how large each connected part of a body is meant to be in a pose.
//
// Rotations of elements know no size, so that elasticity would take a part back to that of its rest shape. A part that
// its bones make larger or smaller as a whole is solved at its rest size and scaled afterwards, which is the same as
// having scaled its rest shape. Squash and stretch of single bones within a part is left to the pins.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "sinew/deform/mixed/rotation_field.h"
#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

class PartScales {
 public:
  PartScales(const TetrahedralMesh& mesh, const RotationWeights& weights);

  // Per vertex of the mesh: the mean by volume, over the vertex' part, of what the bones (rest space to world) do to
  // lengths, |det|^1/3; exactly 1 where it is within 1e-9, and at least 1e-4, where a part is all but gone.
  std::vector<double> per_vertex(std::span<const Affine> bones) const;

 private:
  std::vector<int> part_;  // per vertex
  // Per part: bones and their shares of its volume, which add up to one.
  std::vector<std::vector<std::pair<int, double>>> shares_;
};

}  // namespace sinew
