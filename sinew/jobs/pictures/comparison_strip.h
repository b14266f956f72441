// Filmstrips of several results for one clip: the rig, the result that is taken for right, and others in the colours of
// how far they are from it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/bake/output/compare.h"
#include "sinew/bake/recording.h"
#include "sinew/base/progress.h"
#include "sinew/character/character.h"
#include "sinew/picture/picture.h"

namespace sinew {

struct ShownMotion {
  std::string label;
  Recording recording;
};

struct ComparisonStripOptions {
  std::vector<double>
      times;       // seconds on the clip's time line, each shown as the nearest frame; empty: `frames` are chosen
  int frames = 6;  // of each of that many equal spans, the one in which the reference is farthest from the rig
  PictureOptions cell{240, 230, 2};
  ViewDirection view;
};

// What a track is beside the rig at some of its times. Throws usage_error where it is not of this character.
Recording recording_of(const Character& character, int clip, const Track& track, std::span<const double> times);

// Rows: the rig, `reference`, each of `others`; all recordings have the same clip and times. Rig and others are grey
// where they are the reference, red where they are far from it; the bar below says how far, and each row's label how
// far over all frames and vertices. The camera is one for all, and goes along with the rig over the ground.
Image comparison_strip(const Character& character, const ShownMotion& reference, const std::vector<ShownMotion>& others,
                       const ComparisonStripOptions& options = {}, const Progress& progress = {});

}  // namespace sinew
