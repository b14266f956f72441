#include "sinew/deform/tetrahedra/flesh_motion.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/deform/tetrahedra/flesh_response.h"
#include "sinew/deform/tetrahedra/flesh_surface.h"
#include "sinew/linalg/vector_operations.h"
#include "sinew/mesh/volume_measures.h"

namespace sinew {
namespace {

constexpr std::size_t flesh_measures_grain = 1024;

double kinetic_energy(const FleshBody& body, std::span<const double> u, std::span<const double> previous) {
  const double rate = 1 / body.method.step;
  return 0.5 * ordered_sum(u.size(), flesh_measures_grain, [&](std::size_t begin, std::size_t end) {
           double sum = 0;
           for (std::size_t k = begin; k < end; ++k) {
             const double velocity = (u[k] - previous[k]) * rate;
             sum += body.mass[static_cast<std::size_t>(body.free_vertex[k / 3])] * velocity * velocity;
           }
           return sum;
         });
}

// Measures, among others, `elastic` and the kinetic energy 1/2 sum m |du/dt|^2, relative to the goal.
BodyMeasures measure_flesh(const FleshBody& body, const FleshState& state, const RigState& rig, double elastic) {
  const FleshDescription& description = body.description;
  VertexFrames frames;
  predict_frames(points_of(description), rig.bones, frames);
  std::vector<Vec3> position(description.mesh.positions.size());
  scatter_displacements(body, state.displacement, position);
  parallel_for(position.size(), flesh_measures_grain,
               [&](std::size_t v) { position[v] = frames.goal[v] + frames.rotation[v] * position[v]; });
  const VolumeMeasures volumes = measure_volumes(description.mesh, position);
  return {elastic + kinetic_energy(body, state.displacement, state.previous_displacement), volumes.ratio,
          volumes.min_det};
}

class Constraints final : public FleshConstraints {
 public:
  Constraints(FleshResponse& response, const FleshMoment& moment) : response_(response), moment_(moment) {}

  int meet(const LinearOperator& inverse, double tolerance, std::span<double> displacement) override {
    require_finite(displacement);
    return iterating_ ? response_.meet_obstacles(moment_, inverse, tolerance, displacement)
                      : response_.meet(moment_, inverse, tolerance, displacement);
  }
  std::span<const double> forces() const override { return response_.right_hand_side(); }

  bool touches() const override { return response_.touches(); }
  void begin_iterations(const LinearOperator& inverse, std::span<double> displacement) override {
    iterating_ = true;
    response_.begin_iterations(moment_, inverse, displacement);
  }
  void take_off_held(const LinearOperator& inverse, std::span<double> residual) override {
    response_.take_off_held(moment_, inverse, residual);
  }
  std::span<const double> held_forces() const override { return response_.held_forces(); }
  void apply_held(const LinearOperator& inverse, std::span<const double> from, std::span<double> to) override {
    response_.apply_held(moment_, inverse, from, to);
  }
  void end_iterations(const LinearOperator& inverse, std::span<const double> balance,
                      std::span<double> displacement) override {
    require_finite(displacement);
    response_.end_iterations(moment_, inverse, balance, displacement);
  }

 private:
  FleshResponse& response_;
  const FleshMoment& moment_;
  bool iterating_ = false;
};

class FleshMotion final : public BodyMotion {
 public:
  FleshMotion(std::shared_ptr<const FleshBody> body, std::unique_ptr<FleshReference> reference)
      : body_(std::move(body)),
        reference_(std::move(reference)),
        state_(flesh_state(body_->free_vertex.size())),
        right_hand_side_(3 * body_->free_vertex.size()),
        solution_(right_hand_side_.size()),
        local_(body_->description.mesh.positions.size()),
        response_(*body_) {}

  void reset(const RigState& rig, const RigState& next) override {
    predict(rig, frames_);
    predict(next, before_);
    pose(rig);
    statistics_ = reference_->find_rest(forces_of(rig), solution_);
    require_finite(solution_);
    start_state(*body_, frames_, before_, solution_, state_);
    scatter_displacements(*body_, state_.displacement, local_);
  }

  void follow(const RigState& rig) override {
    predict(rig, frames_);
    pose(rig);
    solution_.assign(3 * body_->free_vertex.size(), 0.0);
    start_state(*body_, frames_, frames_, solution_, state_);
    scatter_displacements(*body_, state_.displacement, local_);
  }

  void set_environment(const Environment& environment) override {
    const StepFactor factor = step_factor(*body_, factor_level(*body_, environment.stiffness, environment.damping));
    response_.set(environment, factor);
    reference_->set_tissue(environment.stiffness, environment.damping, factor);
  }

