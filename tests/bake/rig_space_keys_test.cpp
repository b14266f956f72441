// Rig-space physics of controls that the clip keys: they lag, ring about their keys, and come back to them.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "tests/bake/rig_space_scenes.h"
#include "tests/base/refusal.h"

namespace sinew {
namespace {

using namespace test;

// A clip that turns the upper half of the tube by `angle` about z over `seconds`, at an even pace, from `begin` on; the
// root is pushed aside at once where `push` is more than nothing.
Character turning_tube(double begin, double angle, double seconds, double push = 0) {
  Character character = tube_character();
  Clip clip;
  clip.name = "turn";
  clip.end = seconds;
  const auto quaternion = [](double a) { return std::vector<double>{0, 0, std::sin(a / 2), std::cos(a / 2)}; };
  Channel turn{2, ChannelPath::rotation, Interpolation::linear, {0, seconds}, 4, quaternion(begin)};
  const std::vector<double> last = quaternion(begin + angle);
  turn.values.insert(turn.values.end(), last.begin(), last.end());
  clip.channels = {turn};
  if (push > 0)
    clip.channels.push_back(
        {1, ChannelPath::translation, Interpolation::linear, {0, 0.02, seconds}, 3, {0, 0, 0, push, 0, 0, push, 0, 0}});
  character.clips = {clip};
  return character;
}

// The animator is right: where nothing is thrown about, keys are what they were, whatever pose they hold.
TEST(RigSpaceBake, ASlowClipLeavesItsKeysAsTheyAre) {
  const Character character = turning_tube(0.4, 0.5, 120);
  const RigSpaceSettings settings = quick({"upper"});
  const CookedRigSpace scene = cooked(character, settings);
  BakeOptions options = options_for(0);
  options.end = 4;
  const BakeResult result = baked(character, scene, settings, options);
  ASSERT_EQ(result.curves->parameters.size(), 6u);
  for (std::size_t i = 0; i < result.curves->values.size(); ++i) {
    const RigParameter& parameter = scene.rig->parameters()[at(result.curves->parameters[i % 6])];
    EXPECT_LT(std::abs(result.curves->values[i]), 1e-6 * (parameter.upper - parameter.lower)) << parameter.name;
  }
}

// How the upper half rings about `keyed` radians after a push of the root, or about nothing that is keyed.
Ringing ringing_about(std::optional<double> keyed, RigSpaceSettings settings, double seconds) {
  Character character = turning_tube(keyed.value_or(0), 0, 3, 0.01);
  if (!keyed) character.clips[0].channels.erase(character.clips[0].channels.begin());
  settings.damping = 0.08;
  const CookedRigSpace scene = cooked(character, settings);
  BakeOptions options = options_for(0, 250);
  options.end = seconds;
  const BakeResult result = baked(character, scene, settings, options);
  EXPECT_GT(largest_curve(result), 1e-3);
  return ringing(result.curves->values, 250);
}

// Shaken, it swings about its keys as the same body does that nobody keyed.
TEST(RigSpaceBake, RingsAboutItsKeysAsWithoutThem) {
  RigSpaceSettings settings = quick({"upper.rotation.z"});
  settings.step = 0.004;
  const Ringing free = ringing_about({}, settings, 1.2), held = ringing_about(0.01, settings, 1.2);
  EXPECT_GT(free.frequency, 0);
  EXPECT_NEAR(held.frequency, free.frequency, 1e-3 * free.frequency);
  EXPECT_NEAR(held.damping, free.damping, 0.01 * free.damping);
  // Bent by its keys it is another body, and a stiffer one: as much so as with its inside solved for.
  RigSpaceSettings exact = settings;
  exact.inside = InteriorVertices::equilibrium;
  exact.young = 8.5e5;
  const double stiffer = ringing_about(0.3, exact, 0.6).frequency / ringing_about({}, exact, 0.6).frequency;
  EXPECT_GT(stiffer, 1.05);
  EXPECT_NEAR(ringing_about(0.3, settings, 1.2).frequency / free.frequency, stiffer, 0.03);
}

// A bend that stops lets the flesh go on, and it gets back.
TEST(RigSpaceBake, KeyedControlsLag) {
  const Character character = tube_character();
  const RigSpaceSettings settings = quick({"upper"});
  const CookedRigSpace scene = cooked(character, settings);
  const BakeResult stop = baked(character, scene, settings, options_for(1));
  EXPECT_GT(largest_curve(stop), 0.02);
  for (std::size_t i = stop.curves->values.size() - 6; i < stop.curves->values.size(); ++i)
    EXPECT_LT(std::abs(stop.curves->values[i]), 1e-6);
  // Offsets close in a loop as values do.
  BakeOptions options = options_for(0);
  options.loop = Loop::on;
  const BakeResult loop = baked(character, scene, settings, options);
  const std::vector<double>& values = loop.curves->values;
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(values[i], values[values.size() - 6 + i], 1e-9 * largest_curve(loop));
}

// Where the modelled body is without stress there is no goal for keys to be.
TEST(RigSpaceBake, TheElasticReferenceWantsNoKeys) {
  Character character = tube_character();
  RigSpaceSettings settings = quick({"upper"});
  settings.reference = Reference::elastic;
  const CookedRigSpace scene = cooked(character, settings);
  const std::string words = refusal(ErrorKind::input, [&] { baked(character, scene, settings, options_for(0)); });
  EXPECT_NE(words.find("clip 'swing' moves what is to be free: 'upper.rotation.z'"), std::string::npos) << words;
  // Keys that leave it at rest, as exporters write them, hold nothing.
  for (Channel& channel : character.clips[0].channels)
    if (channel.joint == 2)
      for (std::size_t k = 0; k < channel.times.size(); ++k)
        for (std::size_t c = 0; c < 4; ++c) channel.values[4 * k + c] = c == 3 ? 1 : 0;
  const CookedRigSpace again = cooked(character, settings);
  EXPECT_GT(largest_curve(baked(character, again, settings, options_for(0))), 1e-3);
}

}  // namespace
}  // namespace sinew
