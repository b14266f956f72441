// The body plan of a character, from its skeleton and its shape (docs/anatomy.md).
#pragma once

#include <string>

#include "sinew/anatomy/bone_regions.h"
#include "sinew/character/simulation_surface.h"

namespace sinew {

enum class BodyPlan {
  other,
  biped,      // two legs
  quadruped,  // three or four legs
  insect,     // five legs or more, on the ground or not; or wings and no legs
  fish,       // a spine parallel to the ground and no legs
  snake,      // a spine much longer than all limbs
  blob,       // few bones, and as wide as long
  robot,      // rigid plates on bones
};

const char* name_of(BodyPlan plan);

struct BodyPlanFound {
  BodyPlan plan = BodyPlan::other;
  std::string because;
};

// `plates`: number of bones that carry the plates of a machine; 0 if it is not one.
BodyPlanFound find_body_plan(const SimulationSurface& surface, const BoneRegions& regions, int plates);

}  // namespace sinew
