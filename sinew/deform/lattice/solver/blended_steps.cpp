#include "sinew/deform/lattice/solver/blended_steps.h"

#include <algorithm>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/deform/lattice/solver/lattice_equations.h"
#include "sinew/deform/lattice/solver/unknown_vectors.h"
#include "sinew/linalg/krylov/krylov.h"
#include "sinew/linalg/vector_operations.h"

namespace sinew {
namespace {

// Quasi-static step length, seconds: so long that inertia only fixes regions that nothing else holds.
constexpr double long_step = 1;
constexpr int most_blended_rounds = 500;
constexpr double still = 1e-7;  // of the body's largest extent
// Tolerance of the forces on held points; the remaining error is removed by the smallest correction.
constexpr double hands_tolerance = 1e-8;
constexpr int most_hand_iterations = 200;

const LatticeBody& checked(const LatticeBody& body) {
  if (body.run.adaptation.on || body.reference == LatticeReference::rig)
    throw usage_error(
        "linearization blended: its regions are factorised whole and rest at their own shape; leave --adapt out and "
        "use --reference elastic.");
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

// Response of a blended step to forces on the unknowns and to held points.
class BlendedAnswer {
 public:
  BlendedAnswer(const LatticeBody& body, const BlendedRegions& regions, const RigState& rig,
                const ActiveFunctions& active, EnvironmentResponse& response)
      : body_(body),
        regions_(regions),
        rig_(rig),
        active_(active),
        response_(response),
        per_function_(active.unknown.size()),
        change_(active.unknown.size()) {
    if (!response.held().empty()) columns_ = response.held().linear().orthonormal_columns();
  }

  // Adds the response to `force` to `position`; held points stay.
  void answer(std::span<const double> force, std::span<Vec3> position) {
    std::vector<double> moved(force.size()), held(force.size());
    apply(force, moved);
    if (!columns_.empty()) {
      find_force_of_hands(moved, -1, held);
      response_.add_force(held);
      apply(held, held);
      add_scaled(1, held, moved);
    }
    add(moved, position);
  }

  // Moves held points in `position` to their targets.
  void meet_targets(std::span<Vec3> position) {
    if (columns_.empty()) return;
    std::vector<double> change(3 * active_.unknowns()), held(change.size());
    response_.meet_targets(position, change);
    find_force_of_hands(change, 1, held);
    response_.add_force(held);
    apply(held, change);
    add(change, position);
    correct_targets(position);
  }

  // Removes the errors left by rounding by the smallest correction.
  void correct_targets(std::span<Vec3> position) {
    if (columns_.empty()) return;
    std::vector<double> change(3 * active_.unknowns());
    response_.meet_targets(position, change);
    add(change, position);
  }

  void approximate(std::span<const double> force, std::span<double> to) {
    scatter(force);
    regions_.answer_forces(rig_.bones, per_function_, change_);
    gather(to);
  }

 private:
  // By the impulse that the force is: M c h dv with c h dv = M^-1 force.
  void apply(std::span<const double> force, std::span<double> to) {
    std::vector<double> velocity(force.size());
    response_.impulse_of(force, velocity);
    scatter(velocity);
    for (Vec3& v : per_function_) v *= body_.method.mass_factor() * body_.method.step;
    regions_.answer_inertia(rig_.bones, per_function_, change_);
    gather(to);
  }

  // held = Q x with Q^T apply(Q x) = sign Q^T change.
  void find_force_of_hands(std::span<const double> change, double sign, std::span<double> held) {
    const std::size_t n = 3 * columns_.size();
    std::vector<double> wanted(n), x(n, 0.0), moved(held.size());
    along(change, wanted);
    for (double& w : wanted) w *= sign;
    KrylovOptions options;
    options.tolerance = hands_tolerance;
    options.max_iterations = most_hand_iterations;
    gmres_.solve(
        [&](std::span<const double> from, std::span<double> to) {
          spread(from, moved);
          apply(moved, moved);
          along(moved, to);
        },
        {}, wanted, x, options);
    spread(x, held);
  }

  void along(std::span<const double> unknowns, std::span<double> to) const {
    std::fill(to.begin(), to.end(), 0.0);
    for (std::size_t c = 0; c < columns_.size(); ++c)
      for (std::size_t u = 0; u < active_.unknowns(); ++u)
        for (std::size_t k = 0; k < 3; ++k) to[3 * c + k] += columns_[c][u] * unknowns[3 * u + k];
  }
  void spread(std::span<const double> x, std::span<double> unknowns) const {
    std::fill(unknowns.begin(), unknowns.end(), 0.0);
    for (std::size_t c = 0; c < columns_.size(); ++c)
      for (std::size_t u = 0; u < active_.unknowns(); ++u)
        for (std::size_t k = 0; k < 3; ++k) unknowns[3 * u + k] += columns_[c][u] * x[3 * c + k];
  }

  void scatter(std::span<const double> unknowns) {
    std::fill(per_function_.begin(), per_function_.end(), Vec3{});
    add_unknowns(active_, 1, unknowns, per_function_);
  }
  void gather(std::span<double> to) const {
    for (std::size_t u = 0; u < active_.unknowns(); ++u)
      for (std::size_t k = 0; k < 3; ++k)
        to[3 * u + k] = change_[static_cast<std::size_t>(active_.unknown_function[u])][k];
  }
  void add(std::span<const double> change, std::span<Vec3> position) const {
    require_finite(active_, change, rig_.time);
    add_unknowns(active_, 1, change, position);
  }

  const LatticeBody& body_;
  const BlendedRegions& regions_;
  const RigState& rig_;
  const ActiveFunctions& active_;
  EnvironmentResponse& response_;
  std::vector<std::vector<double>> columns_;  // Q: of the held points, orthonormal
  std::vector<Vec3> per_function_, change_;
  Gmres gmres_;
};

}  // namespace

BlendedSteps::BlendedSteps(const LatticeBody& body)
    : body_(checked(body)),
      regions_(body, body.mass_part(), body.stiffness_part()),
      resting_regions_(body, 1 / (long_step * long_step), 1.0) {}

StepStatistics BlendedSteps::step(const RigState& rig, const LatticeMoment& moment, EnvironmentResponse& response,
                                  std::span<Vec3> position) const {
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
  std::vector<Vec3> gravity = outside_accelerations(body_, moment.pose);
  for (Vec3& g : gravity) g += response.gravity_change();
  regions_.solve(moment.pose, rig.bones, {position, rate, inertia, gravity, method.force_factor()}, change);
  add_change(moment.active, change, rig.time, position);
  StepStatistics statistics{1, 0, 0};
  if (!response.acts()) return statistics;

  BlendedAnswer answer(body_, regions_, rig, moment.active, response);
  answer.meet_targets(position);
  if (response.touches()) {
    statistics.contacts = response.meet_obstacles(
        moment, [&](std::span<const double> force, std::span<double> to) { answer.approximate(force, to); },
        [&](std::span<const double> force) { answer.answer(force, position); }, body_.dynamics.tolerance, position);
    answer.correct_targets(position);
  }
  return statistics;
}

StepStatistics BlendedSteps::find_equilibrium(const RigState& rig, const ActiveFunctions& active,
                                              const LatticePose& pose, std::span<Vec3> position) const {
  const std::vector<Vec3> nothing(position.size()), gravity = outside_accelerations(body_, pose);
  std::vector<Vec3> change(position.size());
  Vec3 least = body_.description.place.front(), most = least;
  for (const Vec3& x : body_.description.place) {
    least = min(least, x);
    most = max(most, x);
  }
  const double enough = still * std::max({most.x - least.x, most.y - least.y, most.z - least.z});
  StepStatistics statistics;
  while (statistics.iterations < most_blended_rounds) {
    ++statistics.iterations;
    resting_regions_.solve(pose, rig.bones, {position, nothing, nothing, gravity, 1.0}, change);
    if (add_change(active, change, rig.time, position) < enough) break;
  }
  return statistics;
}

}  // namespace sinew
