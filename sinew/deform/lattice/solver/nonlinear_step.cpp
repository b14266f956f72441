#include "sinew/deform/lattice/solver/nonlinear_step.h"

#include <algorithm>

#include "sinew/base/threads/parallel.h"
#include "sinew/deform/lattice/lattice_motion.h"
#include "sinew/deform/lattice/solver/unknown_vectors.h"
#include "sinew/linalg/vector_operations.h"

namespace sinew {
namespace {

constexpr std::size_t nonlinear_step_grain = 64;

// Positions for displacements `u` of the unknowns from `start`.
class Moved {
 public:
  Moved(const ActiveFunctions& active, std::span<Vec3> position)
      : active_(active), start_(position.begin(), position.end()), position_(position) {}

  std::span<Vec3> by(std::span<const double> u) {
    parallel_for(active_.unknowns(), nonlinear_step_grain, [&](std::size_t k) {
      const auto f = static_cast<std::size_t>(active_.unknown_function[k]);
      position_[f] = start_[f] + unknown_at(u, k);
    });
    return position_;
  }

 private:
  const ActiveFunctions& active_;
  std::vector<Vec3> start_;
  std::span<Vec3> position_;
};

// Obstacles in an iteration; held points are met before, and `inverse` keeps them where they are.
class ObstacleConstraints final : public StepConstraints {
 public:
  ObstacleConstraints(const StepProblem& step, Moved& moved) : step_(step), moved_(moved) {}

  int meet(const LinearOperator& inverse, double tolerance, std::span<double> displacement) override {
    step_.response.forget_forces();
    const std::span<const Vec3> position = moved_.by(displacement);
    change_.resize(displacement.size());
    return step_.response.meet_obstacles(
        step_.moment, inverse,
        [&](std::span<const double> force) {
          inverse(force, change_);
          add_scaled(1, change_, displacement);
          moved_.by(displacement);
        },
        tolerance, position);
  }
  std::span<const double> forces() const override { return step_.response.force(); }

