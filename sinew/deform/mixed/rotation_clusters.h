// Assignment of elements to bones, whose rotations they take (docs/mixed_fem.md, section 10): the clusters of Song et
// al. (2024), sections 3.1 and 4, but with distances measured through the body.
#pragma once

#include <span>
#include <vector>

#include "sinew/character/simulation_surface.h"
#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

// Measure of the distance between an element's barycentre and a bone.
enum class ClusterRule {
  segment,    // distance to the bone's nearest segment; beyond a shared joint the angle with the segment breaks the tie
  midpoint,   // distance to the nearest midpoint of the bone's segments
  hierarchy,  // distance to the nearest joint; among the bones that meet there the angle with the segment decides
};

struct RotationClusters {
  std::vector<int> bone;  // per tetrahedron
  // Per tetrahedron: 1 if its part of the body (connected by vertices) contains no bone. It then takes the bone of the
  // nearest tetrahedron, by barycentres, of a part that contains one.
  std::vector<char> boneless;
};

// Assigns each element to the bone with the least max(d, g) (equation 19). d is the distance of the rule. g is a lower
// bound of the straight distance, derived from the shortest path to the bone along edges of the mesh. If the straight
// line is inside the body d is larger and the rule applies unchanged; if it is not, as between a hand and the thigh
// beside it, g is larger. Paths begin at the elements that a bone passes through, in every part of the body; for a bone
// outside the body, at the nearest elements. A bone of zero length loses every tie at its joint; other ties go to the
// lower index. The result is independent of the order of the tetrahedra. Only the segments of `bones` are used.
//
// `given`: per tetrahedron its bone, or -1 to let the rule decide; empty: the rule decides everywhere.
//
// Throws usage_error if there are no bones or no tetrahedra, if a bone has no segment or one that is not finite, or if
// `given` does not fit.
RotationClusters rotation_clusters(const TetrahedralMesh& mesh, std::span<const Bone> bones, ClusterRule rule,
                                   std::span<const int> given = {});

// Assigns boneless elements to the bone of the nearest other element, by barycentres. Does nothing if all are boneless.
void follow_nearest_elements(const TetrahedralMesh& mesh, RotationClusters& clusters);

// Returns the distance to the nearest point of a bone's segments, metres.
double distance_to_bone(const Bone& bone, const Vec3& point);

}  // namespace sinew
