// Characters of real files that walk as rigid links, are pushed and fall.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/cook/flesh/flesh_method.h"
#include "sinew/files/settings_json.h"
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

TEST(ReactMotion, ThrownBallsAreNodesAndCollidersOfTheFlesh) {
  ReactMotionJob job;
  job.input = sample_file("sumo.glb");
  job.output = std::filesystem::path(testing::TempDir()) / "react_ball.glb";
  job.save_balls = std::filesystem::path(testing::TempDir()) / "react_ball.json";
  job.clip = "head_shake";
  job.throws = {{0.2, "spine", {0, 0, -6}}};
  job.ball_mass = 8;
  job.seconds = 1;
  react_motion(job);
  const OpenedCharacter hit = open_rigged_character(job.output);
  const Character& character = hit.character;
  const auto named = [&](const std::string& name) {
    const std::vector<Joint>& joints = character.skeleton.joints;
    const auto found = std::find_if(joints.begin(), joints.end(), [&](const Joint& j) { return j.name == name; });
    return static_cast<std::size_t>(found - joints.begin());
  };
  const std::size_t ball = named("ball 1"), spine = named("spine");
  ASSERT_LT(ball, character.skeleton.joints.size());
  const Clip& clip = character.clips.back();
  const auto from_spine = [&](double time) {
    const Pose pose = sample(character.skeleton, &clip, time);
    return character.metres_per_unit * (pose.world[ball].translation - pose.world[spine].translation);
  };
  EXPECT_GT(norm(from_spine(0.1)), 1);  // it waits, and comes
  EXPECT_GT(from_spine(0.35).z, from_spine(0.45).z);
  EXPECT_LT(norm(from_spine(0.5)), 0.7);
  EXPECT_GT(from_spine(1).z, from_spine(0.55).z);  // and is thrown back

  FleshMethod flesh;
  read_table(flesh.settings(), read_text_file(job.save_balls), "settings");
  const std::vector<ColliderSettings>& colliders = flesh.values.colliders;
  ASSERT_EQ(colliders.size(), 1u);
  EXPECT_EQ(colliders[0].joint, "ball 1");
  const Vec3 start = character.metres_per_unit * sample(character.skeleton, nullptr, 0).world[ball].translation;
  EXPECT_LT(distance(colliders[0].point, start), 1e-5);
  EXPECT_NEAR(500 * 4.0 / 3 * std::numbers::pi * std::pow(colliders[0].radius, 3), 8, 1e-6);
  std::filesystem::remove(job.output);
  std::filesystem::remove(job.save_balls);
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
