// What a character does by itself: a clip, from where to where, once or over and over.
#pragma once

#include "sinew/character/character.h"
#include "sinew/character/rig.h"
#include "sinew/session/seam.h"

namespace sinew {

// A range of clip time that is played, and where on the clip a moment of it lies. Seconds.
struct PlayedRange {
  double begin = 0, length = 0;
  bool loop = false;
  double preroll = 0;  // in the first pose before the range

  // `elapsed` since the pre-roll's end; negative during it. Beyond the range its last pose stands, unless it loops.
  double clip_time(double elapsed) const;
  // How often it has been played by then.
  int rounds(double elapsed) const;
};

struct Playback {
  const Clip* clip = nullptr;              // null: the rest pose
  const RigAnimation* controls = nullptr;  // the clip as parameters of the scene's rig, where it has one
  PlayedRange range;
  Seam seam{};  // of a loop that bones play
};

// All of a clip.
Playback whole(const Clip& clip, bool loop = false);

}  // namespace sinew
