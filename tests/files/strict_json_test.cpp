#include "sinew/files/strict_json.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/base/refusal.h"

namespace sinew {
namespace {

std::string refused(const std::string& text) {
  return test::refusal(ErrorKind::input, [&] { parse_strict_json(text, "a.json", "correct the line"); });
}

TEST(StrictJson, WhatIsJsonIsReadInItsOrder) {
  const auto json = parse_strict_json(R"({"b": [1, {"x": null, "y": [[], {}]}], "a": {"b": "b"}})", "a.json", "");
  EXPECT_EQ(json.dump(), R"({"b":[1,{"x":null,"y":[[],{}]}],"a":{"b":"b"}})");
}

TEST(StrictJson, AKeyIsThereOnce) {
  EXPECT_EQ(refused(R"({"a": 1, "b": 2, "a": 1})"), "a.json: 'a' is there twice; keep the one that is meant.");
  EXPECT_NE(refused(R"({"a": {"b": [0, [], {"c": 1}, {"d": 1, "d": 2}]}})").find("'a.b[3].d' is there twice"),
            std::string::npos);
  EXPECT_NE(refused(R"([[1, 2], {"x": {}, "x": 0}])").find("'[1].x' is there twice"), std::string::npos);
  EXPECT_NE(refused(R"({"a\u0000b": 1, "a\u0000b": 2})").find("'a\\x00b' is there twice"), std::string::npos);
}

TEST(StrictJson, WhatIsNoJsonIsNamedByItsLine) {
  EXPECT_EQ(refused("{\n\"a\": 1,\n}"), "a.json, line 3: is not JSON; correct the line.");
  EXPECT_EQ(refused(""), "a.json, line 1: is not JSON; correct the line.");
  EXPECT_NE(refused("{\"a\": 1e999}").find("too large"), std::string::npos);
  EXPECT_NE(refused("{\"a\": \"\xff\"}").find("line 1: is not JSON"), std::string::npos);
  EXPECT_NE(refused("{} {}").find("is not JSON"), std::string::npos);
}

}  // namespace
}  // namespace sinew
