// Modes of a body against the flesh that they are of: a bar that one end holds, hopping by a few centimetres.
#include "sinew/cook/surface/body_modes.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/deform/surface/fit/build_surface_model.h"
#include "sinew/deform/surface/fit/fit_modes.h"
#include "sinew/deform/surface/surface_modes.h"
#include "sinew/jobs/fit/surface_examples.h"
#include "tests/bake/tube_character.h"

namespace sinew {
namespace {

double eased(double t) {
  t = std::clamp(t, 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

// There and back, then turned a little; the bar has no bone but in its lower half.
Character hopping_bar() {
  Character character = test::tube_character();
  Clip clip;
  clip.name = "hop";
  clip.end = 3;
  Channel move{1, ChannelPath::translation, Interpolation::linear, {}, 3, {}},
      turn{1, ChannelPath::rotation, Interpolation::linear, {}, 4, {}};
  for (int k = 0; k <= 360; ++k) {
    const double t = k / 120.0;
    const double x = 0.03 * (eased((t - 0.1) / 0.2) - eased((t - 0.9) / 0.15)), z = 0.03 * eased((t - 0.5) / 0.25);
    const double angle = 0.02 * eased((t - 1.7) / 0.2);
    for (Channel* channel : {&move, &turn}) channel->times.push_back(t);
    move.values.insert(move.values.end(), {x, 0, z});
    turn.values.insert(turn.values.end(), {std::sin(angle / 2), 0, 0, std::cos(angle / 2)});
  }
  clip.channels = {move, turn};
  character.clips = {clip};
  return character;
}

FleshSettings bar_settings() {
  FleshSettings settings = test::look_settings();
  settings.limit = 10;
  settings.young = 4.63e6;  // sags by a hundredth
  settings.damping = 0.05;
  settings.bone_hold = 0;
  settings.tetrahedra = 5000;
  settings.core = 0.6;
  settings.joints.push_back({.joints = "upper", .core = 0});
  return settings;
}

struct Bar {
  Character character = hopping_bar();
  CookedFlesh scene = prepare_flesh(character, bar_settings());
  SurfaceModel model;
  SurfaceExample example;

  Bar() {
    SurfaceModelOptions options;
    options.height = scene.height;
    model = build_surface_model(character, scene.surface, options);
    const BakeOptions bake = test::options_for(0, 60);
    example.motion = sample_motion(character, scene.surface, bake, model.step);
    const BakeResult flesh = test::bake_flesh(character, scene, bar_settings(), bake);
    example.offset = at_steps(offsets_of(scene.surface, flesh.recording), model.rest.size(), model.step,
                              example.motion.bones.size());
  }
};

double squares(const std::vector<float>& values) {
  double sum = 0;
  for (const float v : values) sum += static_cast<double>(v) * static_cast<double>(v);
  return sum;
}

TEST(BodyModes, MoveABarAsItsFleshDoes) {
  const Bar bar;
  SurfaceModel model = bar.model;
  model.modes = body_modes(bar.scene, 12, 12);
  ASSERT_GE(model.modes.size(), 2u);
  // A bar bends both ways at one frequency; its free half is half a metre long.
  EXPECT_NEAR(model.modes[1].frequency, model.modes[0].frequency, 0.05 * model.modes[0].frequency);
  for (const SurfaceMode& mode : model.modes) {
    double longest = 0;
    for (const Vec3& d : mode.shape) longest = std::max(longest, norm(d));
    EXPECT_NEAR(longest, 1, 1e-12);
  }
  // No number is fitted: shapes, frequencies, damping and what bones do to them are the body's own.
  SurfaceExample left = bar.example;
  take_modes(model, left);
  const double share = std::sqrt(squares(left.offset) / squares(bar.example.offset));
  std::printf("a bar's own %zu modes from %.2f Hz leave %.1f %% of what flesh does\n", model.modes.size(),
              model.modes[0].frequency, 100 * share);
  EXPECT_LT(share, 0.06);
}

TEST(BodyModes, FittedToTheBarTheyKeepTheirGain) {
  const Bar bar;
  const ModeFit fit = fit_modes(bar.model, body_modes(bar.scene, 12, 12), std::span(&bar.example, 1), 8);
  ASSERT_GE(fit.modes.size(), 2u);
  EXPECT_GT(fit.removed, 0.99);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_NEAR(fit.gain[k], 1, 0.1);
    // Half of the ratio from mass, half from stiffness: more below and above the flesh's own frequency.
    EXPECT_NEAR(fit.modes[k].damping_ratio, 0.05, 0.02);
  }
}

// Where nothing is left above the highest frequency there is nothing to be had.
TEST(BodyModes, NoneAboveTheHighestFrequency) {
  const Bar bar;
  EXPECT_TRUE(body_modes(bar.scene, 4, 0.5).empty());
  EXPECT_TRUE(body_modes(bar.scene, 0, 100).empty());
}

}  // namespace
}  // namespace sinew
