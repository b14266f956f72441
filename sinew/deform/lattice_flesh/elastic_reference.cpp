#include "sinew/deform/lattice_flesh/elastic_reference.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/parallel.h"
#include "sinew/deform/lattice_flesh/flesh_state.h"
#include "sinew/deform/lattice_flesh/flesh_surface.h"
#include "sinew/deform/lattice_flesh/ground_contact.h"
#include "sinew/linalg/krylov.h"

namespace sinew {
namespace {

constexpr std::size_t grain = 2048;
constexpr double static_tolerance = 1e-9;
constexpr int static_iterations = 2000, static_restart = 80;

class ElasticReferenceFlesh final : public Deformer {
 public:
  ElasticReferenceFlesh(std::shared_ptr<const FleshBody> body, Warping warping)
      : body_(std::move(body)),
        warped_(warping == Warping::element ? element_warped_stiffness(*body_) : vertex_warped_stiffness(*body_)),
        state_(flesh_state(body_->free_vertex.size())),
        local_(body_->description.mesh.positions.size()),
        ground_(*body_) {
    for (std::vector<double>* work : {&residual_, &solution_, &correction_, &scaled_, &product_, &guess_[0], &guess_[1], &image_[0], &image_[1]})
      work->resize(3 * body_->free_vertex.size());
  }

  // S_w u = f_ext - load: Krylov iterations preconditioned by the factor of S.
  void reset(const RigState& rig, const RigState& next) override {
    predict(rig, frames_);
    predict(next, next_frames_);
    warped_->set_pose(frames_);
    outside_forces(*body_, frames_, residual_);
    std::fill(solution_.begin(), solution_.end(), 0.0);
    warped_->apply({}, 1, solution_, product_);
    for (std::size_t k = 0; k < residual_.size(); ++k) residual_[k] -= product_[k];
    const BlockCholesky factor = factor_static(*body_);
    factor.solve(residual_, solution_);
    KrylovOptions options;
    options.tolerance = static_tolerance;
    options.max_iterations = static_iterations;
    options.restart = static_restart;
    const KrylovResult solved =
        gmres_.solve([this](std::span<const double> from, std::span<double> to) { warped_->apply({}, 0, from, to); },
                     [&factor](std::span<const double> from, std::span<double> to) { factor.solve(from, to); }, residual_,
                     solution_, options);
    statistics_ = {solved.iterations, solved.relative_residual, 0};
    require_finite(solution_, rig.time);
    start_state(*body_, frames_, next_frames_, solution_, state_);
    scatter_displacements(*body_, state_.displacement, local_);
  }

  void advance(const RigState& rig) override {
    predict(rig, frames_);
    warped_->set_pose(frames_);
    assemble_right_hand_side(*body_, frames_, state_, residual_);
    solve_step(rig.time);
    hold_on_ground();
    finish_step(*body_, frames_, solution_, {}, state_);
    if (statistics_.contacts > 0) ground_.settle(state_);
    scatter_displacements(*body_, state_.displacement, local_);
  }

  std::span<const Vec3> local_displacements() const override { return local_; }
  double step() const override { return body_->method.step; }
  const StepStatistics& statistics() const override { return statistics_; }
  void save(Snapshot& snapshot) const override { save_state(state_, snapshot); }
  void load(const Snapshot& snapshot) override {
    load_state(snapshot, state_);
    scatter_displacements(*body_, state_.displacement, local_);
  }

 private:
  void predict(const RigState& rig, VertexFrames& frames) const {
    predict_frames(body_->description.mesh.positions, body_->description.influences, rig.bones, frames);
  }

  void hold_on_ground() {
    KrylovOptions options;
    options.tolerance = body_->dynamics.tolerance;
    options.max_iterations = body_->dynamics.max_iterations;
    const LinearOperator matrix = [this](std::span<const double> from, std::span<double> to) { apply_system(from, to); };
    const LinearOperator inverse = [this](std::span<const double> from, std::span<double> to) { body_->factor.solve(from, to); };
    const LinearOperator solve = [&](std::span<const double> b, std::span<double> x) {
      std::fill(x.begin(), x.end(), 0.0);
      statistics_.iterations += gmres_.solve(matrix, inverse, b, x, options).iterations;
    };
    statistics_.contacts = ground_.hold(frames_, solve, body_->dynamics.tolerance, solution_, state_);
  }

  // m_k M + (1 - alpha_f) (S_w + 3/2h D) with D = a M + b S_w where damping is not painted.
  SystemFactors system_factors() const {
    const GeneralizedAlpha& method = body_->method;
    const double force_factor = method.force_factor(), rate = force_factor * method.velocity_factor();
    if (!body_->uniform_damping()) return {force_factor, method.mass_factor()};
    return {force_factor + rate * body_->description.stiffness_damping, method.mass_factor() + rate * body_->description.mass_damping};
  }

  void apply_system(std::span<const double> u, std::span<double> to) {
    warped_->apply_roughly(system_factors(), u, to);
    if (!body_->uniform_damping()) add_painted_damping(body_->method.force_factor() * body_->method.velocity_factor(), u, to);
  }

