// The body of a character, for motion: which joints are its bones, in its bind pose.
#pragma once

#include <vector>
#include "sinew/character/character.h"

#include "sinew/kinematics/body_shape.h"
#include "sinew/kinematics/transfer_motion.h"

namespace sinew {

struct CharacterBody {
  BodyBones bones;          // may be incomplete
  ReferencePose reference;  // bind pose, file units; joints without skin in their default place on their parent
  bool bound = false;       // the reference is a bind pose; false: the default pose of a file without skin
};

// `humanoid`: the file's map, or empty.
CharacterBody character_body(const Character& character, const HumanoidMap& humanoid);

// The skin of a character in that pose; empty without skin weights.
std::vector<SkinPoint> skin_points(const Character& character, const ReferencePose& reference);

}  // namespace sinew
