// Stiffness of joints in the method `mixed`: of bones that pose the body, and of helpers, which only carry skin.
#include <gtest/gtest.h>

#include <algorithm>

#include "sinew/base/index.h"
#include "sinew/cook/mixed/mixed_settings.h"
#include "sinew/cook/mixed/prepare_mixed.h"
#include "sinew/jobs/open_character.h"
#include "tests/base/refusal.h"

namespace sinew {
namespace {

CookedMixed wrestler_with(const std::vector<MixedJoint>& joints) {
  MixedSettings settings;
  settings.tetrahedra = 700;
  settings.joints = joints;
  return prepare_mixed(open_character(SINEW_SOURCE_DIR "/samples/sumo.glb").character, settings);
}

Vec3 middle_of_element(const CookedMixed& mixed, std::size_t element) {
  Vec3 sum;
  for (const int v : mixed.mesh.tetrahedra[element]) sum += mixed.mesh.positions[index(v)];
  return sum / 4;
}

TEST(MixedJointStiffness, AHelperStiffensWhatFollowsItInTheSkin) {
  const CookedMixed plain = wrestler_with({}), stiffened = wrestler_with({{"belly", 4}});
  const auto is_named_belly = [](const Bone& bone) { return bone.name == "belly"; };
  const std::vector<Bone>& all = plain.surface.bones;
  ASSERT_FALSE(std::any_of(plain.bones.begin(), plain.bones.end(), is_named_belly)) << "it is no helper";
  ASSERT_TRUE(std::any_of(all.begin(), all.end(), is_named_belly));
  double most = 0;
  Vec3 of_most;
  for (std::size_t t = 0; t < plain.mesh.tetrahedra.size(); ++t) {
    const double factor = stiffened.stiffness_multiplier[t] / plain.stiffness_multiplier[t];
    EXPECT_GE(factor, 1 - 1e-12);
    EXPECT_LE(factor, 4 + 1e-9);
    const Vec3 middle = middle_of_element(plain, t);
    if (middle.y < 0.4) {
      EXPECT_NEAR(factor, 1, 1e-6) << "a shin";
    }
    if (factor > most) most = factor, of_most = middle;
  }
  EXPECT_GT(most, 1.5);
  EXPECT_GT(of_most.z, 0.1) << "not the belly";
  EXPECT_NEAR(of_most.y, 1.05, 0.2) << "not the belly";
}

// Neither a bone and its helper nor all joints count twice.
TEST(MixedJointStiffness, OneNumberForAllJointsIsThatNumberEverywhere) {
  const CookedMixed plain = wrestler_with({}), stiffened = wrestler_with({{"*", 4}});
  for (std::size_t t = 0; t < plain.mesh.tetrahedra.size(); ++t)
    EXPECT_NEAR(stiffened.stiffness_multiplier[t] / plain.stiffness_multiplier[t], 4, 1e-9);
}

TEST(MixedJointStiffness, NamesOfNoBoneAreRefused) {
  EXPECT_NE(test::refusal(ErrorKind::usage,
                          [] {
                            wrestler_with({{"beally", 4}});
                          })
                .find("'beally': no bone that moves the body"),
            std::string::npos);
}

}  // namespace
}  // namespace sinew
