// Gaits as JSON, and walks from file to file.
#include <gtest/gtest.h>

#include <fstream>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/jobs/motion/gait_json.h"
#include "sinew/jobs/motion/react_motion.h"
#include "tests/jobs/files.h"

namespace sinew::test {
namespace {

std::string refusal_of_gait(const std::string& text) {
  try {
    gait_from_json(text, "gait.json");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string with_change(const std::string& from, const std::string& to) {
  std::string text = gait_json({Gait{}, 1.2});
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(GaitJson, ComesBackToTheBit) {
  std::array<double, gait_numbers> numbers{};
  for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = 0.1 + static_cast<double>(k) / 7;
  const Gait gait = gait_of(numbers);
  EXPECT_EQ(numbers_of(gait_from_json(gait_json({gait, 1.2}), "gait.json").gait), numbers);
}

TEST(GaitJson, NamesWhatIsWrong) {
  EXPECT_EQ(refusal_of_gait(with_change("\"lean\"", "\"lena\"")),
            "gait.json: the file has the key \"lena\", which is not known here; remove it.");
  EXPECT_EQ(refusal_of_gait(with_change("\"knee\"", "\"nee\"")),
            "gait.json: \"lift\" has the key \"nee\", which is not known here; remove it.");
  EXPECT_EQ(refusal_of_gait(with_change("\"lift_seconds\": 0.", "\"lift_seconds\": 20.")),
            "gait.json: \"lift_seconds\" must be a number from 0.05 to 5; correct it.");
  EXPECT_EQ(refusal_of_gait(with_change("\"speed\": 1.2", "\"speed\": \"fast\"")),
            "gait.json: \"speed\" must be a number from -100 to 100; correct it.");
  EXPECT_NE(refusal_of_gait("{"), "");
  EXPECT_EQ(refusal_of_gait("[]"), "gait.json: the file must be an object.");
}

// The gait that is kept walks as the one that was searched for, and a body that walks is not helped from outside.
TEST(ReactMotion, WalksByItselfWithAGaitThatIsKept) {
  const std::filesystem::path folder = scratch_files();
  ReactMotionJob job;
  job.input = sample_file("sumo.glb");
  job.output = folder / "walk.glb";
  job.save_gait = folder / "gait.json";
  job.walk = 0.5;
  job.tries = 28;
  job.seconds = 1;
  const ReactMotionReport searched = react_motion(job);
  EXPECT_EQ(searched.gait.has_value(), searched.notes.empty());
  job.walk.reset();
  job.tries.reset();
  job.gait = job.save_gait;
  job.save_gait.clear();
  job.output = folder / "again.glb";
  const ReactMotionReport again = react_motion(job);
  EXPECT_EQ(read_text_file(folder / "walk.glb"), read_text_file(folder / "again.glb"));
  EXPECT_EQ(again.clip, "own walk");
}

TEST(ReactMotion, WalksThatMakeNoSenseAreSentences) {
  ReactMotionJob job;
  job.input = sample_file("sumo.glb");
  job.output = scratch_files() / "walk.glb";
  job.save_gait = job.output.parent_path() / "gait.json";
  EXPECT_THROW(react_motion(job), Error);  // no gait to keep
  job.walk = 1;
  job.repeat = true;
  EXPECT_THROW(react_motion(job), Error);
  job.repeat = false;
  job.support = 0.1;
  EXPECT_THROW(react_motion(job), Error);
  job.support.reset();
  job.tries = 5;
  EXPECT_THROW(react_motion(job), Error);
  job.tries = 0;
  job.save_gait = job.output;
  EXPECT_THROW(react_motion(job), Error);  // both outputs are one file
  EXPECT_FALSE(std::filesystem::exists(job.output));
}

}  // namespace
}  // namespace sinew::test