  void advance(const RigState& rig) override {
    std::swap(frames_, before_);
    std::swap(bones_, bones_before_);
    predict(rig, frames_);
    pose(rig);
    reference_->begin_step(before_);
    const FleshMoment moment{frames_, before_, state_, rig.bones, bones_before_};
    response_.begin_step(moment);
    const std::span<const double> forces = forces_of(rig);
    response_.rub_before_step(state_);
    assemble_right_hand_side(*body_, before_, frames_, response_.leads() || !forces.empty(), state_, right_hand_side_);
    add_scaled(body_->method.force_factor(), forces, std::span(right_hand_side_).first(forces.size()));
    response_.add_loads(frames_, body_->method.force_factor(), right_hand_side_);
    Constraints constraints(response_, moment);
    statistics_ =
        reference_->solve_step(state_, right_hand_side_, solution_, response_.acts() ? &constraints : nullptr);
    require_finite(solution_);
    if (response_.acts()) add_scaled(1, response_.right_hand_side(), right_hand_side_);
    const std::span<const double> stiff = reference_->stiff(right_hand_side_, solution_);
    response_.push_before_step(frames_, state_);
    finish_step(*body_, frames_, solution_, reference_->residual(), stiff, state_);
    response_.settle_after_step(moment, state_);
    scatter_displacements(*body_, state_.displacement, local_);
  }

  void carry(const RigCut& cut) override {
    CutFrames frames{{}, {}, {}, {}, cut.seconds_before(), cut.seconds_after()};
    predict(cut.before, frames.before);
    predict(cut.left, frames.left);
    predict(cut.entered, frames.entered);
    predict(cut.next, frames.next);
    carry_state(*body_, frames, state_);
    frames_ = std::move(frames.entered);
    pose(cut.entered);
  }

  std::span<const ConstraintError> constraint_errors() const override { return response_.constraint_errors(); }
  std::span<const BallPush> ball_pushes() const override { return response_.ball_pushes(); }
  std::span<const Vec3> local_displacements() const override { return local_; }
  BodyMeasures measure(const RigState& rig) const override {
    return measure_flesh(*body_, state_, rig, reference_->elastic_energy(state_.displacement));
  }
  double step() const override { return body_->method.step; }
  const StepStatistics& statistics() const override { return statistics_; }

  void save(Snapshot& snapshot) const override { save_state(state_, snapshot); }
  void load(const Snapshot& snapshot, const RigState& rig) override {
    load_state(snapshot, state_);
    predict(rig, frames_);
    pose(rig);
    scatter_displacements(*body_, state_.displacement, local_);
  }
  void find_forces() override {
    multiply(body_->stiffness, state_.displacement, state_.stiff);
    multiply(body_->stiffness, state_.previous_displacement, state_.previous_stiff);
  }

 private:
  void predict(const RigState& rig, VertexFrames& frames) const {
    predict_frames(points_of(body_->description), rig.bones, frames);
  }

  // At frames_.
  void pose(const RigState& rig) {
    bones_.assign(rig.bones.begin(), rig.bones.end());
    reference_->stiffen(rig.stiffening);
    reference_->activate(rig.activation);
    reference_->set_pose(frames_);
  }

  // The rig's forces, 3 numbers per free vertex, local; empty: none act.
  std::span<const double> forces_of(const RigState& rig) {
    if (rig.forces.empty()) return {};
    scatter_forces(*body_, rig.forces, forces_);
    return forces_;
  }

  std::shared_ptr<const FleshBody> body_;
  std::unique_ptr<FleshReference> reference_;
  FleshState state_;
  VertexFrames frames_, before_;              // at the last step, and a step earlier
  std::vector<Affine> bones_, bones_before_;  // likewise
  std::vector<double> right_hand_side_, solution_, forces_;
  std::vector<Vec3> local_;
  FleshResponse response_;
  StepStatistics statistics_;
};

}  // namespace

namespace {

[[noreturn]] void refuse_stiffening() {
  throw usage_error(
      "linear flesh knows no force rigs that stiffen it; use nonlinear elasticity, or leave out 'stiffness'.");
}

}  // namespace

void FleshReference::stiffen(std::span<const PointStiffening> stiffening) {
  if (!stiffening.empty()) refuse_stiffening();
}

void FleshReference::activate(std::span<const double> activation) {
  if (std::any_of(activation.begin(), activation.end(), [](double value) { return value != 0; }))
    throw usage_error("linear flesh has no muscles; use nonlinear elasticity.");
}

void FleshReference::find_work_by_stiffening(std::span<const double>, std::span<const double>, std::span<const int>,
                                             std::span<double>) {
  refuse_stiffening();
}

void FleshReference::set_tissue(double stiffness, double damping, const StepFactor&) {
  if (stiffness != 1 || damping != 1)
    throw usage_error("stiffness and damping that change need nonlinear elasticity; set elasticity to nonlinear.");
}

double linear_energy(const FleshBody& body, std::span<const double> u) {
  std::vector<double> stiff(u.size());
  multiply(body.stiffness, u, stiff);
  return 0.5 * ordered_sum(u.size(), flesh_measures_grain, [&](std::size_t begin, std::size_t end) {
           double sum = 0;
           for (std::size_t k = begin; k < end; ++k) sum += u[k] * stiff[k];
           return sum;
         });
}

std::unique_ptr<BodyMotion> flesh_motion(std::shared_ptr<const FleshBody> body,
                                         std::unique_ptr<FleshReference> reference) {
  return std::make_unique<FleshMotion>(std::move(body), std::move(reference));
}

}  // namespace sinew
