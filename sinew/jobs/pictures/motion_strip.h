// A small picture of a clip: the character, as its rig alone poses it, at a few times.
#pragma once

#include <vector>

#include "sinew/character/character.h"
#include "sinew/files/png.h"
#include "sinew/picture/picture.h"

namespace sinew {

struct MotionStripOptions {
  int height = 88, count = 3;             // pixels of each picture, and how many there are
  std::vector<PictureFinish> finishes{};  // part_finishes() of preview.h; empty: plain colours
};

// Pictures side by side, at the middles of equal spans of the clip.
Image motion_strip(const Character& character, int clip, const MotionStripOptions& options = {});

}  // namespace sinew
