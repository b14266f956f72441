// The pose by hand in which a joint has been led to a place, or a line of the body along a stroke.
#pragma once

#include <string>

#include "studio/server/command.h"
#include "studio/server/live/hand_pose.h"
#include "studio/server/live/loaded_character.h"

namespace sinew::studio {

// `clip`: the one that plays, empty for the rest pose. Throws usage_error for joints that are none of the body's bones.
HandPose reached_pose(const LoadedCharacter& loaded, const std::string& clip, const HandPose& now,
                      const command::ReachJoint& reach);

// Throws usage_error for joints that are none of the body's bones, and for strokes that no line can follow.
HandPose lined_pose(const LoadedCharacter& loaded, const std::string& clip, const HandPose& now,
                    const command::DrawLine& line);

}  // namespace sinew::studio
