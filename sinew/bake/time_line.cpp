#include "sinew/bake/time_line.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "sinew/base/error.h"

namespace sinew {
namespace {

// Runs with an absurd number of frames are usually stopped early.
constexpr std::int64_t most_frames_reserved = 10'000;

}  // namespace

const Clip* clip_of(const Character& character, const BakeOptions& options) {
  return options.clip < 0 ? nullptr : &character.clips[static_cast<std::size_t>(options.clip)];
}

TimeLine time_line(const Character& character, const BakeOptions& options, double preroll) {
  const Clip* clip = clip_of(character, options);
  const double begin = clip ? clip->start : 0, end = clip ? clip->end : 1;
  const double first = options.begin.value_or(begin), last = options.end.value_or(end);
  if (!std::isfinite(first) || !std::isfinite(last) || last < first)
    throw usage_error("the range must begin before it ends; " +
                      (clip ? "clip '" + clip->name + "'" : std::string("the rest pose")) + " runs from " +
                      std::to_string(begin) + " to " + std::to_string(end) + " s.");
  if (!(options.frames_per_second > 0 && options.frames_per_second <= 10'000))
    throw usage_error("--fps: must lie between 0 and 10000 frames per second.");
  TimeLine time{{first, last - first, false, preroll}, options.frames_per_second, 1};
  // Key times are in single precision: a clip of 63 frames may end slightly before its 63rd.
  time.frames = static_cast<std::int64_t>(std::floor(time.length * options.frames_per_second + 1e-3)) + 1;
  return time;
}

BakeResult empty_result(const Character& character, const SimulationSurface& surface, const BakeOptions& options,
                        const TimeLine& time) {
  BakeResult result;
  const Clip* clip = clip_of(character, options);
  result.recording.clip = options.clip;
  result.recording.frames_per_second = options.frames_per_second;
  for (std::size_t p = 0; p < surface.parts.size(); ++p) {
    const std::size_t vertices = surface.vertex_of[p].size();
    PartRecording& part =
        result.recording.parts.emplace_back(PartRecording{surface.parts[p], static_cast<int>(vertices), {}});
    part.displacement.reserve(3 * vertices * static_cast<std::size_t>(std::min(time.frames, most_frames_reserved)));
  }
  result.report.name = clip ? clip->name : "rest";
  result.report.frames_per_second = options.frames_per_second;
  return result;
}

}  // namespace sinew
