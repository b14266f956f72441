#include "sinew/deform/lattice_flesh/elastic_reference.h"

#include <algorithm>

#include "sinew/base/error.h"
#include "sinew/deform/lattice_flesh/flesh_state.h"
#include "sinew/deform/lattice_flesh/flesh_surface.h"
#include "sinew/deform/lattice_flesh/ground_contact.h"
#include "sinew/deform/lattice_flesh/warped_stiffness.h"
#include "sinew/linalg/krylov.h"

namespace sinew {
namespace {

constexpr double static_tolerance = 1e-9;

class ElasticReferenceFlesh final : public Deformer {
 public:
  explicit ElasticReferenceFlesh(std::shared_ptr<const FleshBody> body)
      : body_(std::move(body)),
        state_(flesh_state(body_->free_vertex.size())),
        world_(body_->free_vertex.size()),
        local_(body_->description.mesh.positions.size()) {
    for (std::vector<double>* work : {&right_hand_side_, &solution_, &stiff_, &load_, &correction_, &product_})
      work->resize(3 * body_->free_vertex.size());
  }

  void reset(const RigState& rig, const RigState& next) override {
    predict(rig, frames_);
    predict(next, next_frames_);
    const BlockCholesky factor = factor_static(*body_);
    outside_forces(*body_, frames_, right_hand_side_);
    warped_load(*body_, frames_, load_);
    for (std::size_t k = 0; k < load_.size(); ++k) right_hand_side_[k] -= load_[k];
    factor.solve(right_hand_side_, solution_);
    KrylovOptions options;
    options.tolerance = static_tolerance;
    options.max_iterations = 2000;
    options.restart = 80;
    const KrylovResult solved = gmres_.solve(
        [this](std::span<const double> from, std::span<double> to) { warped_product(*body_, frames_, 1, 0, from, world_, to); },
        [&factor](std::span<const double> from, std::span<double> to) { factor.solve(from, to); }, right_hand_side_, solution_, options);
    statistics_ = {solved.iterations, solved.relative_residual, 0};
    require_finite(solution_, rig.time);
    start_state(*body_, frames_, next_frames_, solution_, state_);
    scatter_displacements(*body_, state_.displacement, local_);
  }

  void advance(const RigState& rig) override {
    predict(rig, frames_);
    assemble_right_hand_side(*body_, frames_, state_, right_hand_side_);
    warped_load(*body_, frames_, load_);
    const double force_factor = body_->method.force_factor();
    for (std::size_t k = 0; k < load_.size(); ++k) right_hand_side_[k] -= force_factor * load_[k];
    solve_step(rig.time);
    statistics_.contacts = 0;
    if (body_->dynamics.ground) statistics_.contacts = hold_above_ground(*body_, frames_, solution_);
    if (body_->uniform_damping()) multiply(body_->stiffness, solution_, stiff_);
    finish_step(*body_, frames_, solution_, stiff_, state_);
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

  // (m_k M + (1 - alpha_f) (S_w + 3/2h D)) u
  void apply_system(std::span<const double> u, std::span<double> to) {
    const GeneralizedAlpha& method = body_->method;
    const double force_factor = method.force_factor(), rate = force_factor * method.velocity_factor();
    const bool uniform = body_->uniform_damping();
    warped_product(*body_, frames_, force_factor, uniform ? rate * body_->description.stiffness_damping : 0.0, u, world_, to);
    const double mass_factor = method.mass_factor() + (uniform ? rate * body_->description.mass_damping : 0.0);
    for (std::size_t f = 0; f < body_->free_vertex.size(); ++f) {
      const double mass = mass_factor * body_->mass[static_cast<std::size_t>(body_->free_vertex[f])];
      for (std::size_t k = 3 * f; k < 3 * f + 3; ++k) to[k] += mass * u[k];
    }
    if (uniform) return;
    multiply(body_->damping, u, product_);
    for (std::size_t k = 0; k < to.size(); ++k) to[k] += rate * product_[k];
  }

  // Solves for the change of the displacements, so that the tolerance is relative to what the step
  // changes and a body that comes to rest is solved ever more exactly. Starts from the last change.
  void solve_step(double time) {
    apply_system(state_.displacement, stiff_);
    for (std::size_t k = 0; k < stiff_.size(); ++k) right_hand_side_[k] -= stiff_[k];
    for (std::size_t k = 0; k < correction_.size(); ++k) correction_[k] = state_.displacement[k] - state_.previous_displacement[k];
    KrylovOptions options;
    options.tolerance = body_->dynamics.tolerance;
    options.max_iterations = body_->dynamics.max_iterations;
    const KrylovResult solved = gmres_.solve([this](std::span<const double> from, std::span<double> to) { apply_system(from, to); },
                                             [this](std::span<const double> from, std::span<double> to) { body_->factor.solve(from, to); },
                                             right_hand_side_, correction_, options);
    statistics_.iterations = solved.iterations;
    statistics_.residual = solved.relative_residual;
    for (std::size_t k = 0; k < solution_.size(); ++k) solution_[k] = state_.displacement[k] + correction_[k];
    require_finite(solution_, time);
  }

  std::shared_ptr<const FleshBody> body_;
  FleshState state_;
  VertexFrames frames_, next_frames_;
  Gmres gmres_;
  std::vector<double> right_hand_side_, solution_, stiff_, load_, correction_, product_;
  std::vector<Vec3> world_, local_;
  StepStatistics statistics_;
};

}  // namespace

std::unique_ptr<Deformer> elastic_reference_flesh(std::shared_ptr<const FleshBody> body) {
  return std::make_unique<ElasticReferenceFlesh>(std::move(body));
}

}  // namespace sinew
