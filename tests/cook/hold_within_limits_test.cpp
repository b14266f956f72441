// Springs that keep flesh within its limits: what the estimate says of them, and what a bake does.
#include "sinew/cook/flesh/hold_within_limits.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "sinew/cook/flesh/decide_material.h"
#include "sinew/cook/flesh/visible_amplitude.h"
#include "tests/bake/tube_character.h"

namespace sinew {
namespace {

using namespace test;

constexpr double damping_ratio = 0.2;

// The tube, thrown about `times` as far.
Character thrown(double times) {
  Character character = tube_character();
  for (Clip& clip : character.clips)
    for (Channel& channel : clip.channels)
      if (channel.path == ChannelPath::translation)
        for (double& value : channel.values) value *= times;
  return character;
}

TEST(HoldWithinLimits, FleshThatIsCalmIsNotHeld) {
  const Character character = thrown(0.01);
  const FleshBase base = prepare_flesh_base(character, look_settings());
  const std::vector<double> hold = hold_within_limits(base, base.cooked.surface, base.assembled, 1e-4, damping_ratio);
  EXPECT_EQ(*std::max_element(hold.begin(), hold.end()), 0);
}

// Where one bone carries it, what is held swings as far as its reach says: its softness goes down by that much.
TEST(HoldWithinLimits, FleshThatIsThrownIsHeldWithinItsReach) {
  const Character character = thrown(20);
  const FleshBase base = prepare_flesh_base(character, look_settings());
  const double sag = 0.02;
  const std::vector<double> hold = hold_within_limits(base, base.cooked.surface, base.assembled, sag, damping_ratio);
  EXPECT_GT(*std::max_element(hold.begin(), hold.end()), 0);
  const std::vector<Swing> loose = sampled_swings(base, base.assembled, sag),
                           held = sampled_swings(base, base.assembled, sag, hold);
  const std::vector<double> before = lively_swings(base.motion, loose, damping_ratio);
  int beyond = 0;
  for (std::size_t p = 0; p < held.size(); ++p) {
    if (!(loose[p].sag > 0)) continue;
    beyond += before[p] > 1.5 * held[p].reach;
    // As if it swung in proportion to its sag.
    EXPECT_LT(before[p] * held[p].sag / loose[p].sag, 1.5 * held[p].reach) << p;
    EXPECT_LE(held[p].sag, loose[p].sag);
  }
  EXPECT_GT(beyond, 10);
}

// The limits of what is shown are a last resort: they shorten less than where nothing holds the same flesh. It is
// thrown too far for a look to keep it in by its softness alone.
TEST(HoldWithinLimits, LimitsHaveLessToDo) {
  const Character character = thrown(40);
  FleshSettings look = look_settings();
  look.elasticity = Elasticity::linear;  // stiffening leaves limits nothing to do
  const CookedFlesh scene = prepare_flesh(character, look);
  FleshSettings as_soft = look;  // somebody's own modulus is nobody else's to hold
  as_soft.young = scene.material.young;
  const auto limited = [&](const CookedFlesh& cooked, const FleshSettings& settings) {
    const BakeResult result = bake_flesh(character, cooked, settings, options_for(0));
    double sum = 0;
    for (const FrameReport& frame : result.report.frames) sum += frame.display_limit;
    return sum / static_cast<double>(result.report.frames.size());
  };
  const double held = limited(scene, look), loose = limited(prepare_flesh(character, as_soft), as_soft);
  EXPECT_GT(loose, 0.1);
  EXPECT_LT(held, 0.8 * loose);
}

}  // namespace
}  // namespace sinew
