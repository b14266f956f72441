// Files of handles: they read back as written, and sentences say what is wrong.
#include "sinew/files/handles_json.h"

#include <gtest/gtest.h>

#include "tests/base/refusal.h"

namespace sinew {
namespace {

TEST(HandlesFile, ReadsBackAsWritten) {
  const std::string text = R"({"handles": [{"name": "foot", "kind": "frame", "place": [0, 0.1, 0], "radius": 0.2,
      "turn": [0, 0, 30], "grip": "skin", "joint": "hips"},
    {"place": [0, 1, 0], "keys": [{"time": 0}, {"time": 2, "move": [1, 0, 4]}]}]})";
  const std::vector<HandleSettings> handles = handles_from_json(text, "handles.json");
  ASSERT_EQ(handles.size(), 2u);
  EXPECT_EQ(handles[0].kind, HandleKind::frame);
  EXPECT_EQ(handles[0].grip, HandleGrip::skin);
  EXPECT_EQ(handles[0].radius, 0.2);
  EXPECT_EQ(handles[1].kind, HandleKind::point);
  EXPECT_EQ(handles[1].radius, std::nullopt);
  const std::string written = handles_json(handles);
  EXPECT_EQ(handles_json(handles_of_setting(written)), written);
  EXPECT_TRUE(handles_of_setting("").empty());
  EXPECT_EQ(handles_json({}), "");
  EXPECT_EQ(handle_words(handles[0], 0), "handle 'foot'");
  EXPECT_EQ(handle_words(handles[1], 1), "handle 2");
}

TEST(HandlesFile, KeysLeadAlongLines) {
  const std::vector<HandleSettings> handles = handles_from_json(
      R"({"handles": [{"kind": "frame", "place": [1, 0, 0], "keys": [{"time": 1, "move": [0, 0, 1]},
          {"time": 3, "move": [0, 2, 1], "turn": [0, 0, 720]}]}]})",
      "handles.json");
  EXPECT_EQ(handle_at(handles[0], 0).move, (Vec3{0, 0, 1}));
  EXPECT_EQ(handle_at(handles[0], 2).move, (Vec3{0, 1, 1}));
  EXPECT_EQ(handle_at(handles[0], 2).turn, (Vec3{0, 0, 360}));  // whole turns are made
  EXPECT_EQ(handle_at(handles[0], 9).move, (Vec3{0, 2, 1}));
  EXPECT_EQ(last_key_time(handles), 3);
  EXPECT_EQ(last_key_time(without_motion(handles)), std::nullopt);
  // A quarter turn about the handle's own place.
  const Affine motion = motion_about({1, 0, 0}, {0, {0, 0, 2}, {0, 0, 90}});
  EXPECT_LT(norm(motion * Vec3{2, 0, 0} - Vec3{1, 1, 2}), 1e-15);
}

TEST(HandlesFile, WhatIsWrongIsASentence) {
  const auto complaint = [](const std::string& handle) {
    return test::refusal(ErrorKind::input,
                         [&] { handles_from_json(R"({"handles": [)" + handle + "]}", "handles.json"); });
  };
  EXPECT_EQ(complaint(R"({"place": [0, 0, 0], "radius": 0})"),
            "handles.json: handles[0]: 'radius' must be positive and at most 1000000, in metres.");
  EXPECT_NE(complaint(R"({"place": [0, 0, 0], "raduis": 1})").find("did you mean 'radius'"), std::string::npos);
  EXPECT_EQ(complaint(R"({"place": [0, 0, 0], "turn": [0, 0, 3]})"),
            "handles.json: handles[0].turn: a point has no orientation; make it a frame, or leave the turn out.");
  EXPECT_NE(complaint(R"({"place": [0, 0, 0], "keys": [{"time": 1}, {"time": 1}]})").find("sort the keys"),
            std::string::npos);
  EXPECT_NE(complaint(R"({"place": [0, 0, 0], "move": [1, 0, 0], "keys": [{"time": 1}]})").find("stand in place of"),
            std::string::npos);
  EXPECT_NE(complaint(R"({"name": "a", "place": [0, 0, 0]}, {"name": "a", "place": [0, 1, 0]})").find("two are named"),
            std::string::npos);
  for (const char* bad : {R"({})", R"({"place": [0, 0]})", R"({"place": [0, 0, 1e7]})", R"({"place": [0, 0, NaN]})",
                          R"({"place": [0, 0, 1e999]})", R"({"place": [0, 0, 0], "radius": 1e300})",
                          R"({"place": [0, 0, 0], "kind": "x"})", R"({"place": [0, 0, 0], "keys": [{}]})",
                          R"({"place": [0, 0, 0], "keys": [{"time": 1e400}]})", R"({"place": [0, 0, 0], "keys": 3})",
                          R"({"place": [0, 0, 0], "joint": null})", "3"})
    EXPECT_NE(complaint(bad), "") << bad;
  for (const char* bad : {"[]", "{\"handles\": 3}", "{\"handle\": []}", "{"})
    EXPECT_NE(test::refusal(ErrorKind::input, [&] { handles_from_json(bad, "handles.json"); }), "") << bad;
}

}  // namespace
}  // namespace sinew
