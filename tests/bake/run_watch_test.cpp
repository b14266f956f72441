// The watch over runs: it ends those whose numbers went wrong, each for its reason, and no other.
#include "sinew/bake/run_watch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "sinew/base/error.h"
#include "tests/bake/tube_character.h"
#include "tests/base/refusal.h"

namespace sinew {
namespace {

using namespace test;

// A tube one metre high, whose surface is moved by `displacement` from frame to frame.
class Watched : public ::testing::Test {
 protected:
  Watched() : character_(tube_character()), surface_(simulation_surface(character_)) {
    run_.clip = "swing";
    run_.height = 1;
    run_.period = 0.5;
    run_.least_energy = 1e-3;
    run_.state_joint = {"lower", "upper"};
    displacement_.resize(surface_.rest.positions.size());
  }

  // The sentence that frames 0, 1, ... 199, 30 to the second, end with; empty: none.
  std::string sentence(const std::function<void(int, WatchedFrame&)>& fill) {
    RunWatch watch(character_, surface_, run_);
    try {
      for (int k = 0; k < 200; ++k) {
        WatchedFrame frame;
        frame.time = frame.elapsed = k / 30.0;
        frame.displacement = displacement_;
        fill(k, frame);
        watch.look(frame);
      }
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::simulation);
      return error.what();
    }
    return {};
  }

