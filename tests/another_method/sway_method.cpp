#include "tests/another_method/sway_method.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "sinew/character/fingerprint.h"
#include "sinew/deform/cook_stage.h"
#include "sinew/deform/settings_fingerprint.h"
#include "sinew/deform/snapshot_numbers.h"
#include "sinew/rig/linear_blend.h"

namespace sinew::test {
namespace {

constexpr double sway_step = 1.0 / 120;

struct Prepared {
  SimulationSurface surface;
};
using PreparedStage = CookStage<std::shared_ptr<const Prepared>>;

// The surface depends on no setting.
StageKey key_of(const CookInput& input) {
  static const SettingsTable none;
  return stage_key({none, nullptr}, Recooks::everything, {input.revision.skin, 0});
}

class SwayDeformer final : public Deformer {
 public:
  SwayDeformer(std::shared_ptr<const Prepared> prepared, const SwaySettings& settings)
      : prepared_(std::move(prepared)), settings_(settings) {
    traits_.step = sway_step;
    traits_.has_volume = false;
  }

  const DeformerTraits& traits() const override { return traits_; }
  void reset(const RigState& rig, const RigState&) override {
    place_ = before_ = middle(rig);
    velocity_ = {};
  }
  void advance(const RigState& rig, const Environment&) override {
    const double omega = 2 * std::numbers::pi * settings_.frequency;
    const Vec3 pull = (middle(rig) - place_) * (omega * omega) - velocity_ * (2 * settings_.damping * omega);
    before_ = place_;
    velocity_ += pull * sway_step;
    place_ += velocity_ * sway_step;
    note(rig);
  }
  void goal(const RigState& rig, std::span<Vec3> surface) override {
    linear_blend(prepared_->surface.rest.positions, prepared_->surface.influences, rig.bones, surface);
  }
  void displacements(const RigState& rig, double before, std::span<Vec3> surface) override {
    const Vec3 off = place_ + (before_ - place_) * before - middle(rig);
    std::fill(surface.begin(), surface.end(), off);
  }
  std::span<const Vec3> points() const override { return {&off_, 1}; }
  void save(Snapshot& snapshot) const override {
    append_vectors(snapshot.numbers, std::array{place_, before_, velocity_});
  }
  void load(const Snapshot& snapshot, const RigState& rig, double) override {
    SnapshotNumbers take(snapshot.numbers);
    const std::vector<Vec3> state = take.vectors(3);
    take.finish();
    place_ = state[0], before_ = state[1], velocity_ = state[2];
    note(rig);
  }

 private:
  static Vec3 middle(const RigState& rig) { return rig.bones.back().translation; }
  void note(const RigState& rig) { off_ = place_ - middle(rig); }

  std::shared_ptr<const Prepared> prepared_;
  SwaySettings settings_;
  DeformerTraits traits_;
  Vec3 place_, before_, velocity_, off_;
};

}  // namespace

int SwayMethod::preparations = 0;

SettingsTable SwaySettings::describe() {
  return {
      {.key = "sway_frequency",
       .value = &SwaySettings::frequency,
       .help = "How often it sways in a second",
       .range = between(0.1, 20),
       .option = OnCommandLine::rare,
       .recooks = Recooks::run},
      {.key = "sway_damping",
       .value = &SwaySettings::damping,
       .help = "Ratio to critical damping",
       .range = between(0, 10),
       .option = OnCommandLine::rare,
       .recooks = Recooks::run},
  };
}

Scene SwayMethod::cook(const CookInput& input, CookCache& cache, const Progress&) const {
  const std::shared_ptr<const Prepared> prepared = cache.of<PreparedStage>().get(key_of(input), [&](const auto*) {
    ++preparations;
    return std::make_shared<const Prepared>(Prepared{simulation_surface(input.character)});
  });
  Scene scene{name(), "swaying", {prepared, &prepared->surface}, prepared->surface.bones};
  scene.height = standing_height(prepared->surface);
  Fingerprint print;
  print.add(prepared->surface.rest.positions);
  add_settings(print, settings_of(values));
  scene.fingerprint = print.value();
  scene.bare = [prepared, settings = values] { return std::make_unique<SwayDeformer>(prepared, settings); };
  return scene;
}

bool SwayMethod::is_quick(const CookInput& input, const CookCache& cache) const {
  const PreparedStage* kept = cache.find<PreparedStage>();
  return kept && kept->has(key_of(input));
}

}  // namespace sinew::test
