// Attachments placed by pointing at the skin: entries of the setting `grabs` that hold a patch of skin where a joint
// carries it.
#pragma once

#include <string>

#include "sinew/character/character.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/deform/acting_settings.h"

namespace sinew {

// Holds the skin nearest to `point`, metres, rest space, where the joint carries it from its place in the default pose.
// `joint`: a name; empty: the joint of the bone that the skin follows most there. Throws usage_error if the character
// has no such joint or several, or if the surface has no bones or the bone's joint has no name.
GrabSettings attachment_at(const Character& character, const SimulationSurface& surface, const Vec3& point,
                           const std::string& joint = {});

}  // namespace sinew
