// The clip in the player and how it is played: once, in a loop, or in a loop of a travelling character.
#pragma once

#include <map>
#include <string>

#include "sinew/bake/clip_end.h"
#include "sinew/session/playback.h"
#include "studio/server/live/loaded_character.h"
#include "studio/server/live/play_mode.h"

namespace sinew::studio {

struct ClipPlay {
  std::string clip;  // empty: the rest pose
  PlayMode mode = PlayMode::standing;
  bool loop = true;
  double speed = 1;
  // State of the current playback.
  bool cut = false;  // the clip does not lead into its own beginning, so it restarts there
  Affine cycle;      // transform from one cycle of the loop to the next
  int cycles = 0;
  Affine to_world;                         // from where the first cycle is to where the current one is displayed
  std::map<const Clip*, ClipEnd> endings;  // of the character's clips, computed on demand
};

// The clip, or null for the rest pose. Throws usage_error if there is none of this name.
const Clip* clip_of(const ClipPlay& play, const LoadedCharacter& loaded);

// The clip as parameters of the rig that the scene computes; null where it computes none.
const RigAnimation* controls_of(const ClipPlay& play, const LoadedCharacter& loaded);

// Playback from the clip's beginning. `loop`: whether it continues after the end. Throws usage_error for a clip of
// another character's nodes.
Playback playback_of(ClipPlay& play, const LoadedCharacter& loaded, bool loop);

// Returns true if another cycle has begun `played` seconds into the playback, and updates to_world.
bool follow_cycles(ClipPlay& play, const Playback& playback, double played);

}  // namespace sinew::studio
