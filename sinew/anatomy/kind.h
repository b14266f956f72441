// What kind of a creature a character is, as its skeleton and its shape tell (docs/anatomy.md).
#pragma once

#include <string>

#include "sinew/anatomy/bone_regions.h"
#include "sinew/character/simulation_surface.h"

namespace sinew {

enum class CharacterKind {
  other,
  biped,      // two legs
  quadruped,  // three or four
  insect,     // five or more, on the ground or not; or wings and no legs
  fish,       // a spine along the ground and no legs
  snake,      // a spine, and long beyond all limbs
  blob,       // few bones, and as wide as long
  robot,      // plates on bones
};

const char* name_of(CharacterKind kind);

struct KindFound {
  CharacterKind kind = CharacterKind::other;
  std::string because;
};

// `plates`: number of bones that carry a machine's plates, 0 where it is none.
KindFound find_kind(const SimulationSurface& surface, const BoneRegions& regions, int plates);

}  // namespace sinew
