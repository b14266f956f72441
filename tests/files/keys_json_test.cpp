// Keys of stiffness, damping and gravity as files: values on the way between them, and sentences about what is wrong.
#include "sinew/files/keys_json.h"

#include <gtest/gtest.h>

#include "tests/base/refusal.h"

namespace sinew {
namespace {

constexpr const char* example_keys =
    R"({"clips": {"*": {"stiffness": [[0, 1], [0.5, 4]], "gravity": [[1, [0, -10, 0]], [2, [0, -20, 4]]]},
                  "Jump": {"damping": [[0.25, 3]]}}})";

TEST(KeysFile, ValuesAreOnTheWayBetweenKeysAndConstantBeyond) {
  const TissueKeys keys = keys_from_json(example_keys, "keys.json");
  const ClipKeys& usual = *keys.of("Walk");
  EXPECT_EQ(usual.stiffness.at(-1), 1);
  EXPECT_EQ(usual.stiffness.at(0), 1);
  EXPECT_DOUBLE_EQ(usual.stiffness.at(0.25), 2);  // halfway in the logarithm
  EXPECT_EQ(usual.stiffness.at(0.5), 4);
  EXPECT_EQ(usual.stiffness.at(7), 4);
  EXPECT_EQ(usual.gravity.at(1.5), (Vec3{0, -15, 2}));
  EXPECT_TRUE(usual.damping.keys.empty());
  const ClipKeys& jump = *keys.of("Jump");  // its own entry replaces the usual one as a whole
  EXPECT_EQ(jump.damping.at(0), 3);
  EXPECT_TRUE(jump.stiffness.keys.empty());
  EXPECT_EQ(keys_of_setting("").of("Walk"), nullptr);
}

TEST(KeysFile, GravityThatIsTheScenesOwnIsNone) {
  const ClipKeys keys = *keys_from_json(example_keys, "keys.json").of("Walk");
  Environment environment;
  keys.apply(0, {0, -10, 0}, environment);
  EXPECT_TRUE(environment.empty());
  keys.apply(2, {0, -10, 0}, environment);
  EXPECT_EQ(environment.gravity, (Vec3{0, -20, 4}));
  EXPECT_EQ(environment.stiffness, 4);
}

TEST(KeysFile, WhatIsWrongIsASentence) {
  const auto complaint = [](const std::string& clip) {
    return test::refusal(ErrorKind::input,
                         [&] { keys_from_json(R"({"clips": {"Jump": )" + clip + "}}", "keys.json"); });
  };
  EXPECT_EQ(
      complaint(R"({"stiffness": [[0.5, 1], [0.5, 2]]})"),
      "keys.json: clip 'Jump': 'stiffness' key 2 at 0.5 s does not come after the one before it; sort the keys by "
      "their times.");
  EXPECT_EQ(complaint(R"({"damping": [[0, 1], [1, 101]]})"),
            "keys.json: clip 'Jump': 'damping' key 2 at 1 s is multiplied by 101, but must be by 0.01 to 100.");
  EXPECT_EQ(complaint(R"({"stiffness": [[0, [1, 2, 3]]]})"),
            "keys.json: clip 'Jump': 'stiffness' key 1 must be [seconds, number].");
  EXPECT_EQ(complaint(R"({"gravity": [[0, 9.81]]})"),
            "keys.json: clip 'Jump': 'gravity' key 1 must be [seconds, [x, y, z]].");
  EXPECT_EQ(complaint(R"({"gravity": [[0, [0, 2e3, 0]]]})"),
            "keys.json: clip 'Jump': 'gravity' key 1 at 0 s must be at most 1000 metres per second squared.");
  EXPECT_EQ(complaint(R"({"stiffness": 3})"),
            "keys.json: clip 'Jump': 'stiffness' must be a list of keys [seconds, number].");
  EXPECT_EQ(complaint(R"({"young": [[0, 1]]})"),
            "keys.json: clip 'Jump': 'young' cannot be keyed; stiffness, damping and gravity can.");
  EXPECT_EQ(complaint("3"), "keys.json: clip 'Jump': must be an object.");
  for (const char* text : {"{}", R"({"clips": []})", R"({"clips": {"*": {"stiffness": [[0, NaN]]}}})",
                           R"({"clip": {}})", R"({"clips": {"*": {"stiffness": [[1e999, 1]]}}})"})
    EXPECT_NE(test::refusal(ErrorKind::input, [&] { keys_from_json(text, "keys.json"); }).find("keys.json"),
              std::string::npos)
        << text;
}

}  // namespace
}  // namespace sinew
