// A rotation for each element from the rotations of the bones: its cluster's, which jump at the borders of clusters,
// or smooth across them (docs/mixed_fem.md, section 11). Weights are found once, at rest; a pose only blends.
#pragma once

#include <span>
#include <vector>

#include "sinew/character/simulation_surface.h"
#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

// How far each bone's rotation counts in each tetrahedron: entries start[t] .. start[t + 1], the strongest first,
// positive, with sum 1.
struct RotationWeights {
  std::vector<int> start{0};   // tetrahedra + 1
  std::vector<int> bone;       // per entry
  std::vector<double> weight;  // per entry

  std::size_t size() const { return start.size() - 1; }
};

// Every element takes its cluster's rotation; `clusters`: per tetrahedron its bone.
RotationWeights hard_weights(std::span<const int> clusters);

struct SmoothWeightsOptions {
  // Length over which a border fades on either side, as a multiple of the limb's radius there. 0: hard_weights.
  double reach = 1;
};

// The clusters' indicator functions diffused through the body: with p_b = 1 in the cluster of bone b and 0 elsewhere,
// w_b minimises
//
//   int |grad w_b|^2 + (w_b - p_b)^2 / l^2,
//
// where l is `reach` times the radius of the element's cluster (equations 20 and 21). One factor for all bones. Weights
// below 0.001 are left out. Throws usage_error where `clusters` does not fit mesh and bones, reach is negative or not
// finite, or a tetrahedron has no volume.
RotationWeights smooth_weights(const TetrahedralMesh& mesh, std::span<const Bone> bones, std::span<const int> clusters,
                               const SmoothWeightsOptions& options = {});

// The rotation of each tetrahedron, rest to world, for the rotations of the bones (rotation matrices, rest to world):
// the weighted sum of their quaternions, each with the sign that is nearer to the strongest's, normalised. Throws
// usage_error where lengths do not fit or a rotation is not finite.
void blend_rotations(const RotationWeights& weights, std::span<const Mat3> bones, std::span<Mat3> rotations);

}  // namespace sinew
