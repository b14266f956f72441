// Filmstrips that compare results for one clip: the rig, a reference, and other results coloured by their distance from
// the reference.
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
  // Seconds, clip time, each shown by the nearest frame; empty: `frames` frames are chosen.
  std::vector<double> times;
  int frames = 6;  // number of equal spans; of each, the frame in which the reference is farthest from the rig is shown
  PictureOptions cell{240, 230, 2};
  ViewDirection view;
};

// Displacement of a track from the rig at some of its times. Throws usage_error if it does not belong to this
// character.
Recording recording_of(const Character& character, int clip, const Track& track, std::span<const double> times);

// Rows: the rig, `reference`, and each of `others`; all recordings have the same clip and times. Rig and others are
// grey where they agree with the reference and red where they are far from it; a bar below gives the scale, and each
// row's label the distance over all frames and vertices. All pictures share one camera, which follows the rig over the
// ground.
Image comparison_strip(const Character& character, const ShownMotion& reference, const std::vector<ShownMotion>& others,
                       const ComparisonStripOptions& options = {}, const Progress& progress = {});

}  // namespace sinew
