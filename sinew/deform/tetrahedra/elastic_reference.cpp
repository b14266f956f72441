#include "sinew/deform/tetrahedra/elastic_reference.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/threads/parallel.h"
#include "sinew/deform/tetrahedra/flesh_motion.h"
#include "sinew/deform/tetrahedra/flesh_surface.h"
#include "sinew/linalg/krylov/krylov.h"
#include "sinew/linalg/vector_operations.h"

namespace sinew {
namespace {

constexpr std::size_t elastic_reference_vertex_grain = 256, number_grain = 1024;
constexpr double static_tolerance = 1e-9;
constexpr int static_iterations = 2000, static_restart = 80;

class ElasticReference final : public FleshReference {
 public:
  ElasticReference(std::shared_ptr<const FleshBody> body, Warping warping)
      : body_(std::move(body)),
        rest_factor_(*body_),
        warped_(warping == Warping::element ? element_warped_stiffness(*body_) : vertex_warped_stiffness(*body_)) {
    for (std::vector<double>* work : {&residual_, &scaled_, &product_, &guess_})
      work->resize(3 * body_->free_vertex.size());
  }

  void set_pose(const VertexFrames& frames) override {
    frames_ = &frames;
    warped_->set_pose(frames);
  }

  // S_w u = f_ext - load: Krylov iterations preconditioned by the factor of S.
  StepStatistics find_rest(std::span<const double> forces, std::span<double> u, const RestSearch&) override {
    outside_forces(*body_, *frames_, residual_);
    add_scaled(1, forces, std::span(residual_).first(forces.size()));
    std::fill(u.begin(), u.end(), 0.0);
    warped_->apply({}, 1, u, product_);
    for (std::size_t k = 0; k < residual_.size(); ++k) residual_[k] -= product_[k];
    const BlockCholesky& factor = rest_factor_.get();
    factor.solve(residual_, u);
    KrylovOptions options;
    options.tolerance = static_tolerance;
    options.max_iterations = static_iterations;
    options.restart = static_restart;
    const KrylovResult solved =
        gmres_.solve([this](std::span<const double> from, std::span<double> to) { warped_->apply({}, 0, from, to); },
                     [&factor](std::span<const double> from, std::span<double> to) { factor.solve(from, to); },
                     residual_, u, options);
    return {solved.iterations, solved.relative_residual, 0};
  }

  void forces_at_rest(std::span<const double> u, std::span<double> forces) override {
    warped_->apply({}, 1, u, product_);
    outside_forces(*body_, *frames_, forces);
    for (std::size_t k = 0; k < u.size(); ++k) forces[k] = product_[k] - forces[k];
  }

  // Solves for the change of the displacements, so that the tolerance is relative to what the step changes and a body
  // that comes to rest is solved ever more exactly.
  StepStatistics solve_step(const FleshState& state, std::span<double> b, std::span<double> u,
                            FleshConstraints* constraints) override {
    std::copy(b.begin(), b.end(), residual_.begin());
    subtract_system_at_last_step(state);
    const double change = std::sqrt(dot(residual_, residual_));
    start_from_free_flight(state);
    const double left = std::sqrt(dot(residual_, residual_));
    KrylovOptions options = step_options();
    options.tolerance = left > 0 ? options.tolerance * change / left : 0;
    std::fill(u.begin(), u.end(), 0.0);
    const KrylovResult solved = gmres_.solve(system(), rest_factor(), residual_, u, options);
    parallel_for(u.size(), number_grain, [&](std::size_t k) { u[k] += state.displacement[k] + guess_[k]; });
    StepStatistics statistics{solved.iterations, change > 0 ? solved.relative_residual * left / change : 0, 0};
    if (!constraints) return statistics;
    const LinearOperator inverse = [&](std::span<const double> from, std::span<double> to) {
      std::fill(to.begin(), to.end(), 0.0);
      statistics.iterations += gmres_.solve(system(), rest_factor(), from, to, step_options()).iterations;
    };
    statistics.contacts = constraints->meet(inverse, body_->dynamics.tolerance, u);
    return statistics;
  }

  double elastic_energy(std::span<const double> u) override { return linear_energy(*body_, u); }

 private:
  KrylovOptions step_options() const {
    KrylovOptions options;
    options.tolerance = body_->dynamics.tolerance;
    options.max_iterations = body_->dynamics.max_iterations;
    return options;
  }
  LinearOperator system() {
    return [this](std::span<const double> from, std::span<double> to) { apply_system(from, to); };
  }
  LinearOperator rest_factor() const {
    return [this](std::span<const double> from, std::span<double> to) { body_->factor.solve(from, to); };
  }

