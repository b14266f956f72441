// The clip that a session plays: its range, looping and pre-roll, and the transition from the end of a loop to its
// beginning.
#pragma once

#include <span>
#include <vector>

#include "sinew/character/character.h"
#include "sinew/character/rig.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/linalg/small.h"

namespace sinew {

// The played range of a clip, and the conversion of session time to clip time. Seconds.
struct PlayedRange {
  double begin = 0, length = 0;
  bool loop = false;
  double preroll = 0;  // time in the first pose before the range

  // `elapsed`: time since the pre-roll's end, negative during it. Past the range the last pose holds unless it loops.
  double clip_time(double elapsed) const;
  // Number of completed cycles of a loop.
  int cycles(double elapsed) const;
};

// Makes a loop continuous: each cycle starts where the one before it ended, and near the end the bones are blended to
// the first pose, so that flesh sees no jump. Empty: every cycle is the clip unchanged.
struct LoopBlend {
  struct Offset {
    Vec3 head;          // head of the bone, rest space, metres
    Quat rotation;      // missing rotation about the head at the end
    Vec3 displacement;  // missing displacement of the head at the end, metres
  };
  Affine cycle;        // motion that takes the first pose to the place of the last: metres, world
  double seconds = 0;  // length of the blend before the end
  std::vector<Offset> bones;

  // Applies the blend to the bones' transforms (rest space to world, metres). `cycles`: completed cycles. `share`:
  // fraction of the missing motion to apply, 0 to 1.
  void apply(int cycles, double share, std::span<Affine> transforms) const;
};

// `first`, `last`: bone transforms at the beginning and end of the clip. `cycle`, `seconds`: as in LoopBlend.
LoopBlend make_loop_blend(std::span<const Bone> bones, std::span<const Affine> first, std::span<const Affine> last,
                          const Affine& cycle, double seconds);

struct Playback {
  const Clip* clip = nullptr;              // null: the rest pose
  const RigAnimation* controls = nullptr;  // the clip as parameters of the scene's rig; null: none
  PlayedRange range;
  LoopBlend loop_blend{};  // for a loop that moves bones
};

// Plays the whole clip.
Playback whole(const Clip& clip, bool loop = false);

}  // namespace sinew
