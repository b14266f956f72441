// Where the body hangs on its skeleton: a few vertices near joints and midpoints of bones, each moved rigidly by its
// bone from where it is at rest (Song et al. 2024, section 3.2), so that the rest pose keeps the rest shape
// (docs/mixed_fem.md, section 9).
#pragma once

#include <span>
#include <vector>

#include "sinew/character/simulation_surface.h"
#include "sinew/deform/mixed/mixed_body.h"
#include "sinew/deform/mixed/rotation_clusters.h"
#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

// A part of the body (tetrahedra that hang together by vertices) that no bone reaches.
struct BonelessPart {
  int vertices = 0;
  int bone = -1;  // the one that most of its volume follows
  Vec3 centre;    // of its vertices, metres, rest space
};

struct BonePins {
  std::vector<int> vertex;  // each once
  std::vector<int> bone;    // per pin: which moves it
  std::vector<BonelessPart> boneless_parts;
};

struct BonePinOptions {
  // Least number of pins in each part: 1 makes the system definite where elements resist turning away from their
  // rotations, 3 that are not in line where they do not (docs/mixed_fem.md, section 7). 1 to 3.
  int least_per_part = 3;
};

// For each bone the vertices of its own cluster nearest to its joints (heads; tails where no other bone begins) and to
// the midpoints of its segments. Where several ask for the same vertex the first bone gets it and the next takes the
// nearest one left. A bone without a cluster gets none. Parts that have too few pins then, or have all of them in
// line, are given more: those nearest to their bone that are at least a quarter as far from the line as any. Throws
// usage_error where `clusters` does not fit mesh and bones, or the options are out of range.
BonePins bone_pins(const TetrahedralMesh& mesh, std::span<const Bone> bones, const RotationClusters& clusters,
                   const BonePinOptions& options = {});

// As exact constraints, and as springs of `stiffness` newtons per metre (positive) each.
MixedPins held_pins(const BonePins& pins);
MixedPins tied_pins(const BonePins& pins, double stiffness);

// Where the pins are in a pose, metres, world: MixedLoad's `held` or `tied`. `bones`: rest space to world of each.
// Throws usage_error where there are fewer bones than pins name.
std::vector<Vec3> pin_positions(const BonePins& pins, std::span<const Vec3> rest, std::span<const Affine> bones);

}  // namespace sinew
