// Which bone's rotation each element takes (docs/mixed_fem.md, section 10): the clusters of Song et al. (2024),
// sections 3.1 and 4, grown from the bones through the body, never through the air.
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
  // Per tetrahedron: 1 where it belongs to a piece (tetrahedra that hang together by faces) that no bone reaches; it
  // then takes the bone of the nearest tetrahedron, by barycentres, of a piece that has one.
  std::vector<char> boneless;
};

// Uses the segments of `bones` only. Every bone starts at the tetrahedra that it passes through, or at the nearest one
// where it passes through none, and grows over faces; an element goes to the bone that reaches it at the least cost,
// the cost of a path being its largest distance; then borders settle, each element changing to the bone of a neighbour
// over a face where that is nearer. That is the rule's nearest bone wherever the straight way there is inside the body,
// but for single elements that no face joins to the rest of the cluster. Bones of no length lose every tie at their joint; other ties go to the lower index. Independent of
// the order of the tetrahedra.
//
// `given`: per tetrahedron its bone, or -1 where the rule decides; empty: the rule decides everywhere.
//
// Throws usage_error where there are no bones or no tetrahedra, a bone has no segment or one that is not finite, or
// `given` does not fit.
RotationClusters rotation_clusters(const TetrahedralMesh& mesh, std::span<const Bone> bones, ClusterRule rule,
                                   std::span<const int> given = {});

// Distance to the nearest point of a bone's segments, metres.
double distance_to_bone(const Bone& bone, const Vec3& point);

}  // namespace sinew
