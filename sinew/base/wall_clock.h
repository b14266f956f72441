// Wall-clock time behind an interface, so that tests can substitute their own.
#pragma once

#include <functional>

namespace sinew {

struct WallClock {
  std::function<double()> now;             // seconds since an arbitrary moment; never decreases
  std::function<void(double)> wait_until;  // returns when now() is at least this
};

// The machine's steady clock, which adjustments of the system time do not affect.
WallClock steady_wall_clock();

}  // namespace sinew
