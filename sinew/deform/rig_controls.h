// The rig of a scene whose method computes values of the rig's own parameters.
#pragma once

#include <functional>
#include <memory>

#include "sinew/character/rig.h"
#include "sinew/rig/skeleton_rig.h"

namespace sinew {

struct RigControls {
  std::shared_ptr<Rig> rig;             // moves the whole surface; its parameters are the controls
  std::shared_ptr<CharacterRig> own;    // `rig`, if the character's file describes it; null: an external program
  std::shared_ptr<Rig> without_layers;  // the rig below its layers; null: there are none

  // The parameters that a clip (index; -1: the rest pose) keys; null: none. Throws input_error if the clip moves
  // parameters that physics is to move.
  std::function<const RigAnimation*(int clip)> animation;

  double key_error = 0;     // error that thinned keys may cause at the surface, metres; 0: one key per frame
  bool whole_clip = false;  // written clips contain the keyed channels too
};

}  // namespace sinew
