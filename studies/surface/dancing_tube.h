// A character for experiments without a file: the tube on two joints, with two clips.
#pragma once

#include "sinew/character/character.h"
#include "studies/surface/tube.h"

namespace sinew {

// The tube of these options, which must have two bones, as a character without clips: it stands on y = 0, on the joints
// `lower` and `upper`.
Character upright_tube(const SurfaceTubeOptions& options);

// The tube stands on y = 0 and is one metre high. In both clips, `sway` and `hop`, it is shaken as a whole and bends at
// its joint for two seconds; they have no frequency in common.
Character dancing_tube();

}  // namespace sinew
