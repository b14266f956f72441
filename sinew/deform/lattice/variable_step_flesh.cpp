#include "sinew/deform/lattice/variable_step_flesh.h"

#include <cmath>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/deform/lattice/lattice_pose.h"
#include "sinew/deform/lattice/lattice_state.h"

namespace sinew {
namespace {

// Tolerance, in steps, of "a whole multiple".
constexpr double rounding = 1e-9;

// Converts the history in `state` to a step `ratio` times as long; positions, velocities, accelerations and forces do
// not depend on the step. Displacements one step ago are extrapolated along a line through the last two, which keeps
// their rate of change to rounding. `before`: pose of the skeleton at that time.
void change_step(const LatticePose& before, double ratio, LatticeState& state) {
  const VertexFrames& frames = before.functions;
  for (std::size_t f = 0; f < state.position.size(); ++f) {
    const Vec3& u = state.displacement[f];
    state.previous_displacement[f] = u - ratio * (u - state.previous_displacement[f]);
    state.previous_position[f] = frames.goal[f] + frames.rotation[f] * state.previous_displacement[f];
  }
}

class Bank final : public LatticeBodyMotion {
 public:
  explicit Bank(std::vector<std::shared_ptr<const LatticeBody>> bodies) : bodies_(std::move(bodies)) {
    for (std::size_t k = 0; k < bodies_.size(); ++k) {
      steps_.push_back(bodies_[k]->method.step);
      const double multiple = steps_[k] / steps_[0];
      if (bodies_[k]->description.role.size() != bodies_[0]->description.role.size() ||
          (k > 0 && !(steps_[k] > steps_[k - 1])) || std::abs(multiple - std::round(multiple)) > rounding * multiple)
        throw usage_error(
            "steps that change: the bodies for different steps must be of one flesh, by ascending step, and each step "
            "a "
            "multiple of the first.");
      flesh_.push_back(lattice_flesh(bodies_[k]));
    }
    if (flesh_.empty()) throw usage_error("steps that change: there is no body to step.");
  }

  double step() const override { return steps_[choice_]; }
  std::span<const double> steps() const override { return steps_; }
  std::size_t chosen_step() const override { return choice_; }

  void choose_step(std::size_t choice, const RigState& earlier) override {
    if (choice == choice_) return;
    Snapshot snapshot;
    flesh().save(snapshot);
    LatticeState state = lattice_state(bodies_[0]->description.role.size());
    load_state(snapshot, state);
    predict_pose(bodies_[0]->description, earlier.bones, pose_);
    change_step(pose_, steps_[choice] / steps_[choice_], state);
    save_state(state, snapshot);
    choice_ = choice;
    RigState now = earlier;
    now.time += steps_[choice];
    now.bones = bones_;
    flesh().load(snapshot, now);
    flesh().set_environment(environment_);
  }

  void reset(const RigState& rig, const RigState& next) override {
    choose_first();
    keep_bones(rig);
    flesh().reset(rig, next);
  }
  void follow(const RigState& rig) override {
    choose_first();
    keep_bones(rig);
    flesh().follow(rig);
  }
  void advance(const RigState& rig) override {
    keep_bones(rig);
    flesh().advance(rig);
  }
  void carry(const RigCut& cut) override {
    keep_bones(cut.entered);
    flesh().carry(cut);
  }
  std::span<const Vec3> local_displacements() const override { return flesh().local_displacements(); }
  BodyMeasures measure(const RigState& rig) const override { return flesh().measure(rig); }
  const StepStatistics& statistics() const override { return flesh().statistics(); }

  void save(Snapshot& snapshot) const override {
    flesh().save(snapshot);
    snapshot.numbers.push_back(static_cast<double>(choice_));
  }
  void load(const Snapshot& snapshot, const RigState& rig) override {
    Snapshot state = snapshot;
    const double choice = state.numbers.empty() ? -1 : state.numbers.back();
    if (!(choice >= 0 && choice < static_cast<double>(steps_.size())))
      throw input_error("the checkpoint holds another body's state; start the run again without --resume.");
    state.numbers.pop_back();
    choice_ = static_cast<std::size_t>(choice);
    keep_bones(rig);
    flesh().load(state, rig);
  }

  void set_environment(const Environment& environment) override {
    environment_ = environment;
    flesh().set_environment(environment);
  }
  Vec3 place_of(const SurfacePoint& point, std::span<const Affine> bones) const override {
    return flesh().place_of(point, bones);
  }
  std::span<const ConstraintError> constraint_errors() const override { return flesh().constraint_errors(); }
  std::span<const BallPush> ball_pushes() const override { return flesh().ball_pushes(); }

 private:
  void choose_first() {
    if (choice_ == 0) return;
    choice_ = 0;
    flesh().set_environment(environment_);
  }

  void keep_bones(const RigState& rig) { bones_.assign(rig.bones.begin(), rig.bones.end()); }

  LatticeBodyMotion& flesh() { return *flesh_[choice_]; }
  const LatticeBodyMotion& flesh() const { return *flesh_[choice_]; }

  std::vector<std::shared_ptr<const LatticeBody>> bodies_;
  std::vector<double> steps_;
  std::vector<std::unique_ptr<LatticeBodyMotion>> flesh_;
  std::size_t choice_ = 0;
  std::vector<Affine> bones_;  // at the last step
  Environment environment_;
  LatticePose pose_;
};

}  // namespace

std::unique_ptr<LatticeBodyMotion> variable_step_flesh(std::vector<std::shared_ptr<const LatticeBody>> bodies) {
  return std::make_unique<Bank>(std::move(bodies));
}

std::vector<std::shared_ptr<const LatticeBody>> cook_for_steps(std::shared_ptr<const LatticeBody> body,
                                                               double longest) {
  std::vector<std::shared_ptr<const LatticeBody>> bodies{body};
  for (double step = 2 * body->dynamics.step; step <= longest * (1 + rounding); step *= 2) {
    FleshDynamics dynamics = body->dynamics;
    dynamics.step = step;
    bodies.push_back(
        cook_lattice(body->description, body->systems, body->stiffness, body->reference, body->run, dynamics));
  }
  return bodies;
}

}  // namespace sinew
