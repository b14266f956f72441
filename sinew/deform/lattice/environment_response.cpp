#include "sinew/deform/lattice/environment_response.h"

#include <algorithm>

#include "sinew/deform/lattice/held_by_multipliers.h"
#include "sinew/deform/lattice/unknown_vectors.h"
#include "sinew/linalg/vector_operations.h"

namespace sinew {

void EnvironmentResponse::set(const Environment& environment) {
  check_environment(body_, environment);
  environment_ = environment;
}

void EnvironmentResponse::begin_step(const ActiveFunctions& active, const LatticePose& pose,
                                     std::span<const Affine> bones) {
  constraints_.hold(environment_.held, active, functions_changed_);
  force_.assign(3 * active.unknowns(), 0.0);
  if (!acts()) return;
  if (functions_changed_) mass_ = UnknownMass(body_.mass, active);
  functions_changed_ = false;
  predict_surface_offsets(body_, bones, pose, offset_);
}

void EnvironmentResponse::stabilize(const LatticeState& before) {
  if (constraints_.empty()) return;
  const double step = body_.method.step;
  constraints_.stabilize(before, offset_, step, stabilization_of(step));
}

void EnvironmentResponse::meet_targets(std::span<const Vec3> position, std::span<double> change) {
  const std::vector<Vec3> missing = constraints_.missing(position, offset_);
  std::fill(change.begin(), change.end(), 0.0);
  constraints_.linear().meet(missing, change);
}

int EnvironmentResponse::meet_obstacles(const LatticeMoment& moment, const LinearOperator& approximate_inverse,
                                        const std::function<void(std::span<const double>)>& respond,
                                        std::span<const Vec3> position) {
  std::vector<double> within(force_.size());
  const LinearOperator guess = [&](std::span<const double> from, std::span<double> to) {
    std::copy(from.begin(), from.end(), within.begin());
    constraints_.project(within);
    approximate_inverse(within, to);
    constraints_.project(to);
  };
  const auto take_force = [&](std::span<const double> force) {
    add_force(force);
    respond(force);
  };
  return contact_.hold({environment_, moment.active, moment.pose, moment.state, offset_, position, constraints_, guess,
                        take_force, body_.dynamics.tolerance});
}

void EnvironmentResponse::add_force(std::span<const double> force) { add_scaled(1, force, force_); }

void EnvironmentResponse::impulse_of(std::span<const double> force, std::span<double> velocity) const {
  mass_.solve(force, velocity);
  scale(1 / (body_.method.mass_factor() * body_.method.step), velocity, velocity);
}

void EnvironmentResponse::push_before_step(const ActiveFunctions& active, std::span<Vec3> velocity) const {
  std::vector<double> change(force_.size());
  impulse_of(force_, change);
  add_unknowns(active, 1, change, velocity);
}

void EnvironmentResponse::settle_after_step(const ActiveFunctions& active, std::span<Vec3> velocity) {
  constraints_.meet_velocities(mass_, active, velocity);
  if (touches()) contact_.settle(constraints_.inverse_mass(mass_), active, velocity);
}

}  // namespace sinew
