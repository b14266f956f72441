// A range of a clip that is run over and over until its flesh is cyclic.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/bake/bake_options.h"
#include "sinew/linalg/small.h"

namespace sinew {

constexpr int most_passes = 24;

struct LoopPasses {
  bool looping = false;     // still on the way to a cyclic state
  std::int64_t done = 0;
  std::vector<Vec3> start;  // displacements at the running pass's start, metres
};

// A pass has ended with displacements `now`: notes it in `result` and drops the frames that it recorded. Once the flesh
// comes back to where the pass began, to 2e-4 of the height, the next pass is the one that is kept; after most_passes
// the next is kept anyway.
void end_pass(std::span<const Vec3> now, double height, LoopPasses& passes, BakeResult& result);

}  // namespace sinew
