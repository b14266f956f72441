// Flight from file to file: what has wings flies where it is asked to, the same way each time, and what has none is
// refused.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>

#include "sinew/base/error.h"
#include "sinew/jobs/motion/flight/fly_motion.h"
#include "tests/jobs/files.h"

namespace sinew {
namespace {

TEST(FlyMotion, WhatHasNoWingsIsRefused) {
  FlyMotionJob job;
  job.input = test::sample_file("sumo.glb");
  job.output = test::scratch_files() / "fly.glb";
  try {
    fly_motion(job);
    ADD_FAILURE() << "nothing was refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_NE(std::string(error.what()).find("has no wings"), std::string::npos) << error.what();
  }
  job.tries = 3;
  EXPECT_THROW(fly_motion(job), Error);
  job.tries = 0;
  job.goals = {{2, 0, 0}, {1, 0, 0}};
  EXPECT_THROW(fly_motion(job), Error);
  EXPECT_FALSE(std::filesystem::exists(job.output));
}

TEST(FlyMotion, ABeeAndARayOfRealCharactersClimbAndTurn) {
  const std::filesystem::path folder = std::filesystem::path(SINEW_SOURCE_DIR) / "../shared/characters/more";
  // The ray is 8.4 m wide: at 8 m/s it flies its own width in a second, too slowly to hold its height.
  for (const auto& [name, speed] :
       {std::pair{"platformer_game_pack_bee.glb", 6.0}, {"fish_pack_manta_ray.glb", 12.0}}) {
    if (!std::filesystem::exists(folder / name)) GTEST_SKIP() << "Not tested: " << name << " is not there.";
    FlyMotionJob job;
    job.input = folder / name;
    job.output = test::scratch_files() / "fly.glb";
    job.speed = speed;
    job.tries = 150;
    job.seconds = 9;
    job.goals = {{1, 0, 0}, {4, 1, 1}, {9, 1, 1}};
    const FlyReport report = fly_motion(job);
    std::printf("%s: %.2f kg, %.2f m/s, height off by %.2f m, heading by %.2f rad, %.1f W\n", name, report.mass,
                report.flight.speed, report.flight.off_height, report.flight.off_heading, report.flight.power);
    EXPECT_FALSE(report.flight.lost) << name;
    EXPECT_LT(report.flight.off_height, 0.2 * report.span) << name;
    EXPECT_LT(report.flight.off_heading, 0.5) << name;
    EXPECT_NEAR(report.flight.speed, speed, 0.15 * speed) << name;
    const OpenedCharacter after = open_rigged_character(job.output);
    EXPECT_NEAR(after.character.clips.back().end, 9, 0.05);
    // The usual stroke gives the same bytes each time.
    job.tries = 0;
    job.seconds = 2;
    fly_motion(job);
    const std::string bytes = test::bytes_of(job.output);
    fly_motion(job);
    EXPECT_TRUE(bytes == test::bytes_of(job.output)) << name;
  }
}

}  // namespace
}  // namespace sinew
