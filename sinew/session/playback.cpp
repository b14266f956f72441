#include "sinew/session/playback.h"

#include <algorithm>
#include <cmath>

namespace sinew {

double PlayedRange::clip_time(double elapsed) const {
  if (elapsed <= 0) return begin;
  return begin + (loop && length > 0 ? std::fmod(elapsed, length) : std::min(elapsed, length));
}

int PlayedRange::rounds(double elapsed) const {
  return loop && length > 0 && elapsed > 0
             ? static_cast<int>(std::lround((elapsed - std::fmod(elapsed, length)) / length))
             : 0;
}

Playback whole(const Clip& clip, bool loop) {
  return {&clip, nullptr, {clip.start, clip.end - clip.start, loop, 0}, {}};
}

}  // namespace sinew
