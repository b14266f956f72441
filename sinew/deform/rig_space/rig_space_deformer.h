// The method `rigspace` as a deformer: it answers with values of the rig's free controls, and the surface that the rig
// makes of them.
#pragma once

#include <memory>
#include <vector>

#include "sinew/character/rig.h"
#include "sinew/deform/deformer.h"
#include "sinew/deform/rig_space/rig_space_motion.h"

namespace sinew {

struct RigSpacePieces {
  std::shared_ptr<const RigSpaceBody> body;
  std::shared_ptr<Rig> rig;        // of the vertices that carry the body
  std::shared_ptr<Rig> whole_rig;  // of the whole surface, to show
  std::vector<int> free;           // parameters that physics moves
  RigSpaceDynamics dynamics;
  double step = 1.0 / 240;  // seconds
  bool adaptive = false;    // steps as short as the motion asks for (adaptive_steps.h)
  double period = 1;        // seconds: of the slowest swing
  double height = 1;        // metres
};

// RigState::controls are the parameters of `rig` as the animator keyed them, free ones too: physics adds an offset to
// these (rig/offset_rig.h). Its curves are the offsets: of what nobody keys, the values themselves.
std::unique_ptr<Deformer> rig_space_deformer(RigSpacePieces pieces);

}  // namespace sinew