  Character character_;
  SimulationSurface surface_;
  WatchedRun run_;
  std::vector<Vec3> displacement_;
};

void expect_part(const std::string& sentence, const std::string& part) {
  EXPECT_NE(sentence.find(part), std::string::npos) << sentence;
}

TEST_F(Watched, FleshThatSwingsGoesOn) {
  std::vector<Vec3> state(2);
  EXPECT_EQ(sentence([&](int k, WatchedFrame& frame) {
              const double swing = std::exp(-k / 30.0) * std::sin(0.3 * k);
              for (std::size_t v = 0; v < displacement_.size(); ++v)
                displacement_[v] = {0.1 * swing * std::sin(30 * surface_.rest.positions[v].y), 0, 0.1 * swing};
              state[1] = {0.3 * swing, 0, 0};
              frame.state = state;
              frame.energy = 50 * swing * swing;
              frame.still = true;
              frame.volume_ratio = 1 + 0.5 * swing;
            }),
            "");
}

TEST_F(Watched, ASpikeEndsTheRun) {
  const std::string what = sentence([&](int k, WatchedFrame&) { displacement_[100] = {k < 60 ? 0.0 : 0.45, 0, 0}; });
  expect_part(what, "tube: clip 'swing' at 2 s: vertex ");
  expect_part(what, " of 'tube', near joint '");
  expect_part(what, "0.45 m away from its neighbour");
}

TEST_F(Watched, FleshThatLeavesTheCharacterEndsTheRun) {
  const auto all_go = [&](int k, WatchedFrame&) {
    std::fill(displacement_.begin(), displacement_.end(), Vec3{0, 0.01 * k, 0});
  };
  expect_part(sentence(all_go),
              "at 1.7 s: vertex 0 of 'tube', near joint 'lower', is 0.51 m from where the rig has it");
  // A hand that leads it may take it there, and a rig that enlarges the character enlarges all of it.
  EXPECT_EQ(sentence([&](int k, WatchedFrame& frame) {
              all_go(k, frame);
              frame.driven = 0.01 * k;
            }),
            "");
  EXPECT_EQ(sentence([&](int k, WatchedFrame& frame) {
              all_go(k, frame);
              frame.stretch = 5;
            }),
            "");
}

// What is shown is limited, so that it does not tell.
TEST_F(Watched, AStateOutOfBoundsEndsTheRun) {
  std::vector<Vec3> state(2);
  const std::string what = sentence([&](int k, WatchedFrame& frame) {
    state[1] = {0, 0, 0.1 * k};
    frame.state = state;
  });
  expect_part(what, "at 1.7 s: vertex 1 of the body, near joint 'upper', is 5.1 m from where the rig has it");
  state[1] = {};
  expect_part(sentence([&](int k, WatchedFrame& frame) {
                state[0].y = k == 3 ? std::nan("") : 0;
                frame.state = state;
              }),
              "at 0.1 s: vertex 0 of the body");
}

TEST_F(Watched, ABodyThatStaysInsideOutEndsTheRun) {
  const auto inside_out = [](int from, int to) {
    return [from, to](int k, WatchedFrame& frame) { frame.volume_ratio = k >= from && k < to ? -0.4 : 1; };
  };
  EXPECT_EQ(sentence(inside_out(30, 31)), "");
  const std::string what = sentence(inside_out(30, 60));
  expect_part(what, "at 1.03 s: the body has turned inside out, to -40 % of its volume");
  expect_part(what, "near joint '");
}

TEST_F(Watched, EnergyFromNowhereEndsTheRun) {
  const auto grows = [](double rate, bool still) {
    return [rate, still](int k, WatchedFrame& frame) {
      frame.energy = 1e-3 * std::exp(rate * k / 30.0) * (1.01 + std::sin(0.5 * k));
      frame.still = still;
    };
  };
  expect_part(sentence(grows(3, true)), "the flesh gets energy from nowhere");
  EXPECT_EQ(sentence(grows(3, false)), "");  // the rig gives it
  EXPECT_EQ(sentence(grows(0, true)), "");   // within a swing
  EXPECT_EQ(sentence(grows(-1, true)), "");
  run_.least_energy = 1e9;
  EXPECT_EQ(sentence(grows(3, true)), "");  // next to none
}

TEST(LargestStretch, IsThatOfTheBones) {
  std::vector<Affine> bones(2);
  EXPECT_EQ(largest_stretch(bones), 1);
  bones[1].linear = Mat3::identity() * 0.1;
  EXPECT_EQ(largest_stretch(bones), 1);
  EXPECT_TRUE(any_collapsed(bones));
  bones[1].linear = Mat3::identity() * -3.0;
  EXPECT_NEAR(largest_stretch(bones), 3, 1e-12);
  EXPECT_TRUE(any_collapsed(bones));
  bones[1].linear = Mat3::identity() * 0.5;
  EXPECT_FALSE(any_collapsed(bones));
}

TEST(EnclosedVolumeRatio, TellsInsideOutAndLeavesSheetsAlone) {
  const SimulationSurface surface = simulation_surface(tube_character());
  const std::vector<Vec3>& rest = surface.rest.positions;
  const auto scaled = [&](const Vec3& by) {
    std::vector<Vec3> x = rest;
    for (Vec3& p : x) p = {by.x * p.x, by.y * p.y, by.z * p.z};
    return x;
  };
  EXPECT_NEAR(enclosed_volume_ratio(surface.rest, rest, scaled({2, 1, 1})), 2, 1e-12);
  EXPECT_NEAR(enclosed_volume_ratio(surface.rest, rest, scaled({-1, 1, 1})), -1, 1e-12);
  EXPECT_EQ(enclosed_volume_ratio(surface.rest, scaled({1e-4, 1, 1}), rest), 1);
}

// Through a whole run: damping that feeds the flesh instead.
TEST(WatchedBake, FleshThatFeedsItselfEndsTheRun) {
  Character character = tube_character();
  Clip& clip = character.clips[1];  // moves for a quarter of a second, then stands
  for (Channel& channel : clip.channels)
    if (channel.path == ChannelPath::translation)
      for (double& value : channel.values) value *= 1e-2;
    else
      for (std::size_t k = 0; k < channel.values.size(); ++k) channel.values[k] = k % 4 == 3 ? 1 : 0;
  FleshSettings settings = quick_settings();
  settings.elasticity = Elasticity::linear;  // stiffening would bound the motion
  CookedFlesh scene = prepare_flesh(character, settings);
  EXPECT_NO_THROW(bake_flesh(character, scene, settings, options_for(1)));
  FleshBody body = assemble_flesh(scene.body->description);
  body.description.mass_damping = -8;
  body.description.stiffness_damping = 0;
  scene.body = cook_flesh(std::move(body), scene.body->dynamics);
  const std::string what =
      refusal(ErrorKind::simulation, [&] { bake_flesh(character, scene, settings, options_for(1)); });
  expect_part(what, "tube: clip 'stop' at ");
  expect_part(what, "energy from nowhere");
}

}  // namespace
}  // namespace sinew