  // m_k M + (1 - alpha_f) (S_w + 3/2h D) with D = a M + b S_w where damping is not painted.
  SystemFactors system_factors() const {
    const GeneralizedAlpha& method = body_->method;
    const double force_factor = method.force_factor(), rate = force_factor * method.velocity_factor();
    if (!body_->uniform_damping()) return {force_factor, method.mass_factor()};
    return {force_factor + rate * body_->description.stiffness_damping,
            method.mass_factor() + rate * body_->description.mass_damping};
  }

  void apply_system(std::span<const double> u, std::span<double> to) {
    warped_->apply_roughly(system_factors(), u, to);
    if (!body_->uniform_damping())
      add_painted_damping(body_->method.force_factor() * body_->method.velocity_factor(), u, to);
  }

  // b - A u_n, all terms of S_w in one pass: it acts on (1 - alpha_f) (u + b du/dt) and on the goal's own shape,
  // with u = u_n and du/dt = (3 u_n - 4 u_n + u_{n-1}) / 2h.
  void subtract_system_at_last_step(const FleshState& state) {
    const GeneralizedAlpha& method = body_->method;
    const double force_factor = method.force_factor(), half_rate = 0.5 / method.step;
    const bool uniform = body_->uniform_damping();
    const std::vector<double>&u = state.displacement, &previous = state.previous_displacement;
    const double stiffness_damping = uniform ? body_->description.stiffness_damping : 0;
    const double mass_damping = uniform ? body_->description.mass_damping : 0;
    parallel_for(u.size(), number_grain,
                 [&](std::size_t k) { scaled_[k] = u[k] + stiffness_damping * half_rate * (previous[k] - u[k]); });
    warped_->apply({force_factor, 0}, 1, scaled_, product_);
    parallel_for(body_->free_vertex.size(), elastic_reference_vertex_grain, [&](std::size_t f) {
      const double mass = body_->mass[static_cast<std::size_t>(body_->free_vertex[f])];
      for (std::size_t k = 3 * f; k < 3 * f + 3; ++k) {
        const double velocity = half_rate * (previous[k] - u[k]);
        residual_[k] -= product_[k] + mass * (method.mass_factor() * u[k] + force_factor * mass_damping * velocity);
      }
    });
    if (!uniform) {
      parallel_for(u.size(), number_grain, [&](std::size_t k) { scaled_[k] = half_rate * (previous[k] - u[k]); });
      add_painted_damping(-force_factor, scaled_, residual_);
    }
  }

  // Goes from the last step's displacement along free flight, p_n + h v_n + h^2/2 a_n, to the least residual, which
  // replaces residual_. One product instead of about two iterations, each a product and a substitution. (The last
  // step's change as a second guess took 0.2 iterations off the soft flesh of the samples and 0.5 off stiff flesh:
  // less than its product costs, or about as much.)
  void start_from_free_flight(const FleshState& state) {
    const double h = body_->method.step;
    parallel_for(body_->free_vertex.size(), elastic_reference_vertex_grain, [&](std::size_t f) {
      const auto v = static_cast<std::size_t>(body_->free_vertex[f]);
      const Vec3 flight = state.position[f] + h * state.velocity[f] + (0.5 * h * h) * state.acceleration[f];
      const Vec3 local = transpose_times(frames_->rotation[v], flight - frames_->goal[v]);
      for (std::size_t k = 0; k < 3; ++k) guess_[3 * f + k] = local[k] - state.displacement[3 * f + k];
    });
    apply_system(guess_, product_);
    const double squared = dot(product_, product_);
    const double share = squared > 0 ? dot(product_, residual_) / squared : 0;
    add_scaled(-share, product_, residual_);
    scale(share, guess_, guess_);
  }

  void add_painted_damping(double factor, std::span<const double> u, std::span<double> to) {
    damped_.resize(u.size());
    multiply(body_->damping, u, damped_);
    for (std::size_t k = 0; k < to.size(); ++k) to[k] += factor * damped_[k];
  }

  std::shared_ptr<const FleshBody> body_;
  RestFactor rest_factor_;
  std::unique_ptr<WarpedStiffness> warped_;
  const VertexFrames* frames_ = nullptr;
  Gmres gmres_;
  std::vector<double> residual_, scaled_, product_, guess_, damped_;  // guess_: of the change of a step
};

}  // namespace

std::unique_ptr<BodyMotion> elastic_reference_flesh(std::shared_ptr<const FleshBody> body, Warping warping) {
  return flesh_motion(body, std::make_unique<ElasticReference>(body, warping));
}

}  // namespace sinew
