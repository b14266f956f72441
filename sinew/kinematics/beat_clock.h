// Times of two clips that run together, beat by beat.
#pragma once

#include <array>

#include "sinew/kinematics/blend_clips.h"

namespace sinew {

// Time in a clip that repeats: cycles that are over, and seconds on the clip's time line.
struct CycleTime {
  int cycle = 0;
  double seconds = 0;
};

class BeatClock {
 public:
  explicit BeatClock(const std::array<ClipToBlend, 2>& clips);

  bool together() const { return together_; }
  // Goes on by `seconds` at a weight of the second clip. Beats last the weighted mean of what they last in each clip.
  void advance(double seconds, double weight);
  CycleTime time(std::size_t clip) const;

 private:
  double beat_length(std::size_t clip) const;

  const std::array<ClipToBlend, 2>& clips_;
  bool together_ = false;
  double beat_ = 0;     // beats since the beginning, where clips go together
  double seconds_ = 0;  // since the beginning, where each has its own time
};

}  // namespace sinew
