// A character that stands upright in its default pose, as links: where motion without a clip begins.
#pragma once

#include "sinew/dynamics/character_links.h"
#include "sinew/jobs/motion/character_body.h"
#include "sinew/jobs/open_character.h"

namespace sinew {

struct StandingLinks {
  CharacterBody body;
  CharacterLinks links;
  TreePose pose;      // of the links
  double ground = 0;  // height of the lowest skin, metres
};

// Throws usage_error, which names the file, for a body that cannot walk (gait.h).
StandingLinks standing_links(const OpenedCharacter& opened);

}  // namespace sinew
