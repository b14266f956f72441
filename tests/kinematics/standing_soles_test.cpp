// Soles that stand, and alignments that leave them where they are.
#include "sinew/kinematics/graph/standing_soles.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sinew {
namespace {

TEST(StandingSoles, AreLowAndSlow) {
  // A point that stands, one that glides along the ground at 1.2 m/s, and one that hangs in the air.
  std::vector<Vec3> positions;
  for (int f = 0; f < 10; ++f) {
    positions.push_back({0.1, 0.01, 0.001 * f});
    positions.push_back({-0.1, 0, 0.04 * f});
    positions.push_back({0, 0.5, 0});
  }
  const std::vector<char> standing = standing_soles(positions, 3, 1.8, 30);
  for (std::size_t f = 0; f < 10; ++f) {
    EXPECT_TRUE(standing[3 * f]);
    EXPECT_FALSE(standing[3 * f + 1]);
    EXPECT_FALSE(standing[3 * f + 2]);
  }
}

// A body that leans to one side in the second window while its feet stay: the nearest clouds would slide its feet.
TEST(StandingSoles, StayWhereTheyAreWhenClipsGoOverIntoEachOther) {
  const std::vector<double> weights{0.2, 0.3, 0.5};
  const Standing elsewhere{0.8, {3, 0, -2}};
  std::vector<Vec3> first, second, soles, moved_soles;
  for (int f = 0; f < 4; ++f) {
    for (const Vec3& p : {Vec3{0.1, 0, 0}, Vec3{-0.1, 1, 0.05}, Vec3{0, 1.7, 0}}) {
      first.push_back(p);
      second.push_back(turned(elsewhere.heading, p + Vec3{0.3 * p.y, 0, 0.02 * f * p.y}) + elsewhere.place);
    }
    for (const Vec3& p : {Vec3{0.12, 0, 0.1}, Vec3{-0.12, 0, 0.1}, Vec3{0.12, 0, -0.1}}) {
      soles.push_back(p);
      moved_soles.push_back(turned(elsewhere.heading, p) + elsewhere.place);
    }
  }
  const std::vector<char> all(soles.size(), 1), none(soles.size(), 0);
  const auto slide = [&](const GroundAlignment& aligned) {
    double most = 0;
    for (std::size_t k = 0; k < soles.size(); ++k)
      most = std::max(most, distance(soles[k], turned(aligned.motion.heading, moved_soles[k]) + aligned.motion.place));
    return most;
  };
  const GroundAlignment held = align_windows({first, soles, all}, {second, moved_soles, all}, weights),
                        free = align_windows({first, soles, all}, {second, moved_soles, none}, weights);
  EXPECT_LT(slide(held), 0.02);
  EXPECT_GT(slide(free), 0.2);
  EXPECT_NEAR(held.distance, free.distance, 1e-12);
}

}  // namespace
}  // namespace sinew
