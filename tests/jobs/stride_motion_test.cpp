// A walk by muscles from file to file: kept reflexes walk again, searched ones walk at the speed that was asked for,
// and files that are none are refused.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/cook/muscles/muscle_file.h"
#include "sinew/jobs/motion/striding/reflexes_json.h"
#include "sinew/jobs/motion/striding/stride_motion.h"
#include "tests/jobs/files.h"

namespace sinew {
namespace {

void print(const char* name, const StrideReport& report) {
  std::printf("%s: %.1f kg, leg of %.2f m: %.2f m/s, %d steps of %.2f m, peak of %.2f weights, slide of %.3f legs\n",
              name, report.mass, report.leg, report.walk.speed, report.walk.steps, report.walk.step_length,
              report.walk.peak_load, report.slide.value_or(-1));
}

TEST(ReflexesJson, ComeBackAsTheyWere) {
  ReflexFile file{usual_reflexes(), 1.3};
  file.reflexes[hip_base] = 0.123456789012345;
  const ReflexFile back = reflexes_from_json(reflexes_json(file), "walk.json");
  EXPECT_EQ(back.reflexes, file.reflexes);
  EXPECT_EQ(back.speed, file.speed);
}

TEST(ReflexesJson, TheSchemaHasTheirNamesAndRanges) {
  const nlohmann::json schema =
      nlohmann::json::parse(test::bytes_of(std::filesystem::path(SINEW_SOURCE_DIR) / "docs/reflexes.schema.json"));
  const nlohmann::json& numbers = schema["properties"]["reflexes"];
  EXPECT_EQ(numbers["properties"].size(), reflex_numbers);
  EXPECT_EQ(numbers["required"].size(), reflex_numbers);
  for (const ReflexRange& range : reflex_ranges()) {
    const nlohmann::json& own = numbers["properties"][std::string(range.name)];
    EXPECT_EQ(own["minimum"], range.least) << range.name;
    EXPECT_EQ(own["maximum"], range.most) << range.name;
    EXPECT_TRUE(range.usual >= range.least && range.usual <= range.most) << range.name;
  }
}

TEST(ReflexesJson, WhatIsWrongIsNamed) {
  const std::string good = reflexes_json({usual_reflexes(), {}});
  const auto refused = [&](const std::string& from, const std::string& to, const std::string& words) {
    std::string text = good;
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    try {
      reflexes_from_json(text, "walk.json");
      ADD_FAILURE() << "not refused: " << to;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
  };
  refused("\"hip_base\"", "\"hip_bass\"", "hip_bass");
  refused("\"hip_base\": ", "\"hip_base\": 7", "reflexes.hip_base");
  refused("\"reflexes\": {", "\"reflexes\": 3, \"x\": {", "\"x\"");
  refused("{", "", "walk.json");
}

TEST(StrideMotion, KeptReflexesWalkAgainAndFlexMuscles) {
  StrideMotionJob job;
  job.input = test::sample_file("sumo.glb");
  job.output = test::scratch_files() / "stride.glb";
  job.gait = std::filesystem::path(SINEW_SOURCE_DIR) / "tests/jobs/sumo_reflexes.json";
  job.save_activation = test::scratch_files() / "activation.json";
  job.tries = 0;
  const StrideReport report = stride_motion(job);
  print("sumo", report);
  EXPECT_FALSE(report.walk.fell);
  EXPECT_NEAR(report.walk.speed, 1.2, 0.15 * 1.2);
  EXPECT_NEAR(report.seconds, 10, 0.05);
  ASSERT_TRUE(report.slide);
  EXPECT_LT(*report.slide, 0.08);
  const OpenedCharacter after = open_rigged_character(job.output);
  EXPECT_EQ(after.character.clips.back().name, report.clip);
  const ActivationFile activation =
      activation_from_json(read_text_file(job.save_activation), job.save_activation.string());
  EXPECT_EQ(activation.clip, report.clip);
  ASSERT_EQ(activation.controls.size(), 8u);
  for (const AbstractControl& control : activation.controls) {
    double least = 1, most = 0;
    for (const auto& [time, value] : control.keys) least = std::min(least, value), most = std::max(most, value);
    EXPECT_GT(most - least, 0.05) << control.name;
  }
  const std::string bytes = test::bytes_of(job.output);
  stride_motion(job);
  EXPECT_TRUE(bytes == test::bytes_of(job.output));
}

TEST(StrideMotion, WhatCannotWalkIsRefused) {
  StrideMotionJob job;
  job.input = test::sample_file("elephant.glb");
  job.output = test::scratch_files() / "stride.glb";
  EXPECT_THROW(stride_motion(job), Error);
  job.input = test::sample_file("sumo.glb");
  job.tries = 3;
  EXPECT_THROW(stride_motion(job), Error);
  job.tries = 0;
  job.save_activation = "activation.txt";
  EXPECT_THROW(stride_motion(job), Error);
  EXPECT_FALSE(std::filesystem::exists(job.output));
}

TEST(StrideMotion, SearchedReflexesWalkAtTheSpeedAskedFor) {
  const std::filesystem::path folder = std::filesystem::path(SINEW_SOURCE_DIR) / "../shared/characters/gltf";
  std::vector<std::filesystem::path> characters{test::sample_file("sumo.glb")};
  if (std::filesystem::exists(folder / "mannequiny/mannequiny.glb"))
    characters.push_back(folder / "mannequiny/mannequiny.glb");
  else
    std::printf("Not tested: mannequiny.glb is not there.\n");
  for (const std::filesystem::path& input : characters) {
    StrideMotionJob job;
    job.input = input;
    job.output = test::scratch_files() / "stride.glb";
    const StrideReport report = stride_motion(job);
    print(input.filename().c_str(), report);
    EXPECT_FALSE(report.walk.fell) << input;
    EXPECT_NEAR(report.walk.speed, job.speed, 0.15 * job.speed) << input;
  }
}

}  // namespace
}  // namespace sinew
