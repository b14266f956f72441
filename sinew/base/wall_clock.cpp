#include "sinew/base/wall_clock.h"

#include <chrono>
#include <thread>

namespace sinew {

WallClock steady_wall_clock() {
  using Clock = std::chrono::steady_clock;
  using Seconds = std::chrono::duration<double>;
  const Clock::time_point start = Clock::now();
  return {[start] { return Seconds(Clock::now() - start).count(); },
          [start](double seconds) {
            std::this_thread::sleep_until(start + std::chrono::duration_cast<Clock::duration>(Seconds(seconds)));
          }};
}

}  // namespace sinew
