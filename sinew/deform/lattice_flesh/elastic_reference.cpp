#include "sinew/deform/lattice_flesh/elastic_reference.h"

#include <algorithm>

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
        touched_(body_->free_vertex.size()) {
    for (std::vector<double>* work : {&residual_, &solution_, &correction_, &scaled_, &product_})
      work->resize(3 * body_->free_vertex.size());
  }

  // S_w u = f_ext - load: Krylov iterations preconditioned by the factor of S.
  void reset(const RigState& rig, const RigState& next) override {
    predict(rig, frames_);
    predict(next, next_frames_);
    warped_->set_pose(frames_);
    outside_forces(*body_, frames_, residual_);
    std::fill(solution_.begin(), solution_.end(), 0.0);
    warped_->apply(1, solution_, product_);
    for (std::size_t k = 0; k < residual_.size(); ++k) residual_[k] -= product_[k];
    const BlockCholesky factor = factor_static(*body_);
    factor.solve(residual_, solution_);
    KrylovOptions options;
    options.tolerance = static_tolerance;
    options.max_iterations = static_iterations;
    options.restart = static_restart;
    const KrylovResult solved =
        gmres_.solve([this](std::span<const double> from, std::span<double> to) { warped_->apply(0, from, to); },
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
    statistics_.contacts = 0;
    if (body_->dynamics.ground) {
      statistics_.contacts = hold_above_ground(*body_, frames_, solution_, touched_);
      if (statistics_.contacts > 0) before_ = state_.position;
    }
    finish_step(*body_, frames_, solution_, {}, state_);
    if (statistics_.contacts > 0) settle_on_ground(*body_, touched_, before_, state_);
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

  // (m_k M + (1 - alpha_f) (S_w + 3/2h D)) u with D = a M + b S_w, or the damping matrix where it is painted.
  void apply_system(std::span<const double> u, std::span<double> to) {
    const GeneralizedAlpha& method = body_->method;
    const double force_factor = method.force_factor(), rate = force_factor * method.velocity_factor();
    const bool uniform = body_->uniform_damping();
    const double stiffness_part = force_factor + (uniform ? rate * body_->description.stiffness_damping : 0);
    const double mass_part = method.mass_factor() + (uniform ? rate * body_->description.mass_damping : 0);
    parallel_for(u.size(), grain, [&](std::size_t k) { scaled_[k] = stiffness_part * u[k]; });
    warped_->apply(0, scaled_, to);
    add_mass(mass_part, u, to);
    if (!uniform) add_painted_damping(rate, u, to);
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
    parallel_for(u.size(), grain, [&](std::size_t k) {
      const double velocity = half_rate * (previous[k] - u[k]);
      scaled_[k] = force_factor * (u[k] + stiffness_damping * velocity);
      correction_[k] = method.mass_factor() * u[k] + force_factor * mass_damping * velocity;
    });
    warped_->apply(force_factor, scaled_, product_);
    add_mass(1, correction_, product_);
    if (!uniform) {
      parallel_for(u.size(), grain, [&](std::size_t k) { correction_[k] = half_rate * (previous[k] - u[k]); });
      add_painted_damping(force_factor, correction_, product_);
    }
    parallel_for(u.size(), grain, [&](std::size_t k) { residual_[k] -= product_[k]; });
  }

  // Solves for the change of the displacements, so that the tolerance is relative to what the step
  // changes and a body that comes to rest is solved ever more exactly. Starts from the last change.
  void solve_step(double time) {
    subtract_system_at_last_step();
    for (std::size_t k = 0; k < correction_.size(); ++k) correction_[k] = state_.displacement[k] - state_.previous_displacement[k];
    KrylovOptions options;
    options.tolerance = body_->dynamics.tolerance;
    options.max_iterations = body_->dynamics.max_iterations;
    const KrylovResult solved = gmres_.solve([this](std::span<const double> from, std::span<double> to) { apply_system(from, to); },
                                             [this](std::span<const double> from, std::span<double> to) { body_->factor.solve(from, to); },
                                             residual_, correction_, options);
    statistics_.iterations = solved.iterations;
    statistics_.residual = solved.relative_residual;
    for (std::size_t k = 0; k < solution_.size(); ++k) solution_[k] = state_.displacement[k] + correction_[k];
    require_finite(solution_, time);
  }

  void add_mass(double factor, std::span<const double> u, std::span<double> to) const {
    parallel_for(body_->free_vertex.size(), grain, [&](std::size_t f) {
      const double mass = factor * body_->mass[static_cast<std::size_t>(body_->free_vertex[f])];
      for (std::size_t k = 3 * f; k < 3 * f + 3; ++k) to[k] += mass * u[k];
    });
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
  std::vector<Vec3> local_;
  std::vector<char> touched_;    // per free vertex: held by the ground in this step
  std::vector<Vec3> before_;     // world positions of the free vertices at its start
  StepStatistics statistics_;
};

}  // namespace

std::unique_ptr<Deformer> elastic_reference_flesh(std::shared_ptr<const FleshBody> body, Warping warping) {
  return std::make_unique<ElasticReferenceFlesh>(std::move(body), warping);
}

}  // namespace sinew
