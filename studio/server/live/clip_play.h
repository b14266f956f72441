// Which clip is in the player, and how it is played: once, over and over, or over and over while the character travels.
#pragma once

#include <map>
#include <string>

#include "sinew/bake/clip_end.h"
#include "sinew/session/playback.h"
#include "studio/server/live/loaded_character.h"

namespace sinew::studio {

struct ClipPlay {
  std::string clip;  // empty: the rest pose
  bool playing = false, loop = true;
  double speed = 1;
  // Of what is played now.
  bool cut = false;  // the clip does not lead into its own beginning: there it begins anew
  Affine round;      // carries a round of the loop to the next
  int rounds = 0;
  Affine to_world;                         // from where the first round was: what is shown is where that is
  std::map<const Clip*, ClipEnd> endings;  // of the loaded character's clips, as far as they were asked for
};

// Null: the rest pose. Throws usage_error where there is none of this name.
const Clip* clip_of(const ClipPlay& play, const LoadedCharacter& loaded);

// From the clip's beginning; `loop`: whether what is played goes on after its end. Throws usage_error for a clip that
// moves other nodes than the character's.
Playback playback_of(ClipPlay& play, const LoadedCharacter& loaded, bool loop);

// Whether another round has begun `played` seconds into the playback, which to_world then follows.
bool follow_rounds(ClipPlay& play, const Playback& playback, double played);

}  // namespace sinew::studio
