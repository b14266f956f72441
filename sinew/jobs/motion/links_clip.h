// Motion of a body of links as a clip of the character.
#pragma once

#include <span>
#include <string>

#include "sinew/character/character.h"
#include "sinew/dynamics/character_links.h"

namespace sinew {

// `times`: seconds from 0, ascending; `poses`: of the links at these times. Joints that are no links keep the local
// transforms that they have in `source`, which begins anew where it ends with `repeats`.
Clip clip_of_links(const Character& character, const ArticulatedBody& body, const Clip* source, bool repeats,
                   std::span<const double> times, std::span<const TreePose> poses, const std::string& name);

}  // namespace sinew
