// Hip, shoulder and elbow of a character, found by common names in rigs, and rotations of their bones.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/character/character.h"
#include "sinew/character/simulation_surface.h"

namespace sinew {

enum class Limb { hip, shoulder, elbow };

std::string_view name_of(Limb limb);

// Index into `bones` of the left thigh, upper arm or forearm, at whose joint the limb bends; -1 where no bone has such
// a name. Capitals, prefixes that end in a colon, and the kind of separator are ignored.
int find_limb(std::span<const Bone> bones, Limb limb);

// A rotation of a bone by some degrees about an axis through its joint; its descendants follow.
struct LimbTurn {
  int bone = -1;  // index into the bones that axis and place were computed from
  Vec3 axis;      // unit, rest space
  Vec3 place;     // position of the joint at rest, metres
  double degrees = 0;
};

// Axes for bending (hip and elbow move the limb forward, the shoulder lifts it) and for twisting (about the bone). Both
// throw input_error where the bone has no length.
LimbTurn bend_of(std::span<const Bone> bones, int bone, Limb limb);
LimbTurn twist_of(std::span<const Bone> bones, int bone);

// Rest to world map of every bone of `bones`, which may be a different list of the same character than that of the
// turns: `turned` gives the joints of the turns (indices into the skeleton).
std::vector<Affine> turned_bones(const Skeleton& skeleton, std::span<const Bone> bones, std::span<const LimbTurn> turns,
                                 std::span<const int> joints);

}  // namespace sinew
