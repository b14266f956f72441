// The clock on the wall, as something that can be handed in: tests bring one of their own.
#pragma once

#include <functional>

namespace sinew {

struct WallClock {
  std::function<double()> now;             // seconds since any moment, never less than before
  std::function<void(double)> wait_until;  // returns when now() is at least this
};

// The machine's own: steady, so that nobody sets it back.
WallClock steady_wall_clock();

}  // namespace sinew