  // b - A u_n, all terms of S_w in one pass: it acts on (1 - alpha_f) (u + b du/dt) and on the goal's own shape,
  // with u = u_n and du/dt = (3 u_n - 4 u_n + u_{n-1}) / 2h.
  void subtract_system_at_last_step() {
    const GeneralizedAlpha& method = body_->method;
    const double force_factor = method.force_factor(), half_rate = 0.5 / method.step;
    const bool uniform = body_->uniform_damping();
    const std::vector<double>&u = state_.displacement, &previous = state_.previous_displacement;
    const double stiffness_damping = uniform ? body_->description.stiffness_damping : 0;
    const double mass_damping = uniform ? body_->description.mass_damping : 0;
    parallel_for(u.size(), grain, [&](std::size_t k) { scaled_[k] = u[k] + stiffness_damping * half_rate * (previous[k] - u[k]); });
    warped_->apply({force_factor, 0}, 1, scaled_, product_);
    parallel_for(body_->free_vertex.size(), grain, [&](std::size_t f) {
      const double mass = body_->mass[static_cast<std::size_t>(body_->free_vertex[f])];
      for (std::size_t k = 3 * f; k < 3 * f + 3; ++k) {
        const double velocity = half_rate * (previous[k] - u[k]);
        residual_[k] -= product_[k] + mass * (method.mass_factor() * u[k] + force_factor * mass_damping * velocity);
      }
    });
    if (!uniform) {
      parallel_for(u.size(), grain, [&](std::size_t k) { correction_[k] = half_rate * (previous[k] - u[k]); });
      add_painted_damping(-force_factor, correction_, residual_);
    }
  }

  // Solves for the change of the displacements, so that the tolerance is relative to what the step
  // changes and a body that comes to rest is solved ever more exactly.
  void solve_step(double time) {
    subtract_system_at_last_step();
    const double change = std::sqrt(dot(residual_, residual_));
    start_from_guesses();
    const double left = std::sqrt(dot(residual_, residual_));
    KrylovOptions options;
    options.tolerance = left > 0 ? body_->dynamics.tolerance * change / left : 0;
    options.max_iterations = body_->dynamics.max_iterations;
    std::fill(solution_.begin(), solution_.end(), 0.0);
    const KrylovResult solved = gmres_.solve([this](std::span<const double> from, std::span<double> to) { apply_system(from, to); },
                                             [this](std::span<const double> from, std::span<double> to) { body_->factor.solve(from, to); },
                                             residual_, solution_, options);
    statistics_.iterations = solved.iterations;
    statistics_.residual = change > 0 ? solved.relative_residual * left / change : 0;
    for (std::size_t k = 0; k < solution_.size(); ++k) solution_[k] += state_.displacement[k] + correction_[k];
    require_finite(solution_, time);
  }

  // The combination of two guesses of the change that leaves the least residual: the last step's change again,
  // good for stiff flesh, and free flight p_n + h v_n + h^2/2 a_n, good for soft. Two products instead of about
  // one iteration, which is a product and a substitution. Its residual replaces residual_.
  void start_from_guesses() {
    const double h = body_->method.step;
    parallel_for(body_->free_vertex.size(), grain, [&](std::size_t f) {
      const auto v = static_cast<std::size_t>(body_->free_vertex[f]);
      const Vec3 flight = state_.position[f] + h * state_.velocity[f] + (0.5 * h * h) * state_.acceleration[f];
      const Vec3 local = transpose_times(frames_.rotation[v], flight - frames_.goal[v]);
      for (std::size_t k = 0; k < 3; ++k) {
        const double u = state_.displacement[3 * f + k];
        guess_[0][3 * f + k] = u - state_.previous_displacement[3 * f + k];
        guess_[1][3 * f + k] = local[k] - u;
      }
    });
    std::fill(correction_.begin(), correction_.end(), 0.0);
    apply_system(guess_[0], image_[0]);
    const double first = reduce_residual(guess_[0], image_[0], 0);
    apply_system(guess_[1], image_[1]);
    const double second = dot(image_[1], image_[1]);
    if (first > 0) {   // Gram-Schmidt
      const double share = dot(image_[0], image_[1]) / first;
      add_scaled(-share, guess_[0], guess_[1]);
      add_scaled(-share, image_[0], image_[1]);
    }
    reduce_residual(guess_[1], image_[1], 1e-16 * second);   // not where only rounding tells the two apart
  }

  // Goes along `guess`, whose product is `image`, to the least residual. Returns |image|^2, or 0 where it
  // is no more than `least` and nothing is done.
  double reduce_residual(std::span<const double> guess, std::span<const double> image, double least) {
    const double squared = dot(image, image);
    if (!(squared > least)) return 0;
    const double share = dot(image, residual_) / squared;
    add_scaled(share, guess, correction_);
    add_scaled(-share, image, residual_);
    return squared;
  }

  static double dot(std::span<const double> a, std::span<const double> b) {
    return ordered_sum(a.size(), 4 * grain, [&](std::size_t begin, std::size_t end) {
      double sum[8] = {};   // side by side: fixed order, and room for vector registers
      for (std::size_t k = begin; k < end; ++k) sum[k % 8] += a[k] * b[k];
      return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
    });
  }
  static void add_scaled(double factor, std::span<const double> x, std::span<double> y) {
    for (std::size_t k = 0; k < y.size(); ++k) y[k] += factor * x[k];
  }

  void add_painted_damping(double factor, std::span<const double> u, std::span<double> to) {
    damped_.resize(u.size());
    multiply(body_->damping, u, damped_);
    for (std::size_t k = 0; k < to.size(); ++k) to[k] += factor * damped_[k];
  }

  std::shared_ptr<const FleshBody> body_;
  std::unique_ptr<WarpedStiffness> warped_;
  FleshState state_;
  VertexFrames frames_, next_frames_;
  Gmres gmres_;
  std::vector<double> residual_, solution_, correction_, scaled_, product_, damped_;
  std::vector<double> guess_[2], image_[2];   // of the change of a step, and their products
  std::vector<Vec3> local_;
  GroundContact ground_;
  StepStatistics statistics_;
};

}  // namespace

std::unique_ptr<Deformer> elastic_reference_flesh(std::shared_ptr<const FleshBody> body, Warping warping) {
  return std::make_unique<ElasticReferenceFlesh>(std::move(body), warping);
}

}  // namespace sinew
