// Files of keys that fix controls: they read back as written, and sentences say what is wrong.
#include "sinew/files/fixed_keys_json.h"

#include <gtest/gtest.h>

#include "tests/base/refusal.h"

namespace sinew {
namespace {

TEST(FixedKeysFile, ReadsBackAsWritten) {
  const std::string text =
      R"({"clips":{"stomp":[{"parameter":"belly.rotation.x","ease":0.25,"keys":[[0.5,0.2],[0.7,0.3,1.5],[0.9,0.1,2.0,-3.0]]}]}})";
  const FixedKeys keys = fixed_keys_from_json(text, "keys.json");
  EXPECT_EQ(fixed_keys_json(keys), text);
  const std::span<const FixedStretch> stretches = keys.of("stomp");
  ASSERT_EQ(stretches.size(), 1u);
  EXPECT_EQ(stretches[0].begin(), 0.25);
  EXPECT_EQ(stretches[0].end(), 0.9);
  EXPECT_EQ(stretches[0].keys[0].in, std::nullopt);
  EXPECT_EQ(stretches[0].keys[1].out, 1.5);
  EXPECT_EQ(stretches[0].keys[2].out, -3);
  EXPECT_TRUE(keys.of("walk").empty());
  EXPECT_EQ(fixed_keys_json({}), "");
  EXPECT_TRUE(fixed_keys_of_setting("").clips.empty());
}

TEST(FixedKeysFile, WhatIsWrongIsASentence) {
  const auto complaint = [](const std::string& stretch) {
    return test::refusal(ErrorKind::input,
                         [&] { fixed_keys_from_json(R"({"clips": {"Jump": [)" + stretch + "]}}", "keys.json"); });
  };
  const std::string where = "keys.json: clip 'Jump', stretch 1: ";
  EXPECT_EQ(complaint(R"({"keys": [[0, 1]]})"), where + "'parameter' must name the parameter that the keys fix.");
  EXPECT_EQ(complaint(R"({"parameter": "a", "keys": [[1, 0], [1, 2]]})"),
            where + "'keys' key 2 at 1 s does not come after the one before it; sort the keys by their times.");
  EXPECT_EQ(complaint(R"({"parameter": "a", "keys": [[1]]})"),
            where +
                "'keys' key 1 must be [seconds, value], [seconds, value, slope] or [seconds, value, slope before, "
                "slope after].");
  EXPECT_EQ(complaint(R"({"parameter": "a", "ease": 11, "keys": [[1, 0]]})"),
            where + "'ease' must be from 0 to 10 seconds.");
  for (const char* bad :
       {R"({"parameter": "a", "keys": []})", R"({"parameter": "a", "keys": [[1, "0"]]})",
        R"({"parameter": "a", "keys": [[1, 1e999]]})", R"({"parameter": "a", "keys": [[-1e308, 0, 0], [1e308, 0, 0]]})",
        R"({"parameter": 3, "keys": [[1, 0]]})", R"({"parameter": "a", "keys": [[1, 0]], "more": 1})", "3",
        R"({"parameter": "a"})"})
    EXPECT_NE(complaint(bad), "") << bad;
  EXPECT_NE(test::refusal(ErrorKind::input, [] { fixed_keys_from_json(R"({"clips": {"Jump": 3}})", "keys.json"); }),
            "");
  EXPECT_NE(test::refusal(ErrorKind::input, [] { fixed_keys_from_json("[]", "keys.json"); }), "");
}

}  // namespace
}  // namespace sinew
