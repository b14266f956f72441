#include "sinew/session/playback.h"

#include <algorithm>
#include <cmath>

namespace sinew {

double PlayedRange::clip_time(double elapsed) const {
  if (elapsed <= 0) return begin;
  return begin + (loop && length > 0 ? std::fmod(elapsed, length) : std::min(elapsed, length));
}

Playback whole(const Clip& clip, bool loop) { return {&clip, nullptr, {clip.start, clip.end - clip.start, loop, 0}}; }

}  // namespace sinew
