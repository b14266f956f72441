#include "sinew/deform/tetrahedra/quasi_newton_reference.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "sinew/base/threads/parallel.h"
#include "sinew/deform/tetrahedra/flesh_surface.h"
#include "sinew/linalg/vector_operations.h"

namespace sinew {
namespace {

constexpr std::size_t quasi_newton_vertex_grain = 256, quasi_newton_grain = 1024;

class QuasiNewtonReference final : public FleshReference {
 public:
  QuasiNewtonReference(std::shared_ptr<const FleshBody> body, const QuasiNewton& how)
      : body_(std::move(body)),
        how_(how),
        forces_(tissue_forces(*body_, how.shape, how.law, how.precision)),
        factor_(step_factor(*body_, 0)),
        rest_factor_(*body_),
        step_(3 * body_->free_vertex.size(), static_cast<std::size_t>(how.history)),
        velocity_(3 * body_->free_vertex.size()),
        gradient_(velocity_.size()) {
    Vec3 low{HUGE_VAL, HUGE_VAL, HUGE_VAL}, high = -low;
    for (const Vec3& p : body_->description.mesh.positions) low = min(low, p), high = max(high, p);
    double mass = 0;
    for (const int v : body_->free_vertex) mass += body_->mass[static_cast<std::size_t>(v)];
    const double length = negligible_correction * norm(high - low);
    least_energy_ = body_->method.mass_factor() * mass * length * length;
  }

  void set_pose(const VertexFrames& frames) override {
    frames_ = &frames;
    forces_->set_pose(frames);
  }

  void begin_step(const VertexFrames& before) override { before_ = &before; }
  void stiffen(std::span<const PointStiffening> stiffening) override { forces_->stiffen(stiffening); }
  void activate(std::span<const double> activation) override { forces_->activate(activation); }
  void find_work_by_stiffening(std::span<const double> u, std::span<const double> along, std::span<const int> points,
                               std::span<double> work) override {
    forces_->find_work_by_stiffening(u, along, points, work);
  }

  void set_tissue(double stiffness, double damping, const StepFactor& factor) override {
    forces_->set_tissue(stiffness, damping);
    stiffness_ = stiffness;
    factor_ = factor;
  }

  StepStatistics find_rest(std::span<const double> forces, std::span<double> u, const RestSearch& how) override {
    const bool in_goal =
        body_->dynamics.free_body || (how_.shape == NaturalShape::goal &&
                                      body_->dynamics.gravity_in_rest == GravityInRest::pose && !forces_->active());
    if (!how.from_here || (in_goal && forces.empty())) std::fill(u.begin(), u.end(), 0.0);
    if (in_goal && forces.empty()) return {};
    std::vector<double> outside(u.size());
    outside_forces(*body_, *frames_, outside);
    add_scaled(1, forces, std::span(outside).first(forces.size()));
    const BlockCholesky& factor = rest_factor_.get();
    QuasiNewtonStep search(u.size(), rest_history);
    std::fill(velocity_.begin(), velocity_.end(), 0.0);
    const auto find_residual = [&](std::span<const double> at, std::span<double> residual) {
      forces_->find(at, velocity_, gradient_);
      parallel_for(at.size(), quasi_newton_grain, [&](std::size_t k) { residual[k] = outside[k] - gradient_[k]; });
    };
    const auto inverse = [&](std::span<const double> from, std::span<double> to) {
      factor.solve(from, to);
      scale(1 / stiffness_, to, to);
    };
    double from_none = 0;  // what the first correction would be without displacements, joules
    if (how.from_here) {
      std::vector<double> none(u.size()), residual(u.size());
      find_residual(none, residual);
      inverse(residual, none);
      from_none = dot(residual, none);
    }
    return search.minimize(
        {.find_residual = find_residual,
         .inverse = inverse,
         .scale = [&](std::span<const double>, double first) { return how.from_here ? from_none : first; },
         .tolerance = how.tolerance > 0                           ? how.tolerance
                      : how_.precision == TissuePrecision::floats ? rest_tolerance_of_floats
                                                                  : rest_tolerance,
         .most_iterations = most_rest_iterations},
        u);
  }

  void forces_at_rest(std::span<const double> u, std::span<double> forces) override {
    std::fill(velocity_.begin(), velocity_.end(), 0.0);
    forces_->find(u, velocity_, gradient_);
    outside_forces(*body_, *frames_, forces);
    for (std::size_t k = 0; k < u.size(); ++k) forces[k] = gradient_[k] - forces[k];
  }

