#include "sinew/deform/flesh/flesh_deformer.h"

#include <algorithm>
#include <utility>

#include "sinew/deform/snapshot_numbers.h"
#include "sinew/rig/skinned_points.h"

namespace sinew {
namespace {

class FleshDeformer final : public Deformer, public EmbeddedSurface {
 public:
  FleshDeformer(std::unique_ptr<BodyMotion> motion, std::unique_ptr<SurfaceCarrier> carrier,
                const SimulationSurface& surface, DeformerTraits traits, double mass)
      : motion_(std::move(motion)),
        carrier_(std::move(carrier)),
        surface_(surface),
        traits_(std::move(traits)),
        mass_(mass) {
    traits_.step = motion_->step();
    traits_.steps.assign(motion_->steps().begin(), motion_->steps().end());
  }

  const DeformerTraits& traits() const override { return traits_; }
  std::size_t chosen_step() const override { return motion_->chosen_step(); }
  void choose_step(std::size_t choice, const RigState& earlier) override { motion_->choose_step(choice, earlier); }

  void reset(const RigState& rig, const RigState& next) override {
    if (acted_ || friction_ > 0) motion_->set_environment({});
    friction_ = 0;
    motion_->reset(rig, next);
    take_points();
    earlier_ = now_;
    acted_ = false;
  }

  void advance(const RigState& rig, const Environment& environment) override {
    if (acted_ || !environment.empty() || environment.friction != friction_) motion_->set_environment(environment);
    acted_ = !environment.empty();
    friction_ = environment.friction;
    earlier_.swap(now_);
    motion_->advance(rig);
    take_points();
  }

  void carry(const RigCut& cut) override {
    motion_->carry(cut);
    take_points();
    earlier_ = now_;
  }

  void goal(const RigState& rig, std::span<Vec3> surface) override {
    pose_points(skin_of(surface_), rig.bones, surface);
  }

  void displacements(const RigState& rig, double before, std::span<Vec3> surface) override {
    local_.resize(now_.size());
    between_steps(earlier_, now_, before, local_);
    displace(rig, local_, surface);
  }

  std::span<const Vec3> points() const override { return now_; }
  EmbeddedSurface* embedded() override { return this; }
  std::span<const Vec3> earlier_points() const override { return earlier_; }
  void displace(const RigState& rig, std::span<const Vec3> points, std::span<Vec3> surface) override {
    carrier_->displace(rig.bones, points, surface);
  }

  BodyMeasures measure(const RigState& rig) override { return motion_->measure(rig); }
  StepStatistics statistics() const override {
    StepStatistics statistics = motion_->statistics();
    if (acted_) statistics.constraint_errors = motion_->constraint_errors();
    if (acted_) statistics.balls = motion_->ball_pushes();
    return statistics;
  }

  void save(Snapshot& snapshot) const override {
    motion_->save(snapshot);
    append_vectors(snapshot.numbers, earlier_);
  }

  void load(const Snapshot& snapshot, const RigState& rig, double reach) override {
    const std::size_t points = 3 * now_.size();
    const std::span<const double> all(snapshot.numbers);
    if (all.size() < points) SnapshotNumbers(all).numbers(points);
    const std::span<const double> state = all.first(all.size() - points);
    check_within(state, largest_number(reach), "the state of its flesh");
    motion_->load({{state.begin(), state.end()}}, rig);
    take_points();
    earlier_ = SnapshotNumbers(all.last(points)).vectors(now_.size());
    for (const std::vector<Vec3>* displacements : {&now_, &earlier_})
      check_within(*displacements, 2 * reach, "where its flesh is");
    acted_ = true;  // nobody knows what did
  }

  void take_over(const Snapshot& snapshot, const RigState& rig, const RigState&, double reach) override {
    motion_->follow(rig);  // no equilibrium is asked for, which takes longer than all else
    take_points();
    load(snapshot, rig, reach);
    motion_->find_forces();
  }

 private:
  void take_points() { now_.assign(motion_->local_displacements().begin(), motion_->local_displacements().end()); }

  // Bound on any number of a state: lengths, what changes these and their velocities over a step, and forces on the
  // body's mass.
  double largest_number(double reach) const {
    const double rate = 1 / step();
    return 10 * reach * std::max(1.0, rate * rate) * std::max(1.0, mass_);
  }

  std::unique_ptr<BodyMotion> motion_;
  std::unique_ptr<SurfaceCarrier> carrier_;
  const SimulationSurface& surface_;
  DeformerTraits traits_;
  double mass_;
  bool acted_ = false;                       // something, over the last step
  double friction_ = 0;                      // in the last step; skin rubs on skin where nothing else acts
  std::vector<Vec3> earlier_, now_, local_;  // of the body's points, a step apart, and between
};

}  // namespace

std::unique_ptr<Deformer> flesh_deformer(std::unique_ptr<BodyMotion> motion, std::unique_ptr<SurfaceCarrier> carrier,
                                         const SimulationSurface& surface, DeformerTraits traits, double mass) {
  return std::make_unique<FleshDeformer>(std::move(motion), std::move(carrier), surface, std::move(traits), mass);
}

}  // namespace sinew
