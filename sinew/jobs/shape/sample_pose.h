// The pose that a sample of a force rig belongs to.
#pragma once

#include <span>

#include "sinew/character/character.h"
#include "sinew/shape/control_values.h"

namespace sinew {

// The rest pose with the joints among the controls of a rig turned to these values. Throws usage_error if no clip turns
// a joint whose control names no axis.
Pose sample_pose(const Character& character, const ControlValues& controls, std::size_t rig,
                 std::span<const double> at);

}  // namespace sinew