 private:
  const StepProblem& step_;
  Moved& moved_;
  std::vector<double> change_;
};

}  // namespace

LatticeNonlinearStep::LatticeNonlinearStep(const LatticeBody& body)
    : body_(body), moved_(body.description.role.size()) {
  const LatticeDescription& d = body.description;
  Vec3 low = d.place[0], high = low;
  for (const Vec3& p : d.place) low = min(low, p), high = max(high, p);
  double mass = 0;
  for (const double weight : d.weight) mass += weight;
  const double length = negligible_correction * norm(high - low);
  least_energy_ = body.method.mass_factor() * mass * length * length;
}

StepStatistics LatticeNonlinearStep::solve(const StepProblem& step, std::span<Vec3> position) {
  const ActiveFunctions& active = step.moment.active;
  if (!iterations_ || numbers_ != 3 * active.unknowns()) {
    numbers_ = 3 * active.unknowns();
    iterations_.emplace(numbers_, static_cast<std::size_t>(body_.run.nonlinear->history));
    u_.resize(numbers_);
    change_.resize(numbers_);
    std::fill(moved_.begin(), moved_.end(), Vec3{});
  }
  step.inverse.set_pose(step.moment.pose);
  const HeldPoints& held = step.response.held();
  LinearOperator inverse = [&](std::span<const double> from, std::span<double> to) { step.inverse.apply(from, to); };
  if (!held.empty())
    // Projections as well, since the forces of hands are large beside the rounding of the factor.
    inverse = [&held, within = std::vector<double>(numbers_),
               constrained = constrained_preconditioner(inverse, held.linear())](std::span<const double> from,
                                                                                 std::span<double> to) mutable {
      std::copy(from.begin(), from.end(), within.begin());
      held.project(within);
      constrained(within, to);
      held.project(to);
    };

  Moved moved(active, position);
  // The first guess repeats the last step's motion relative to the rig.
  for (std::size_t k = 0; k < active.unknowns(); ++k) {
    const auto f = static_cast<std::size_t>(active.unknown_function[k]);
    const LatticeState& state = step.moment.state;
    const Vec3 last = state.displacement[f] - state.previous_displacement[f];
    const Vec3 again = step.moment.pose.functions.rotation[f] * last;
    for (std::size_t axis = 0; axis < 3; ++axis) u_[3 * k + axis] = again[axis];
  }
  if (body_.description.free_body) fly_on(step, moved.by(u_));
  if (!held.empty()) meet_targets(step, inverse, moved.by(u_));

  ObstacleConstraints obstacles(step, moved);
  const TissueStep& how = *body_.run.nonlinear;
  const StepStatistics statistics = iterations_->minimize(
      {.find_residual =
           [&](std::span<const double> u, std::span<double> residual) {
             step.equations.step_residual(step.moment, moved.by(u), residual);
           },
       .inverse = inverse,
       .scale = [&](std::span<const double> u, double) { return motion(active, u); },
       .negligible = least_energy_,
       .still = step.response.acts() ? 0 : step.equations.least_residual(),
       .constraints = step.response.touches() ? &obstacles : nullptr,
       .tolerance = how.tolerance,
       .most_overshoot = step.response.acts() ? overshoot_acted_on : usual_overshoot,
       .most_iterations = step.response.acts() ? how.most_iterations_acted_on : how.most_iterations},
      u_);
  require_finite(active, u_, step.time);
  moved.by(u_);
  return statistics;
}

// Moves the first guess of a free body as a whole, so that its centre of mass goes on as it flies. Its motion relative
// to the frame, by which iterations measure their corrections, is often next to nothing, so that they would go on for
// long.
void LatticeNonlinearStep::fly_on(const StepProblem& step, std::span<const Vec3> position) {
  const LatticeDescription& d = body_.description;
  const ActiveFunctions& active = step.moment.active;
  const auto is_coarse = [&](std::size_t f) { return f < static_cast<std::size_t>(d.coarse_functions); };
  Vec3 left;
  double mass = 0;
  for (const int function : active.unknown_function) {
    const auto f = static_cast<std::size_t>(function);
    left += d.weight[f] * (free_flight(body_, step.moment.state, f) - position[f]);
    if (is_coarse(f)) mass += d.weight[f];
  }
  if (!(mass > 0)) return;
  for (std::size_t k = 0; k < active.unknowns(); ++k)
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (is_coarse(static_cast<std::size_t>(active.unknown_function[k]))) u_[3 * k + axis] += left[axis] / mass;
}

// Moves held points to their targets by the change of least energy of the linear step.
void LatticeNonlinearStep::meet_targets(const StepProblem& step, const LinearOperator& inverse,
                                        std::span<const Vec3> position) {
  std::vector<double> force(u_.size()), within(u_.size());
  step.response.meet_targets(position, change_);
  step.equations.elasticity().apply_system(change_, force);
  inverse(force, within);
  add_scaled(1, change_, u_);
  add_scaled(-1, within, u_);
}

// m_k M |u|^2, joules: the motion over the step relative to the rig, as the linear step measures it.
double LatticeNonlinearStep::motion(const ActiveFunctions& active, std::span<const double> u) {
  parallel_for(active.unknowns(), nonlinear_step_grain,
               [&](std::size_t k) { moved_[static_cast<std::size_t>(active.unknown_function[k])] = unknown_at(u, k); });
  return body_.method.mass_factor() *
         ordered_sum(active.unknowns(), nonlinear_step_grain, [&](std::size_t begin, std::size_t end) {
           double sum = 0;
           for (std::size_t k = begin; k < end; ++k) {
             const auto f = static_cast<std::size_t>(active.unknown_function[k]);
             sum += dot(moved_[f], row_times(body_.mass(), f, moved_));
           }
           return sum;
         });
}

StepStatistics find_nonlinear_equilibrium(const TissueStep& how, LatticeEquations& equations,
                                          LatticePreconditioner& static_inverse, const ActiveFunctions& active,
                                          const LatticePose& pose, double time, std::span<Vec3> position) {
  equations.elasticity().set_pose(pose, position);
  static_inverse.set_pose(pose);
  Moved moved(active, position);
  std::vector<double> u(3 * active.unknowns(), 0.0);
  const StepStatistics statistics =
      QuasiNewtonStep(u.size(), rest_history)
          .minimize(
              {.find_residual =
                   [&](std::span<const double> at, std::span<double> residual) {
                     equations.static_residual(pose, moved.by(at), residual);
                   },
               .inverse = [&](std::span<const double> from, std::span<double> to) { static_inverse.apply(from, to); },
               .scale = [](std::span<const double>, double first) { return first; },
               .still = equations.least_residual(),
               .tolerance = how.precision == TissuePrecision::floats ? rest_tolerance_of_floats : rest_tolerance,
               .most_iterations = most_rest_iterations},
              u);
  require_finite(active, u, time);
  moved.by(u);
  return statistics;
}

}  // namespace sinew
