#include "sinew/deform/lattice/lattice_flesh.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/base/threads/scratch.h"
#include "sinew/deform/flesh/turning.h"
#include "sinew/deform/lattice/lattice_measures.h"
#include "sinew/deform/lattice/lattice_motion.h"
#include "sinew/deform/lattice/solver/adaptation.h"
#include "sinew/deform/lattice/solver/blended_steps.h"
#include "sinew/deform/lattice/solver/environment_response.h"
#include "sinew/deform/lattice/solver/lattice_equations.h"
#include "sinew/deform/lattice/solver/lattice_preconditioner.h"
#include "sinew/deform/lattice/solver/lattice_step_solver.h"
#include "sinew/deform/lattice/solver/static_equilibrium.h"

namespace sinew {
namespace {

bool has_turned(const LatticeState& state) {
  return std::any_of(state.carried.begin(), state.carried.end(), [](double share) { return share > 0; });
}

class LatticeFlesh final : public LatticeBodyMotion {
 public:
  explicit LatticeFlesh(std::shared_ptr<const LatticeBody> body)
      : body_(std::move(body)),
        equations_(*body_),
        step_inverse_(*body_, body_->factor, body_->coarse_factor, body_->detail),
        static_inverse_(*body_, body_->systems->static_factor, body_->systems->coarse_static_factor,
                        body_->systems->static_detail, 1 / body_->stiffness),
        step_solver_(*body_),
        response_(*body_),
        state_(lattice_state(body_->description.role.size())),
        position_(state_.position.size()) {
    if (body_->run.linearization == Linearization::blended) blended_.emplace(*body_);
    if (body_->run.held_by == HeldBy::multipliers && (blended_ || !equations_.elasticity().symmetric()))
      throw usage_error(
          "constraints: multipliers need one symmetric system; use warping element, and not the linearization "
          "blended.");
    use_active_functions();
  }

  void reset(const RigState& rig, const RigState& next) override {
    const bool adaptive = body_->run.adaptation.on;
    if (adaptive) start_coarse(body_->description, state_.activity);
    use_active_functions();
    state_.held.clear();
    predict_pose(body_->description, rig.bones, pose_);
    position_ = pose_.functions.goal;
    push_by_rigs(rig);
    find_rest(rig);
    for (std::size_t level = 0; adaptive && level < body_->description.detail_levels.size(); ++level) {
      if (!choose_functions(*body_, pose_, rig.forces, state_)) break;
      use_active_functions();
      find_rest(rig);
    }
    bones_.assign(rig.bones.begin(), rig.bones.end());
    LatticePose next_pose;
    predict_pose(body_->description, next.bones, next_pose);
    start_at_rest(*body_, next_pose, position_, state_);
  }

  void follow(const RigState& rig) override {
    state_.held.clear();
    bones_.assign(rig.bones.begin(), rig.bones.end());
    predict_pose(body_->description, rig.bones, pose_);
    position_ = pose_.functions.goal;
    rest_displacements(pose_, position_, state_);
    start_at_rest(*body_, pose_, position_, state_);
  }

  void advance(const RigState& rig) override {
    predict_pose(body_->description, rig.bones, active_.function, pose_);
    equations_.elasticity().set_pose(pose_, state_.position);
    if (adapt(rig)) predict_pose(body_->description, rig.bones, active_.function, pose_);
    push_by_rigs(rig);
    const LatticeMoment moment{active_, pose_, state_};
    response_.begin_step(active_, pose_, rig.bones, bones_);
    if (body_->run.held_by == HeldBy::multipliers) response_.stabilize(state_);
    carry_by_turning(rig);
    keep_within_reach(*body_, active_, pose_, pushed_ || rigs_push_ || response_.acts(), state_);
    carry_along(*body_, moment, position_);
    statistics_ = blended_ ? blended_->step(rig, moment, response_, position_)
                           : step_solver_.solve({equations_, step_inverse_, response_, moment, rig.time}, position_);
    if (response_.acts()) response_.push_before_step(active_, state_.velocity);
    finish_step(*body_, active_, pose_, position_, state_);
    if (response_.acts()) response_.settle_after_step(active_, state_.velocity);
    response_.constraint_errors(state_.position, constraint_errors_);
    if (body_->run.held_by == HeldBy::multipliers) response_.remember(state_.position, state_.held);
  }

  void carry(const RigCut& cut) override {
    CutFrames frames{{}, {}, {}, {}, cut.seconds_before(), cut.seconds_after()};
    predict_pose(body_->description, cut.before.bones, pose_);
    frames.before = pose_.functions;
    predict_pose(body_->description, cut.left.bones, pose_);
    frames.left = pose_.functions;
    predict_pose(body_->description, cut.next.bones, pose_);
    frames.next = pose_.functions;
    predict_pose(body_->description, cut.entered.bones, pose_);
    frames.entered = pose_.functions;
    carry_state(*body_, active_, frames, state_);
    bones_.assign(cut.entered.bones.begin(), cut.entered.bones.end());
  }