  StepStatistics solve_step(const FleshState& state, std::span<double> b, std::span<double> u,
                            FleshConstraints* constraints) override {
    state_ = &state;
    if (before_) forces_->begin_step(*before_, state.displacement);
    right_hand_side_ = b;
    parallel_for(u.size(), quasi_newton_grain,
                 [&](std::size_t k) { u[k] = 2 * state.displacement[k] - state.previous_displacement[k]; });
    const LinearOperator factor = [this](std::span<const double> from, std::span<double> to) {
      factor_.factor->solve(from, to);
    };
    LinearOperator inverse = factor;
    std::function<void(std::span<double>)> take_off_held;
    constraints_ = constraints;
    if (constraints) {
      constraints->begin_iterations(factor, u);
      take_off_held = [&](std::span<double> residual) { constraints->take_off_held(factor, residual); };
      inverse = [&](std::span<const double> from, std::span<double> to) { constraints->apply_held(factor, from, to); };
    }
    step_is_free_ = !constraints;
    const StepStatistics statistics = step_.minimize(
        {.find_residual = [this](std::span<const double> at,
                                 std::span<double> residual) { find_residual_of_step(at, residual); },
         .take_off_held = take_off_held,
         .inverse = inverse,
         .scale = [this](std::span<const double> at, double) { return motion_from(state_->displacement, at); },
         .negligible = least_energy_,
         .constraints = constraints && constraints->touches() ? constraints : nullptr,
         .checks_last = step_is_free_,
         .tolerance = how_.tolerance,
         .most_overshoot = constraints ? overshoot_acted_on : usual_overshoot,
         .most_iterations = constraints ? how_.most_iterations_acted_on : how_.most_iterations,
         .most_pairs = static_cast<std::size_t>(constraints ? how_.history_acted_on : how_.history)},
        u);
    forces_->end_step();
    if (constraints) constraints->end_iterations(factor, step_.balance(), u);
    return statistics;
  }

  std::span<const double> residual() const override {
    return step_is_free_ ? step_.residual() : std::span<const double>{};
  }

  double elastic_energy(std::span<const double> u) override {
    std::fill(velocity_.begin(), velocity_.end(), 0.0);
    double energy = forces_->find(u, velocity_, gradient_);
    for (std::size_t k = 0; k < u.size(); ++k)
      energy +=
          0.5 * stiffness_ * body_->bone_spring[static_cast<std::size_t>(body_->free_vertex[k / 3])] * u[k] * u[k];
    return energy;
  }

 private:
  // b - m_k M u - (1 - alpha_f) (forces), local.
  void find_residual_of_step(std::span<const double> u, std::span<double> residual) {
    const GeneralizedAlpha& method = body_->method;
    const FleshState& state = *state_;
    const std::span<const double> b = right_hand_side_;
    const double half_rate = 0.5 / method.step;
    parallel_for(u.size(), quasi_newton_grain, [&](std::size_t k) {
      velocity_[k] = half_rate * (3 * u[k] - 4 * state.displacement[k] + state.previous_displacement[k]);
    });
    forces_->find(u, velocity_, gradient_);
    parallel_for(body_->free_vertex.size(), quasi_newton_vertex_grain, [&](std::size_t f) {
      const double mass = method.mass_factor() * body_->mass[static_cast<std::size_t>(body_->free_vertex[f])];
      for (std::size_t k = 3 * f; k < 3 * f + 3; ++k)
        residual[k] = b[k] - mass * u[k] - method.force_factor() * gradient_[k];
    });
    if (constraints_ && !constraints_->held_forces().empty()) add_scaled(1, constraints_->held_forces(), residual);
  }

  // m_k M |u - from|^2, joules: the motion as the linear step measures it.
  double motion_from(std::span<const double> from, std::span<const double> u) const {
    const double mass_factor = body_->method.mass_factor();
    return ordered_sum(body_->free_vertex.size(), quasi_newton_vertex_grain, [&](std::size_t begin, std::size_t end) {
      double sum = 0;
      for (std::size_t f = begin; f < end; ++f) {
        double squared = 0;
        for (std::size_t k = 3 * f; k < 3 * f + 3; ++k) squared += (u[k] - from[k]) * (u[k] - from[k]);
        sum += mass_factor * body_->mass[static_cast<std::size_t>(body_->free_vertex[f])] * squared;
      }
      return sum;
    });
  }

  std::shared_ptr<const FleshBody> body_;
  QuasiNewton how_;
  std::unique_ptr<TissueForces> forces_;
  StepFactor factor_;
  double stiffness_ = 1;
  RestFactor rest_factor_;
  QuasiNewtonStep step_;
  const VertexFrames *frames_ = nullptr, *before_ = nullptr;  // of the pose, and of that in which its step begins
  // The step that is being computed: in members, so that the functions that read it fit into a std::function.
  const FleshState* state_ = nullptr;
  std::span<const double> right_hand_side_;
  const FleshConstraints* constraints_ = nullptr;
  bool step_is_free_ = true;                 // nothing acts on the step
  double least_energy_ = 0;                  // joules: corrections below it are negligible
  std::vector<double> velocity_, gradient_;  // 3 numbers per free vertex, local
};

}  // namespace

std::unique_ptr<FleshReference> quasi_newton_reference(std::shared_ptr<const FleshBody> body, const QuasiNewton& how) {
  return std::make_unique<QuasiNewtonReference>(std::move(body), how);
}

std::unique_ptr<BodyMotion> quasi_newton_flesh(std::shared_ptr<const FleshBody> body, const QuasiNewton& how) {
  return flesh_motion(body, quasi_newton_reference(body, how));
}

}  // namespace sinew
