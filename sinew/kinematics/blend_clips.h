// Blends two clips of one skeleton into a third: from one to the other over time, a part of the body, or the one added
// to the other. Steps of walks stay together, and the body's way is blended by its speed.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "sinew/character/clip.h"

namespace sinew {

struct ClipToBlend {
  const Clip* clip = nullptr;
  bool loops = false;  // the clip's end leads into its beginning; otherwise it stays at its end
  // Times, in seconds of the clip, at which the same things happen in both clips, such as feet that land; ascending,
  // less than one cycle apart. Where both loop and have some, clips are stretched so that these coincide.
  std::vector<double> beats = {};
};

struct WeightKey {
  double time = 0;    // seconds of the result
  double weight = 0;  // share of the second clip, 0 to 1; linear between keys, constant beyond
};

struct ClipBlend {
  std::vector<WeightKey> weight;  // by time, at least one
  double seconds = 0;             // length of the result
  double frames_per_second = 30;
  // Per joint, the factor by which it takes part in the second clip, 0 to 1; empty: all 1.
  std::vector<double> mask = {};
  bool additive = false;  // the second clip's changes since its beginning are added to the first
};

// `root`: the joint whose place and heading are the body's, or -1. Result: linear keys for every joint that a clip
// moves, named `name`. Heading is about the y axis of the world.
Clip blend_clips(const Skeleton& skeleton, int root, const std::array<ClipToBlend, 2>& clips, const ClipBlend& blend,
                 const std::string& name);

// Seconds of the cycle that clips with beats have together at a constant weight: the mean of their strides.
double blended_cycle(const std::array<ClipToBlend, 2>& clips, double weight);

}  // namespace sinew
