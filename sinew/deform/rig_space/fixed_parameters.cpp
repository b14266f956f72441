#include "sinew/deform/rig_space/fixed_parameters.h"

#include <algorithm>
#include <utility>

#include "sinew/deform/fixed_keys.h"
#include "sinew/deform/rig_space/rig_space_motion.h"

namespace sinew {

std::vector<char> are_fixed(std::span<const FixedParameter> fixed, std::size_t free) {
  std::vector<char> result(fixed.empty() ? 0 : free);
  for (const FixedParameter& each : fixed) result[each.free] = 1;
  return result;
}

void leave_out(std::size_t parameter, std::size_t size, std::span<double> matrix) {
  for (std::size_t k = 0; k < size; ++k) matrix[parameter * size + k] = matrix[k * size + parameter] = 0;
  matrix[parameter * size + parameter] = 1;
}

double RigSpaceMotion::fixed_value(const FixedParameter& fixed, double h) const {
  if (fixed.in == 0) return fixed.value;
  const CurvePoint now{state_.free[fixed.free], state_.rate[fixed.free]};
  return cubic_at(now, {fixed.value, fixed.rate}, fixed.in + h, h).value;
}

void RigSpaceMotion::set_fixed_changes(double h, std::span<double> u) const {
  for (const FixedParameter& fixed : fixed_) u[fixed.free] = fixed_value(fixed, h) - state_.free[fixed.free];
}

// Takes steps so long that inertia and damping do not count. Each begins with the rig as it is where the last one
// ended, so that a few of them meet its curvature.
void RigSpaceMotion::settle_around_fixed(std::span<const double> p) {
  constexpr double long_step = 1e4;  // seconds
  constexpr int steps = 3;
  const std::vector<FixedParameter> all = fixed_;
  std::erase_if(fixed_, [](const FixedParameter& fixed) { return fixed.in > 0; });
  const bool moved = std::any_of(fixed_.begin(), fixed_.end(),
                                 [&](const FixedParameter& fixed) { return fixed.value != state_.free[fixed.free]; });
  const std::vector<Vec3> velocity = state_.velocity;
  for (int k = 0; moved && k < steps; ++k) {
    std::fill(state_.velocity.begin(), state_.velocity.end(), Vec3{});
    std::fill(state_.rate.begin(), state_.rate.end(), 0.0);
    advance(p, long_step);
  }
  std::fill(state_.rate.begin(), state_.rate.end(), 0.0);
  for (const FixedParameter& fixed : fixed_) state_.rate[fixed.free] = fixed.rate;
  state_.velocity = velocity;
  if (!fixed_.empty()) {
    StaticInterior* equilibrium = placement_.equilibrium();
    displace(equilibrium ? equilibrium->basis(state_.x, boundary_) : basis_, state_.rate, velocity, state_.velocity);
  }
  if (moved) drop_factor();
  state_.hessian_step = 0;
  fixed_ = all;
  statistics_.steps = 0;
}

}  // namespace sinew
