#include "sinew/deform/rig_space/adaptive_steps.h"

#include <cstdint>

#include "sinew/base/error.h"

namespace sinew {
namespace {

// Whether the step may stay; false: take it back and try a shorter one.
bool advance_once(RigSpaceMotion& motion, std::span<const double> p, double h, bool shortest, double tolerance) {
  try {
    motion.advance(p, h);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::simulation || shortest) throw;
    return false;
  }
  return shortest || motion.statistics().step_error <= tolerance;
}

}  // namespace

void advance_adaptively(RigSpaceMotion& motion, const KeyedParameters& keyed, double length, std::span<double> p,
                        AdaptiveSteps& steps) {
  steps.steps = 0;
  // Time is counted in shortest steps, so that it comes out even.
  const std::int64_t all = std::int64_t{1} << steps.most_halvings;
  for (std::int64_t done = 0; done < all;) {
    const std::int64_t ticks = all >> steps.halvings;
    const double h = length * static_cast<double>(ticks) / static_cast<double>(all);
    keyed(length * static_cast<double>(done + ticks) / static_cast<double>(all), p);
    const RigSpaceState before = motion.state();
    if (!advance_once(motion, p, h, steps.halvings == steps.most_halvings, steps.tolerance)) {
      motion.set_state(before);
      ++steps.halvings;
      continue;
    }
    done += ticks;
    ++steps.steps;
    // The error falls with the square of the step. A longer one has to begin where its like begin.
    if (steps.halvings > 0 && motion.statistics().step_error < steps.tolerance / 5 && done % (2 * ticks) == 0)
      --steps.halvings;
  }
}

}  // namespace sinew
