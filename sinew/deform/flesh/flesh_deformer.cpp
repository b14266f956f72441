#include "sinew/deform/flesh/flesh_deformer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/deform/snapshot_numbers.h"
#include "sinew/rig/bone_scale.h"
#include "sinew/rig/linear_blend.h"

namespace sinew {
namespace {

// Seconds in which limits make most of their way for a hand, which begins as smoothly (session/session.cpp). They come
// back in half a swing of the flesh, since what springs back by itself is not hurried.
constexpr double give_way_time = 0.02, swings_back = 0.5;
constexpr double no_ease = 1e-5;  // less is none

class FleshDeformer final : public Deformer {
 public:
  FleshDeformer(std::unique_ptr<BodyMotion> motion, std::unique_ptr<SurfaceCarrier> carrier,
                const SimulationSurface& surface, DeformerTraits traits, double mass, bool limit_yields)
      : motion_(std::move(motion)),
        carrier_(std::move(carrier)),
        surface_(surface),
        traits_(std::move(traits)),
        mass_(mass),
        limit_yields_(limit_yields) {
    traits_.step = motion_->step();
  }

  const DeformerTraits& traits() const override { return traits_; }

  std::span<const double> steps() const override {
    return motion_->steps().empty() ? Deformer::steps() : motion_->steps();
  }
  std::size_t chosen_step() const override { return motion_->chosen_step(); }
  void choose_step(std::size_t choice, const RigState& earlier) override { motion_->choose_step(choice, earlier); }

  void reset(const RigState& rig, const RigState& next) override {
    if (acted_) motion_->set_environment({});
    motion_->reset(rig, next);
    take_points();
    earlier_ = now_;
    earlier_ease_ = ease_ = 0;
    earlier_led_ = led_ = 0;
    acted_ = false;
  }

  void advance(const RigState& rig, const Environment& environment) override {
    if (acted_ || !environment.empty()) motion_->set_environment(environment);
    acted_ = !environment.empty();
    earlier_.swap(now_);
    motion_->advance(rig);
    take_points();
    ease_limits(rig, environment);
  }

  void carry(const RigCut& cut) override {
    motion_->carry(cut);
    take_points();
    earlier_ = now_;
    earlier_ease_ = ease_;
    earlier_led_ = led_;
  }

  void goal(const RigState& rig, std::span<Vec3> surface) override {
    linear_blend(surface_.rest.positions, surface_.influences, rig.bones, surface);
  }

  void displacements(const RigState& rig, double before, std::span<Vec3> surface) override {
    local_.resize(now_.size());
    between_steps(earlier_, now_, before, local_);
    limited_ = carrier_->displace(rig.bones, led_ + before * (earlier_led_ - led_), local_, surface);
    shrink_with_bones(surface_.influences, rig.bones, surface);
  }

  LastResorts last_resorts() const override { return {0, limited_}; }
  std::span<const Vec3> points() const override { return now_; }
  double led() const override {
    double most = 0;
    if (ease_ > 0)
      for (const std::vector<Vec3>* points : {&earlier_, &now_})
        for (const Vec3& u : *points) most = std::max(most, norm(u));
    return most;
  }
  double yielding(double before) const override { return ease_ + before * (earlier_ease_ - ease_); }
  BodyMeasures measure(const RigState& rig) override { return motion_->measure(rig); }
  const StepStatistics& statistics() const override { return motion_->statistics(); }
  std::span<const HeldMisfit> misfits() const override {
    return acted_ ? motion_->misfits() : std::span<const HeldMisfit>{};
  }

  void save(Snapshot& snapshot) const override {
    motion_->save(snapshot);
    append_vectors(snapshot.numbers, earlier_);
    snapshot.numbers.insert(snapshot.numbers.end(), {earlier_ease_, ease_, earlier_led_, led_});
  }

  void load(const Snapshot& snapshot, const RigState& rig, double reach) override {
    const std::size_t points = 3 * now_.size(), own = points + 4;
    if (snapshot.numbers.size() < own) SnapshotNumbers(snapshot.numbers).numbers(own);
    const std::span<const double> all(snapshot.numbers), state = all.first(all.size() - own);
    const std::span<const double> shown = all.last(4);
    for (std::size_t k = 0; k < 4; ++k)
      if (!(shown[k] >= 0 && shown[k] <= (k < 2 ? 1 : 2 * reach))) throw forged_state("how far its flesh is shown");
    check_within(state, largest_number(reach), "the state of its flesh");
    motion_->load({{state.begin(), state.end()}}, rig);
    take_points();
    earlier_ = SnapshotNumbers(all.last(own).first(points)).vectors(now_.size());
    if (limit_yields_) earlier_ease_ = shown[0], ease_ = shown[1], earlier_led_ = shown[2], led_ = shown[3];
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

  // Metres by which hands lead the skin that they hold away from the rig; obstacles have no limit.
  double led_by(const RigState& rig, const Environment& environment) const {
    double most = 0;
    if (!environment.colliders.empty())
      for (const Vec3& u : now_) most = std::max(most, norm(u));
    for (const HeldPoint& held : environment.held) {
      Vec3 way = held.target;
      for (std::size_t k = 0; k < 3; ++k) {
        if (held.spot.vertex[k] < 0) continue;
        const auto v = static_cast<std::size_t>(held.spot.vertex[k]);
        Vec3 goal;
        linear_blend({&surface_.rest.positions[v], 1}, {&surface_.influences[v], 1}, rig.bones, {&goal, 1});
        way -= held.spot.weight[k] * goal;
      }
      most = std::max(most, norm(way));
    }
    return most;
  }

  void ease_limits(const RigState& rig, const Environment& environment) {
    earlier_ease_ = ease_;
    earlier_led_ = led_;
    if (!limit_yields_) return;
    const bool led = !environment.held.empty() || !environment.colliders.empty();
    const auto share = [&](bool makes_way) {
      return 1 - std::exp(-motion_->step() / (makes_way ? give_way_time : swings_back * traits_.period));
    };
    ease_ += share(led) * ((led ? 1.0 : 0.0) - ease_);
    const double led_now = led ? led_by(rig, environment) : 0;
    led_ += share(led_now > led_) * (led_now - led_);
    if (!led && ease_ < no_ease) ease_ = led_ = 0;
  }

  // Of any number of a state: lengths, what changes these and their velocities over a step, and forces on the body's
  // mass.
  double largest_number(double reach) const {
    const double rate = 1 / step();
    return 10 * reach * std::max(1.0, rate * rate) * std::max(1.0, mass_);
  }

  std::unique_ptr<BodyMotion> motion_;
  std::unique_ptr<SurfaceCarrier> carrier_;
  const SimulationSurface& surface_;
  DeformerTraits traits_;
  double mass_;
  bool limit_yields_;
  double earlier_ease_ = 0, ease_ = 0;       // 0 to 1, by which bounds of edges make way for what leads, a step apart
  double earlier_led_ = 0, led_ = 0;         // metres, by which limits of displacements do
  double limited_ = 0;                       // share of the points, as displacements() had them last
  bool acted_ = false;                       // something, over the last step
  std::vector<Vec3> earlier_, now_, local_;  // of the body's points, a step apart, and between
};

}  // namespace

std::unique_ptr<Deformer> flesh_deformer(std::unique_ptr<BodyMotion> motion, std::unique_ptr<SurfaceCarrier> carrier,
                                         const SimulationSurface& surface, DeformerTraits traits, double mass,
                                         bool limit_yields) {
  return std::make_unique<FleshDeformer>(std::move(motion), std::move(carrier), surface, std::move(traits), mass,
                                         limit_yields);
}

}  // namespace sinew
