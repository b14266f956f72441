// Uniform scale of each connected part of a body in a pose, for rigs that scale their joints.
//
// Element rotations carry no scale, so that elasticity would return a part to its rest size. A part that its bones
// scale as a whole is solved at its rest size and scaled afterwards, which is equivalent to scaling its rest shape.
// Squash and stretch of single bones within a part is left to the pins.
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

  // Computes, per vertex of the mesh, the scale of its part: the mean by volume of the bones' |det|^1/3 (bones: rest
  // space to world). Exactly 1 if within 1e-9 of it, and at least 1e-4.
  std::vector<double> per_vertex(std::span<const Affine> bones) const;

 private:
  std::vector<int> part_;  // per vertex
  // Per part: bones and their fractions of its volume, which sum to one.
  std::vector<std::vector<std::pair<int, double>>> shares_;
};

}  // namespace sinew
