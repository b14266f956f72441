// The pose by hand in which a joint has been led to a place.
#pragma once

#include <string>

#include "studio/server/command.h"
#include "studio/server/live/hand_pose.h"
#include "studio/server/live/loaded_character.h"

namespace sinew::studio {

// `clip`: the one that plays, empty for the rest pose. Throws usage_error for joints that are none of the body's bones.
HandPose reached_pose(const LoadedCharacter& loaded, const std::string& clip, const HandPose& now,
                      const command::ReachJoint& reach);

}  // namespace sinew::studio
