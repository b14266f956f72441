#include "sinew/deform/lattice_flesh/control_lattice/blended_steps.h"

#include <algorithm>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/deform/lattice_flesh/control_lattice/lattice_equations.h"
#include "sinew/deform/lattice_flesh/control_lattice/unknown_vectors.h"

namespace sinew {
namespace {

// Quasi-static: a step so long that inertia only keeps regions in place that nothing holds. Seconds.
constexpr double long_step = 1;
constexpr int most_rounds = 500;
constexpr double still = 1e-7;  // metres

const LatticeBody& checked(const LatticeBody& body) {
  if (body.run.adaptation.on || body.reference == LatticeReference::rig)
    throw usage_error(
        "linearization blended: its regions are factorised whole and rest at their own shape; leave --adapt out and "
        "use "
        "--reference elastic.");
  return body;
}

std::vector<Vec3> outside_accelerations(const LatticeBody& body, const LatticePose& pose) {
  std::vector<Vec3> result;
  for (const Mat3& rotation : pose.functions.rotation) result.push_back(outside_acceleration(body, rotation));
  return result;
}

// The largest change, metres.
double add_change(const ActiveFunctions& active, std::span<const Vec3> change, double time, std::span<Vec3> position) {
  double largest = 0;
  for (std::size_t f = 0; f < change.size(); ++f) {
    position[f] += change[f];
    largest = std::max(largest, norm(change[f]));
  }
  for (int f : active.unknown_function) require_finite(f, change[static_cast<std::size_t>(f)], time);
  return largest;
}

}  // namespace

BlendedSteps::BlendedSteps(const LatticeBody& body)
    : body_(checked(body)),
      regions_(body, body.mass_part(), body.stiffness_part()),
      resting_regions_(body, 1 / (long_step * long_step), 1.0) {}

StepStatistics BlendedSteps::step(const RigState& rig, const LatticeMoment& moment, std::span<Vec3> position) const {
  const LatticeDescription& d = body_.description;
  const GeneralizedAlpha& method = body_.method;
  std::vector<Vec3> rate(position.size()), inertia(position.size()), change(position.size());
  for (int function : moment.active.function) {
    const auto f = static_cast<std::size_t>(function);
    if (moment.active.unknown[f] >= 0) rate[f] = relative_rate(body_, moment, f, position[f]);
    inertia[f] = method.alpha_f * moment.state.impetus[f] - inertial_acceleration(body_, moment, f, position[f]);
    inertia[f] -= (method.force_factor() * d.mass_damping) * rate[f];
    rate[f] *= d.stiffness_damping;
  }
  const std::vector<Vec3> gravity = outside_accelerations(body_, moment.pose);
  regions_.solve(moment.pose, rig.bones, {position, rate, inertia, gravity, method.force_factor()}, change);
  add_change(moment.active, change, rig.time, position);
  return {1, 0, 0};
}

StepStatistics BlendedSteps::find_equilibrium(const RigState& rig, const ActiveFunctions& active,
                                              const LatticePose& pose, std::span<Vec3> position) const {
  const std::vector<Vec3> nothing(position.size()), gravity = outside_accelerations(body_, pose);
  std::vector<Vec3> change(position.size());
  StepStatistics statistics;
  while (statistics.iterations < most_rounds) {
    ++statistics.iterations;
    resting_regions_.solve(pose, rig.bones, {position, nothing, nothing, gravity, 1.0}, change);
    if (add_change(active, change, rig.time, position) < still) break;
  }
  return statistics;
}

}  // namespace sinew
