// BVH files: what is read, and what is refused with a sentence.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "sinew/base/error.h"
#include "sinew/files/bvh.h"

namespace sinew::test {
namespace {

const std::string two_joints =
    "HIERARCHY\nROOT Hips\n{\n OFFSET 1 2 3\n CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
    " JOINT Knee\n {\n  OFFSET 0 -4 0\n  CHANNELS 3 Yrotation Xrotation Zrotation\n  End Site\n  {\n   OFFSET 0 -5 0\n"
    "  }\n }\n}\nMOTION\nFrames: 2\nFrame Time: 0.04\n0 10 0 90 0 0 0 0 0\n1 10 2 0 90 0 0 0 90\n";

std::string replaced(std::string text, const std::string& old, const std::string& with) {
  const std::size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return text.replace(at, old.size(), with);
}

TEST(Bvh, JointsStandWhereTheChannelsSay) {
  const BvhMotion bvh = parse_bvh(two_joints, "walks/step.bvh");
  ASSERT_EQ(bvh.skeleton.joints.size(), 3u);
  EXPECT_EQ(bvh.skeleton.joints[2].name, "Knee_end");
  EXPECT_EQ(bvh.clip.name, "step");
  EXPECT_DOUBLE_EQ(bvh.clip.end, 0.04);
  // A turn of 90 degrees about z takes -y to +x.
  Pose pose = sample(bvh.skeleton, &bvh.clip, 0);
  EXPECT_LT(norm(pose.world[1].translation - Vec3{4, 10, 0}), 1e-12);
  EXPECT_LT(norm(pose.world[2].translation - Vec3{9, 10, 0}), 1e-12);
  // Then 90 degrees about x takes -y to -z, and the knee's turn about z takes its -y to its own +x.
  pose = sample(bvh.skeleton, &bvh.clip, 0.04);
  EXPECT_LT(norm(pose.world[1].translation - Vec3{1, 10, -2}), 1e-12);
  EXPECT_LT(norm(pose.world[2].translation - Vec3{6, 10, -2}), 1e-12);
}

TEST(Bvh, EulerAnglesApplyInTheOrderOfTheirChannels) {
  const std::string text =
      "HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nCHANNELS 3 Xrotation Zrotation Yrotation\nEnd Site\n{\nOFFSET 1 0 0\n}\n}\n"
      "MOTION\nFrames: 1\nFrame Time: 1\n30 40 50\n";
  const BvhMotion bvh = parse_bvh(text, "a.bvh");
  const Pose pose = sample(bvh.skeleton, &bvh.clip, 0);
  const double d = 3.14159265358979323846 / 180;
  const Vec3 y{std::cos(50 * d), 0, -std::sin(50 * d)};
  const Vec3 z{std::cos(40 * d) * y.x, std::sin(40 * d) * y.x, y.z};
  const Vec3 x{z.x, std::cos(30 * d) * z.y - std::sin(30 * d) * z.z, std::sin(30 * d) * z.y + std::cos(30 * d) * z.z};
  EXPECT_LT(norm(pose.world[1].translation - x), 1e-12);
}

TEST(Bvh, WritingStylesReadAlike) {
  const BvhMotion plain = parse_bvh(two_joints, "a.bvh");
  std::string windows, tabs, commas = two_joints, lower = two_joints;
  for (const char c : two_joints) windows += c == '\n' ? "\r\n" : std::string(1, c);
  for (const char c : two_joints) tabs += c == ' ' ? '\t' : c;
  commas = replaced(commas, "0 10 0 90 0 0 0 0 0", "0, 10, 0, 90, 0, 0, 0, 0, 0");
  lower = replaced(replaced(replaced(lower, "ROOT", "root"), "Xposition", "XPOSITION"), "End Site", "END SITE");
  for (const std::string& text : {windows, tabs, commas, lower, "\xEF\xBB\xBF" + two_joints}) {
    const BvhMotion other = parse_bvh(text, "a.bvh");
    ASSERT_EQ(other.clip.channels.size(), plain.clip.channels.size());
    for (std::size_t k = 0; k < plain.clip.channels.size(); ++k)
      EXPECT_EQ(other.clip.channels[k].values, plain.clip.channels[k].values);
  }
}

TEST(Bvh, WhatAFileMayLeaveOpen) {
  EXPECT_NEAR(parse_bvh(replaced(two_joints, "0.04", "0"), "a.bvh").seconds_per_frame, 1.0 / 30, 1e-12);
  EXPECT_EQ(parse_bvh(replaced(two_joints, "0.04", "0"), "a.bvh").notes.size(), 1u);
  EXPECT_EQ(parse_bvh(replaced(two_joints, "Frames: 2", "Frames: 7"), "a.bvh").clip.channels[0].times.size(), 2u);
  const BvhMotion two_roots =
      parse_bvh(replaced(two_joints, "MOTION", "ROOT Prop { OFFSET 0 0 0 CHANNELS 0 }\nMOTION"), "a.bvh");
  EXPECT_EQ(two_roots.skeleton.joints[3].parent, -1);
  const BvhMotion twins = parse_bvh(replaced(two_joints, "JOINT Knee", "JOINT Hips"), "a.bvh");
  EXPECT_EQ(twins.skeleton.joints[1].name, "Hips (2)");
  EXPECT_EQ(twins.notes.size(), 1u);
  EXPECT_EQ(parse_bvh(replaced(two_joints, "JOINT Knee", "JOINT left knee"), "a.bvh").skeleton.joints[1].name,
            "left knee");
}

TEST(Bvh, BrokenFilesGetASentence) {
  struct Broken {
    std::string text, says;
  };
  const std::vector<Broken> all{
      {"", "HIERARCHY"},
      {"HIERARCHY\nMOTION\n", "no ROOT"},
      {two_joints.substr(0, two_joints.find(" JOINT")), "the file ends"},
      {replaced(two_joints, "OFFSET 0 -4 0", "OFFSET 0 -4 nan"), "line 8"},
      {replaced(two_joints, "OFFSET 0 -4 0", "OFFSET 0 1e300 0"), "ten million"},
      {replaced(two_joints, "CHANNELS 3", "CHANNELS 9"), "0 to 6 channels"},
      {replaced(two_joints, "CHANNELS 3", "CHANNELS 4"), "no channel"},
      {replaced(two_joints, "Yrotation Xrotation Zrotation", "Yrotation Yrotation Zrotation"), "twice"},
      {replaced(two_joints, "Zrotation\n  End", "Wrotation\n  End"), "Wrotation"},
      {replaced(two_joints, "0 10 0 90 0 0 0 0 0", "0 10 0 90 0 0 0 0"), "line 19: has 8 numbers for 9 channels"},
      {replaced(two_joints, "0 10 0 90 0 0 0 0 0", "0 10 0 90 0 0 0 0 0 0"), "line 19: has more numbers"},
      {replaced(two_joints, "0 10 0 90 0 0 0 0 0", "0 10 0 inf 0 0 0 0 0"), "\"inf\""},
      {two_joints + "1 2 3 4 5 6 7 8 9\n", "more numbers than 2 frames"},
      {replaced(two_joints, "Frames: 2", "Frames: 0"), "0 frames"},
      {replaced(two_joints, "Frames: 2", "Frames: 0.5"), "0.5 frames"},
      {replaced(two_joints, "CHANNELS 3", "CHANNELS 2.5"), "not 2.5"},
      {replaced(two_joints, "Frames: 2", "Frames: 99999999999"), "ten million"},
      {replaced(two_joints, "Frames: 2", "Frames: two"), "\"two\""},
      {replaced(two_joints, "MOTION", "NOTION"), "MOTION"},
      {replaced(two_joints, "{\n OFFSET", "OFFSET"), "line 3"},
      {two_joints.substr(0, two_joints.find("0 10 0")), "no frame"}};
  for (const Broken& broken : all) try {
      parse_bvh(broken.text, "moves/bad.bvh");
      ADD_FAILURE() << "was read, though " << broken.says;
    } catch (const Error& error) {
      const std::string what = error.what();
      EXPECT_EQ(error.kind(), ErrorKind::input);
      EXPECT_NE(what.find(broken.says), std::string::npos) << what;
      EXPECT_NE(what.find("moves/bad.bvh, line "), std::string::npos) << what;
      EXPECT_EQ(what.find('\n'), std::string::npos);
    }
}

TEST(Bvh, ManyJointsAndDeepOnes) {
  std::string text = "HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n", row = "1";
  constexpr int joints = 2000;
  for (int k = 1; k < joints; ++k) {
    text += "JOINT j" + std::to_string(k) + "\n{\nOFFSET 0 1 0\nCHANNELS 1 Zrotation\n";
    row += " 1";
  }
  for (int k = 0; k < joints; ++k) text += "}\n";
  text += "MOTION\nFrames: 2\nFrame Time: 0.1\n" + row + "\n" + row + "\n";
  EXPECT_EQ(parse_bvh(text, "a.bvh").skeleton.joints.size(), 2000u);
  std::string endless = "HIERARCHY\nROOT A\n{\n";
  for (int k = 0; k < 6000; ++k) endless += "JOINT j\n{\n";
  EXPECT_THROW(parse_bvh(endless, "a.bvh"), Error);
}

}  // namespace
}  // namespace sinew::test
