// A character's hip, shoulder and elbow by the names that rigs give them, and bones turned there.
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

// Index into `bones` of the left thigh, upper arm or forearm, whose joint is the limb's; -1 where no bone is named like
// one. Capitals, prefixes that end in a colon, and the kind of separator do not matter.
int find_limb(std::span<const Bone> bones, Limb limb);

// The bone turned by `degrees` about an axis through its joint; the bones below it come along.
struct LimbTurn {
  int bone = -1;  // index into the bones that axis and place are of
  Vec3 axis;      // unit, rest space
  Vec3 place;     // its joint at rest, metres
  double degrees = 0;
};

// To bend: hip and elbow bring the limb forward, the shoulder brings it up. To twist: about the bone. Throws
// input_error where the bone has no length.
LimbTurn bend_of(std::span<const Bone> bones, int bone, Limb limb);
LimbTurn twist_of(std::span<const Bone> bones, int bone);

// Rest to world of every bone of `bones`, which may be another list of the same character's than that the turns are of:
// `turned` names the joints (indices into the skeleton) of the turns.
std::vector<Affine> turned_bones(const Skeleton& skeleton, std::span<const Bone> bones, std::span<const LimbTurn> turns,
                                 std::span<const int> joints);

}  // namespace sinew
