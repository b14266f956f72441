// Rotation of each element from the rotations of the bones: those of its cluster, discontinuous at borders of clusters,
// or blended smoothly across them (docs/mixed_fem.md, section 11). Weights are computed once, at rest; a pose only
// blends.
#pragma once

#include <span>
#include <vector>

#include "sinew/character/simulation_surface.h"
#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

// Weights of the bones in each tetrahedron: entries start[t] .. start[t + 1], in descending order, positive, with sum
// 1.
struct RotationWeights {
  std::vector<int> start{0};   // tetrahedra + 1
  std::vector<int> bone;       // per entry
  std::vector<double> weight;  // per entry

  std::size_t size() const { return start.size() - 1; }
};

// Gives every element its cluster's rotation. `clusters`: per tetrahedron its bone.
RotationWeights hard_weights(std::span<const int> clusters);

struct SmoothWeightsOptions {
  // Width of the transition on either side of a border, as a multiple of the limb's radius there. 0: hard_weights().
  double reach = 1;
};

// Diffuses the indicator functions of the clusters through the body: with p_b = 1 in the cluster of bone b and 0
// elsewhere, w_b minimises
//
//   int |grad w_b|^2 + (w_b - p_b)^2 / l^2,
//
// where l is `reach` times the radius of the element's cluster (equations 20 and 21). One factor serves all bones.
// Weights below 0.001 are dropped. Throws usage_error if `clusters` does not fit mesh and bones, reach is negative or
// not finite, or a tetrahedron has no volume.
RotationWeights smooth_weights(const TetrahedralMesh& mesh, std::span<const Bone> bones, std::span<const int> clusters,
                               const SmoothWeightsOptions& options = {});

// Computes the rotation of each tetrahedron, rest to world, from those of the bones (rotation matrices, rest to world):
// the normalised weighted sum of their quaternions, with signs aligned to the one of largest weight. Throws usage_error
// if lengths do not fit or a rotation is not finite.
void blend_rotations(const RotationWeights& weights, std::span<const Mat3> bones, std::span<Mat3> rotations);

}  // namespace sinew
