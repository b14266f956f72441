// Characters of real files that walk as rigid links, are pushed and fall.
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/jobs/motion/react_motion.h"
#include "tests/jobs/files.h"

namespace sinew::test {
namespace {

std::filesystem::path shared_character(const char* file) {
  return std::filesystem::path(SINEW_SOURCE_DIR) / "../shared/characters" / file;
}

TEST(ReactMotion, CesiumManWalksTwentySeconds) {
  ReactMotionJob job;
  job.input = shared_character("gltf/cesium_man/CesiumMan.glb");
  if (!std::filesystem::exists(job.input)) GTEST_SKIP() << "Not tested: " << job.input.string() << " is not there.";
  job.output = std::filesystem::path(testing::TempDir()) / "react_walk.glb";
  job.repeat = true;
  job.seconds = 20;
  job.strength = 2;
  job.support = 0.4;
  const ReactMotionReport report = react_motion(job);
  EXPECT_FALSE(report.fell) << *report.fell;
  EXPECT_LT(report.most_lean, 15);
  EXPECT_LE(report.most_help, 0.4 + 1e-9);
  ASSERT_TRUE(report.slide);
  EXPECT_LT(*report.slide, 0.1);
  // It comes forward: the clip itself walks on the spot.
  const OpenedCharacter walked = open_rigged_character(job.output);
  const Clip& clip = walked.character.clips.back();
  EXPECT_EQ(clip.name, report.clip);
  const Pose first = sample(walked.character.skeleton, &clip, 0),
             last = sample(walked.character.skeleton, &clip, clip.end);
  double way = 0;
  for (std::size_t j = 0; j < first.world.size(); ++j)
    way = std::max(way, distance(first.world[j].translation, last.world[j].translation));
  EXPECT_GT(way, 5);
  std::filesystem::remove(job.output);
}

// Bodies on four legs, on none, and of a hundred bones: no crash, no numbers that are not finite, a clip of the length
// that was asked for.
TEST(ReactMotion, AnyBodyFalls) {
  for (const char* file : {"gltf/fox/Fox.glb", "more/easy_enemies_pack_snake.glb", "more/easy_enemies_pack_spider.glb",
                           "gltf/rigged_simple/RiggedSimple.glb"}) {
    ReactMotionJob job;
    job.input = shared_character(file);
    if (!std::filesystem::exists(job.input)) GTEST_SKIP() << "Not tested: " << job.input.string() << " is not there.";
    job.output = std::filesystem::path(testing::TempDir()) / "react_falls.glb";
    job.limp = 0.1;
    job.seconds = 1.5;
    const ReactMotionReport report = react_motion(job);
    EXPECT_GT(report.mass, 0) << file;
    EXPECT_LE(report.links, 64u) << file;
    const OpenedCharacter fallen = open_rigged_character(job.output);
    EXPECT_NEAR(fallen.character.clips.back().end, 1.5, 0.02) << file;
    std::filesystem::remove(job.output);
  }
}

}  // namespace
}  // namespace sinew::test
