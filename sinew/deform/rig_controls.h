// The rig of a scene whose method answers with values of the rig's own parameters.
#pragma once

#include <functional>
#include <memory>

#include "sinew/character/rig.h"
#include "sinew/rig/skeleton_rig.h"

namespace sinew {

struct RigControls {
  std::shared_ptr<Rig> rig;             // of the whole surface; its parameters are the controls
  std::shared_ptr<CharacterRig> own;    // the same, where the character's file describes it; null: a program outside
  std::shared_ptr<Rig> without_layers;  // null: there are no layers

  // What a clip of the character (index; -1: the rest pose) keys of the parameters; null: nothing. Throws input_error
  // where it moves what physics is to move.
  std::function<const RigAnimation*(int clip)> animation;

  double key_error = 0;     // metres, of a surface vertex: how far keys may be thinned; 0: one key per frame
  bool whole_clip = false;  // a written clip has the keyed channels too
};

}  // namespace sinew
