#include "sinew/kinematics/beat_clock.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

double length_of(const ClipToBlend& clip) { return clip.clip->end - clip.clip->start; }

// Start of beat k of a clip that repeats, in seconds that go on from cycle to cycle.
double beat_start(const ClipToBlend& clip, int k) {
  const int count = static_cast<int>(clip.beats.size());
  const int cycle = k >= 0 ? k / count : -((count - 1 - k) / count);
  return clip.beats[static_cast<std::size_t>(k - cycle * count)] + cycle * length_of(clip);
}

CycleTime in_cycle(const ClipToBlend& clip, double seconds) {
  const double length = length_of(clip), since = seconds - clip.clip->start;
  if (!(length > 0)) return {0, clip.clip->start};
  if (!clip.loops) return {0, clip.clip->start + std::clamp(since, 0.0, length)};
  const double cycle = std::floor(since / length);
  return {static_cast<int>(cycle), clip.clip->start + (since - cycle * length)};
}

}  // namespace

BeatClock::BeatClock(const std::array<ClipToBlend, 2>& clips) : clips_(clips) {
  together_ = std::all_of(clips.begin(), clips.end(), [](const ClipToBlend& clip) {
    return clip.loops && !clip.beats.empty() && length_of(clip) > 0;
  });
}

double BeatClock::beat_length(std::size_t clip) const {
  const int k = static_cast<int>(std::floor(beat_));
  return beat_start(clips_[clip], k + 1) - beat_start(clips_[clip], k);
}

void BeatClock::advance(double seconds, double weight) {
  seconds_ += seconds;
  if (!together_) return;
  while (seconds > 0) {
    const double length = (1 - weight) * beat_length(0) + weight * beat_length(1);
    const double rest = (std::floor(beat_) + 1 - beat_) * length;  // seconds to the next beat
    if (seconds < rest) {
      beat_ += seconds / length;
      return;
    }
    beat_ = std::floor(beat_) + 1;
    seconds -= rest;
  }
}

CycleTime BeatClock::time(std::size_t clip) const {
  const ClipToBlend& each = clips_[clip];
  if (!together_) return in_cycle(each, each.clip->start + seconds_);
  const double whole = std::floor(beat_);
  return in_cycle(each, beat_start(each, static_cast<int>(whole)) + (beat_ - whole) * beat_length(clip));
}

double blended_cycle(const std::array<ClipToBlend, 2>& clips, double weight) {
  // One beat of each leads to the same beat of the other; a cycle is over when both are.
  std::size_t beats = 1;
  for (const ClipToBlend& clip : clips) beats = std::max(beats, clip.beats.size());
  const auto stride = [&](const ClipToBlend& clip) {
    const double count = clip.beats.empty() ? static_cast<double>(beats) : static_cast<double>(clip.beats.size());
    return length_of(clip) * static_cast<double>(beats) / count;
  };
  return (1 - weight) * stride(clips[0]) + weight * stride(clips[1]);
}

}  // namespace sinew
