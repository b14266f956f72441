#include "sinew/elastic/wall_clock_step.h"

#include <algorithm>
#include <cmath>

namespace sinew {

double wall_clock_step(double previous, double measured, const WallClockLimits& limits) {
  const auto known = [](double seconds) { return std::isfinite(seconds) && seconds > 0; };
  const double display = 1 / limits.target_rate;
  double wanted = known(measured) ? std::max(measured, display) : display;
  if (known(previous)) wanted = std::clamp(wanted, previous / limits.most_change, previous * limits.most_change);
  return std::clamp(wanted, limits.shortest_step, limits.longest_step);
}

}  // namespace sinew
