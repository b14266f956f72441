// The method `rigspace` as a deformer: it computes values of the rig's free controls, and the surface that the rig
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
  std::shared_ptr<Rig> rig;        // rig restricted to the vertices that carry the body
  std::shared_ptr<Rig> whole_rig;  // rig of the whole surface, for output
  std::vector<int> free;           // indices of the parameters that physics moves
  RigSpaceDynamics dynamics;
  double step = 1.0 / 240;  // seconds
  bool adaptive = false;    // choose the step length by the motion (adaptive_steps.h)
  double period = 1;        // period of the slowest vibration, seconds
  double height = 1;        // height of the character, metres
};

// DeformerTraits::curves of a deformer of these pieces.
std::vector<ControlRange> rig_space_curves(const RigSpacePieces& pieces);

// RigState::controls are the parameters of `rig` as keyed by the animator, free ones included; physics adds an offset
// to the free ones (rig/offset_rig.h). The deformer's curves are these offsets, or the values themselves for parameters
// that are not keyed.
std::unique_ptr<Deformer> rig_space_deformer(RigSpacePieces pieces);

}  // namespace sinew
