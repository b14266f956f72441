// Which bone's rotation each element takes (docs/mixed_fem.md, section 10): the clusters of Song et al. (2024),
// sections 3.1 and 4, but with distances through the body, not through the air.
#pragma once

#include <span>
#include <vector>

#include "sinew/character/simulation_surface.h"
#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

// How far an element is from a bone, by its barycentre.
enum class ClusterRule {
  segment,    // distance to the bone's nearest segment; beyond a shared joint the angle with the segment decides
  midpoint,   // distance to the nearest midpoint of the bone's segments
  hierarchy,  // distance to the nearest joint; among the bones that meet there the angle with the segment decides
};

struct RotationClusters {
  std::vector<int> bone;  // per tetrahedron
  // Per tetrahedron: 1 where it belongs to a part of the body (tetrahedra that hang together by vertices) that no bone
  // reaches; it then takes the bone of the nearest tetrahedron, by barycentres, of a part that one does.
  std::vector<char> boneless;
};

// Each element takes the bone with the least max(d, g) (equation 19): d is the rule's distance, g a lower bound of a
// straight way's length, from the shortest way to the bone along edges of the mesh. Where the straight way is inside
// the body d is the larger, so that the rule holds as it stands; where it is not, as between a hand and the thigh
// beside it, g is. Ways begin at the elements that a bone passes through, in every part of the body; for a bone that is
// outside, at the elements nearest to it. A bone of no length loses every tie at its joint; other ties go to the lower
// index. Independent of the order of the tetrahedra. Uses the segments of `bones` only.
//
// `given`: per tetrahedron its bone, or -1 where the rule decides; empty: the rule decides everywhere.
//
// Throws usage_error where there are no bones or no tetrahedra, a bone has no segment or one that is not finite, or
// `given` does not fit.
RotationClusters rotation_clusters(const TetrahedralMesh& mesh, std::span<const Bone> bones, ClusterRule rule,
                                   std::span<const int> given = {});

// Gives boneless elements the bone of the nearest element, by barycentres, that is not; where all are boneless, does
// nothing.
void follow_nearest_elements(const TetrahedralMesh& mesh, RotationClusters& clusters);

// Distance to the nearest point of a bone's segments, metres.
double distance_to_bone(const Bone& bone, const Vec3& point);

}  // namespace sinew
