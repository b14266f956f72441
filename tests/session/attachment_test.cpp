// What a hand holds, and how far it leads that.
#include "sinew/session/attachment.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tests/bake/tube_character.h"

namespace sinew {
namespace {

using test::tube_character;

SimulationSurface tube_surface() {
  static const Character character = tube_character();
  return simulation_surface(character);
}

std::vector<Affine> rest_pose(const SimulationSurface& surface) {
  return std::vector<Affine>(surface.bones.size(), Affine{Mat3::identity(), {}});
}

// However large a hand and fine a mesh: each point stands for the skin around it, and together they stand for all of
// it.
TEST(Attachment, IsThinnedToAFewPointsSpreadOverThePatch) {
  const SimulationSurface surface = tube_surface();
  const std::vector<Vec3>& rest = surface.rest.positions;
  Attachment attachment = attach(surface.rest, {}, rest[rest.size() / 2], 100);
  ASSERT_GT(attachment.patch.size(), 2 * most_held_points);
  for (const std::size_t most : {most_held_points, std::size_t{5}, std::size_t{1}}) {
    thin(attachment, surface.rest, most);
    EXPECT_EQ(attachment.held.size(), most);
    double sum = 0;
    for (std::size_t k = 0; k < attachment.held.size(); ++k) {
      EXPECT_GT(attachment.held[k].weight, 0);
      if (k > 0) {
        EXPECT_LT(attachment.held[k - 1].vertex, attachment.held[k].vertex);
      }
      sum += attachment.held[k].weight;
    }
    // Shares of the patch are summed in another order: half a unit in the last place for each.
    EXPECT_NEAR(sum, 1, static_cast<double>(attachment.patch.size()) * std::numeric_limits<double>::epsilon());
  }
}

TEST(Attachment, OfASmallPatchHoldsAllOfIt) {
  const SimulationSurface surface = tube_surface();
  Attachment attachment = attach(surface.rest, {}, surface.rest.positions[0], 100);
  thin(attachment, surface.rest, attachment.patch.size());
  ASSERT_EQ(attachment.held.size(), attachment.patch.size());
  for (std::size_t k = 0; k < attachment.held.size(); ++k)
    EXPECT_EQ(attachment.held[k].vertex, attachment.patch[k].vertex);
}

// Whatever is asked for; what is near is met.
TEST(Attachment, NeverLeadsBeyondItsReach) {
  const SimulationSurface surface = tube_surface();
  const std::vector<Affine> bones = rest_pose(surface);
  const std::vector<double> reach(surface.rest.positions.size(), 0.2);
  const Attachment attachment = attach(surface.rest, reach, surface.rest.positions[3], 0.1);
  EXPECT_NEAR(attachment.reach, 0.2, 1e-12);
  const Vec3 by_rig = carried(surface, attachment.middle, bones);
  double before = 0;
  for (const double way : {0.0, 0.05, 0.119, 0.2, 1.0, 1e6, 1e100}) {
    const double led = distance(within_reach(attachment, surface, bones, by_rig + Vec3{0, way, 0}), by_rig);
    EXPECT_GE(led, before - 1e-12) << way;
    EXPECT_LE(led, 0.7 * 0.2 + 1e-12) << way;
    if (way < 0.6 * 0.2) {
      EXPECT_NEAR(led, way, 1e-12);
    }
    before = led;
  }
  EXPECT_GT(before, 0.6 * 0.2);
}

TEST(Attachment, WithoutABoundLeadsAnywhere) {
  const SimulationSurface surface = tube_surface();
  const Attachment attachment = attach(surface.rest, {}, surface.rest.positions[3], 0.1);
  const Vec3 far{0, 1e3, 0};
  EXPECT_EQ(within_reach(attachment, surface, rest_pose(surface), far), far);
}

}  // namespace
}  // namespace sinew