  void set_environment(const Environment& environment) override {
    if (blended_ && !environment.loads.empty())
      throw usage_error("the linearization blended knows no pokes; use another one.");
    if (environment.changes_tissue())
      throw usage_error("a lattice has one stiffness and damping; leave lattice out where these change.");
    response_.set(environment);
    const ScratchVector<Vec3> loads = forces_of(*body_, environment);
    loads_.assign(loads.begin(), loads.end());
    equations_.set_pushes(loads_);
    pushed_ = !environment.loads.empty() || environment.gravity;
  }

  Vec3 place_of(const SurfacePoint& point, std::span<const Affine> bones) const override {
    return place_of_point(*body_, point, bones, state_.position);
  }

  std::span<const ConstraintError> constraint_errors() const override { return constraint_errors_; }
  std::span<const BallPush> ball_pushes() const override { return response_.ball_pushes(); }

  std::span<const Vec3> local_displacements() const override { return state_.displacement; }

  BodyMeasures measure(const RigState& rig) const override {
    BodyMeasures result = measure_volume(body_->description, state_.position);
    // The elasticity only has a pose after a step, and there may have been none.
    predict_pose(body_->description, rig.bones, active_.function, measured_pose_);
    equations_.elasticity().set_pose(measured_pose_, state_.position);
    result.energy = equations_.elasticity().energy(state_.position) + equations_.kinetic_energy(state_);
    return result;
  }

  double step() const override { return body_->method.step; }
  const StepStatistics& statistics() const override { return statistics_; }

  void save(Snapshot& snapshot) const override { save_state(state_, snapshot); }
  void load(const Snapshot& snapshot, const RigState& rig) override {
    load_state(snapshot, state_);
    bones_.assign(rig.bones.begin(), rig.bones.end());
    use_active_functions();
  }

 private:
  void use_active_functions() {
    active_ = active_functions(body_->description.role, state_.activity);
    equations_.activate(active_);
    step_inverse_.activate(active_);
    static_inverse_.activate(active_);
    response_.functions_changed();
  }

  void carry_by_turning(const RigState& rig) {
    if (any_turns_fast(bones_, rig.bones, step()) || has_turned(state_)) {
      LatticePose before;
      predict_functions(body_->description, bones_, active_.function, before);
      sinew::carry_by_turning(*body_, active_, before.functions, pose_.functions, state_);
    }
    bones_.assign(rig.bones.begin(), rig.bones.end());
  }

  // Adds the forces of the rig to the loads, turned with their functions.
  void push_by_rigs(const RigState& rig) {
    if (!rigs_push_ && rig.forces.empty()) return;
    if (blended_) throw usage_error("the linearization blended knows no force rigs; use another one.");
    rigs_push_ = !rig.forces.empty();
    ScratchVector<Vec3> pushes(loads_.begin(), loads_.end());
    if (rigs_push_) pushes.resize(position_.size());
    for (const PointForce& each : rig.forces) {
      const std::size_t f = index(each.point);
      pushes[f] += pose_.functions.rotation[f] * each.force;
    }
    equations_.set_pushes(pushes);
  }

  // Sets position_ and displacements to the equilibrium at pose_; a free body has none and begins in its natural shape.
  void find_rest(const RigState& rig) {
    if (body_->description.free_body)
      statistics_ = {};
    else if (blended_)
      statistics_ = blended_->find_equilibrium(rig, active_, pose_, position_);
    else if (body_->run.nonlinear)
      statistics_ = find_nonlinear_equilibrium(*body_->run.nonlinear, equations_, static_inverse_, active_, pose_,
                                               rig.time, position_);
    else
      statistics_ = find_equilibrium(equations_, static_inverse_, active_, pose_, rig.time, position_);
    rest_displacements(pose_, position_, state_);
  }

  // Functions are switched on and off where the body deforms (section 4.7), every few steps.
  bool adapt(const RigState& rig) {
    const LatticeAdaptation& adaptation = body_->run.adaptation;
    if (!adaptation.on || state_.steps++ % adaptation.every != 0) return false;
    if (!choose_functions(*body_, pose_, rig.forces, state_)) return false;
    use_active_functions();
    return true;
  }

  std::shared_ptr<const LatticeBody> body_;
  ActiveFunctions active_;
  LatticePose pose_;
  mutable LatticePose measured_pose_;  // elasticity refers to it until the next step
  LatticeEquations equations_;
  LatticePreconditioner step_inverse_, static_inverse_;
  LatticeStepSolver step_solver_;
  std::optional<BlendedSteps> blended_;
  EnvironmentResponse response_;
  LatticeState state_;
  std::vector<Affine> bones_;   // at the last step
  std::vector<Vec3> position_;  // per function: p_{n+1} of the current step
  StepStatistics statistics_;
  std::vector<ConstraintError> constraint_errors_;
  std::vector<Vec3> loads_;  // per function, newtons, world; empty: none
  bool pushed_ = false;      // by loads or a change of gravity
  bool rigs_push_ = false;
};

}  // namespace

std::unique_ptr<LatticeBodyMotion> lattice_flesh(std::shared_ptr<const LatticeBody> body) {
  return std::make_unique<LatticeFlesh>(std::move(body));
}

}  // namespace sinew
