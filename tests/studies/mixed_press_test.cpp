// The experiment of `sinew-study mixed` with outside forces and solid shapes: shapes stay out, forces push only, and
// more of a load moves more.
#include <gtest/gtest.h>

#include "sinew/contact/colliders.h"
#include "studies/mixed/press.h"

namespace sinew {
namespace {

TEST(MixedPress, ShapesStayOutOfTheBarAndPushOnly) {
  const Bar bar = make_bar({12, 2, 0.1});
  PressOptions options;
  options.materials = {MixedMaterial::arap, MixedMaterial::corotated};
  const std::vector<PressPose> poses = press_experiment(bar, options);
  ASSERT_EQ(poses.size(), options.materials.size() * press_loads(bar).size());
  for (const PressPose& pose : poses) {
    SCOPED_TRACE(std::string(name_of(pose.material)) + ", " + pose.load.name);
    ASSERT_TRUE(pose.solved);
    EXPECT_GT(pose.largest_move, 0.01);
    const bool pressed = !pose.load.colliders.empty();
    EXPECT_EQ(pressed, !pose.contacts.pushing.empty());
    EXPECT_EQ(pressed, pose.pushed > 0);
    for (const MixedContact& contact : pose.contacts.pushing) EXPECT_GT(contact.force, 0);
    EXPECT_LT(pose.contacts.residual, 1e-3);
    for (std::size_t c = 0; c < pose.load.colliders.size(); ++c)
      for (const Vec3& p : pose.positions) EXPECT_GT(gap_to(pose.load.colliders, c, p).distance, -1e-5 * bar.length);
  }
}

// What the documents claim: the material that resists loss of volume pushes back harder and loses less.
TEST(MixedPress, CoRotatedFleshPushesBackHarderThanArapAndKeepsMoreVolume) {
  const Bar bar = make_bar({12, 2, 0.1});
  PressOptions options;
  options.materials = {MixedMaterial::arap, MixedMaterial::corotated};
  const std::vector<PressPose> poses = press_experiment(bar, options);
  const std::size_t loads = press_loads(bar).size();
  for (std::size_t k = 0; k < loads; ++k) {
    const PressPose &arap = poses[k], &corotated = poses[loads + k];
    if (arap.load.colliders.empty()) continue;
    EXPECT_GT(corotated.pushed, arap.pushed) << arap.load.name;
    EXPECT_GT(corotated.body.volume_ratio, arap.body.volume_ratio) << arap.load.name;
  }
}

}  // namespace
}  // namespace sinew
