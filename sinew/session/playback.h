// The clip that a session plays: its range, looping and pre-roll.
#pragma once

#include "sinew/character/character.h"
#include "sinew/character/rig.h"
#include "sinew/session/loop_blend.h"

namespace sinew {

// The played range of a clip, and the conversion of session time to clip time. Seconds.
struct PlayedRange {
  double begin = 0, length = 0;
  bool loop = false;
  double preroll = 0;  // time in the first pose before the range

  // `elapsed`: time since the pre-roll's end, negative during it. Past the range the last pose holds unless it loops.
  double clip_time(double elapsed) const;
  // Number of completed cycles of a loop.
  int rounds(double elapsed) const;
};

struct Playback {
  const Clip* clip = nullptr;              // null: the rest pose
  const RigAnimation* controls = nullptr;  // the clip as parameters of the scene's rig; null: none
  PlayedRange range;
  LoopBlend loop_blend{};  // for a loop that moves bones
};

// Plays the whole clip.
Playback whole(const Clip& clip, bool loop = false);

}  // namespace sinew
