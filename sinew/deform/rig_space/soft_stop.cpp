#include "sinew/deform/rig_space/soft_stop.h"

#include <cmath>

namespace sinew {

SoftStopForce soft_stop_force(const SoftStop& stop, double value) {
  const double away = value - stop.rest, range = away < 0 ? stop.lower : stop.upper;
  if (stop.stiffness == 0 || !(range > 0) || std::abs(away) <= stop.begin * range) return {};
  const double t = (std::abs(away) / range - stop.begin) / (1 - stop.begin);
  return {stop.stiffness * range * range * (1 - stop.begin) * t * t * t / 3,
          std::copysign(stop.stiffness * range * t * t, away), 2 * stop.stiffness * t / (1 - stop.begin)};
}

}  // namespace sinew
