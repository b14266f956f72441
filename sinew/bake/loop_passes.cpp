#include "sinew/bake/loop_passes.h"

#include <algorithm>

namespace sinew {
namespace {

constexpr double loop_tolerance = 2e-4;  // largest change of a displacement over a pass, as a share of the height

}  // namespace

void end_pass(std::span<const Vec3> now, double height, LoopPasses& passes, BakeResult& result) {
  double gap = 0;
  for (std::size_t v = 0; v < now.size(); ++v) gap = std::max(gap, distance(now[v], passes.start[v]));
  result.loop_gap = gap;
  result.loop_passes = static_cast<int>(++passes.done);
  passes.start.assign(now.begin(), now.end());
  passes.looping = gap > loop_tolerance * height && passes.done < most_passes;
  result.report.frames.clear();
  for (PartRecording& part : result.recording.parts) part.displacement.clear();
}

}  // namespace sinew
