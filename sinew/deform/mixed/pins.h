// Attachment of the body to its skeleton: a few vertices near joints and midpoints of bones, each moved rigidly by its
// bone from its rest position (Song et al. 2024, section 3.2), so that the rest pose keeps the rest shape
// (docs/mixed_fem.md, section 9).
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "sinew/character/simulation_surface.h"
#include "sinew/deform/mixed/mixed_body.h"
#include "sinew/deform/mixed/rotation_clusters.h"
#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

// A connected part of the body (by shared vertices) that contains no bone.
struct BonelessPart {
  int vertices = 0;
  int bone = -1;  // the bone that most of its volume follows
  Vec3 centre;    // centroid of its vertices, metres, rest space
};

struct BonePins {
  std::vector<int> vertex;  // each once
  std::vector<int> bone;    // per pin: the bone that moves it, or the mover where handles hold pins too (movers.h)
  std::vector<BonelessPart> boneless_parts;
};

struct BonePinOptions {
  // Least number of pins in each part, 1 to 3. 1 makes the system definite if elements resist rotating away from their
  // rotations; 3 that are not collinear are needed if they do not (docs/mixed_fem.md, section 7).
  int least_per_part = 3;
  // Number of the first bones that are pinned at joints and midpoints; the others only pin parts that have too few
  // pins.
  std::size_t pinned_bones = std::numeric_limits<std::size_t>::max();
};

// Chooses, beside `given` pins, which come first, for each bone the vertices of its own cluster nearest to its joints
// (heads; tails where no other bone begins) and to the midpoints of its segments. If several bones ask for the same
// vertex, the first gets it and the next takes the nearest one left. A bone without a cluster gets none. Parts with too
// few or only collinear pins get more: the nearest to their bone whose distance from the line is at least a quarter of
// the largest. Throws usage_error if `clusters` does not fit mesh and bones, or options are out of range.
BonePins bone_pins(const TetrahedralMesh& mesh, std::span<const Bone> bones, const RotationClusters& clusters,
                   const BonePinOptions& options = {}, BonePins given = {});

// Return the pins as exact constraints, and as springs of `stiffness` newtons per metre (positive) each, but for the
// first `held`, which are exact.
MixedPins held_pins(const BonePins& pins);
MixedPins tied_pins(const BonePins& pins, double stiffness, std::size_t held = 0);

// Returns the positions of the pins in a pose, metres, world: MixedLoad's `held` or `tied`. `bones`: rest space to
// world. Throws usage_error if there are fewer bones than pins name.
std::vector<Vec3> pin_positions(const BonePins& pins, std::span<const Vec3> rest, std::span<const Affine> bones);

}  // namespace sinew
