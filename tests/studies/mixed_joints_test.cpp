// The joints of samples/sumo.glb by mixed elements, linear and dual quaternion skinning: claims of
// docs/mixed_fem_comparisons.md, section 4.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/gltf/read/read_character.h"
#include "studies/mixed/joints.h"
#include "studies/mixed/pictures.h"
#include "studies/mixed/reference.h"

namespace sinew {
namespace {

Character sample_character(const std::string& name) {
  return read_character(std::string(SINEW_SOURCE_DIR) + "/samples/" + name);
}

JointExperiment sumo_joints(int tetrahedra) {
  JointOptions options;
  options.step = 90;
  options.twist = 90;
  options.tetrahedra = tetrahedra;
  return joint_experiment(sample_character("sumo.glb"), "sumo", options);
}

TEST(MixedJoints, KeepVolumeWithoutWeights) {
  const JointExperiment experiment = sumo_joints(8000);
  ASSERT_EQ(experiment.limbs.size(), 3u);
  ASSERT_EQ(experiment.runs.size(), 5 * skinning_methods.size());
  ASSERT_EQ(experiment.pictures.size(), experiment.runs.size());
  for (std::size_t k = 0; k < experiment.runs.size(); k += skinning_methods.size()) {
    const JointRun &linear = experiment.runs[k], &corotated = experiment.runs[k + 3];
    ASSERT_EQ(linear.method, SkinningMethod::linear);
    ASSERT_EQ(corotated.method, SkinningMethod::mixed_corotated);
    ASSERT_EQ(linear.frames.size(), 1u);
    const std::string what = std::string(name_of(linear.limb)) + (linear.twist ? ", twisted" : ", bent");
    const JointFrame &skinned = linear.frames[0], &mixed = corotated.frames[0];
    EXPECT_LT(std::abs(mixed.region_volume - 1), 0.09) << what;
    EXPECT_LT(std::abs(mixed.body_volume - 1), 0.03) << what;
    EXPECT_LT(mixed.largest_stretch, 3) << what;
    if (!linear.twist) continue;
    EXPECT_LT(skinned.region_volume, 0.9) << what;
    EXPECT_LT(std::abs(mixed.region_volume - 1), 0.5 * std::abs(skinned.region_volume - 1)) << what;
  }
  const Image picture = joint_picture(experiment);
  EXPECT_EQ(picture.rgb.size(), static_cast<std::size_t>(picture.width * picture.height * 3));
  EXPECT_GT(picture.height, picture.width / 2);
}

TEST(MixedJoints, DoNotDependOnTheNumberOfThreads) {
  set_thread_count(1);
  const JointExperiment one = sumo_joints(2000);
  set_thread_count(3);
  const JointExperiment three = sumo_joints(2000);
  set_thread_count(0);
  ASSERT_EQ(one.pictures.size(), three.pictures.size());
  for (std::size_t k = 0; k < one.pictures.size(); ++k) {
    EXPECT_EQ(one.pictures[k].surface, three.pictures[k].surface);
    EXPECT_EQ(one.runs[k].frames[0].region_volume, three.runs[k].frames[0].region_volume);
  }
}

TEST(MixedJoints, SmoothFieldsAreNearerToFreeRotations) {
  const std::vector<ReferenceRow> rows = character_reference(sample_character("sumo.glb"), "sumo", 2000);
  ASSERT_EQ(rows.size(), 8u);
  for (std::size_t k = 0; k < rows.size(); k += 2) {
    ASSERT_TRUE(rows[k].solved && rows[k + 1].solved);
    EXPECT_LT(rows[k + 1].energy, rows[k].energy);
    EXPECT_GE(rows[k + 1].energy, rows[k + 1].reference_energy);
    EXPECT_LT(rows[k + 1].rms, 0.02);
  }
}

TEST(MixedJoints, RefuseCharactersWithoutLimbs) {
  EXPECT_THROW(joint_experiment(sample_character("tube.glb"), "tube"), Error);
  EXPECT_THROW(character_reference(sample_character("tube.glb"), "tube"), Error);
  JointOptions options;
  options.step = 0;
  EXPECT_THROW(joint_experiment(sample_character("sumo.glb"), "sumo", options), Error);
}

}  // namespace
}  // namespace sinew
