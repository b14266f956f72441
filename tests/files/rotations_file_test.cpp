// Files of rotations of elements: they read back to the bit, and sentences say what is wrong.
#include "sinew/files/rotations_file.h"

#include <gtest/gtest.h>

#include "tests/base/refusal.h"

namespace sinew {
namespace {

Mat3 turned_about_x(double radians) { return to_matrix(axis_angle({1, 0, 0}, radians)); }

ElementRotations three_elements() {
  ElementRotations rotations;
  rotations.add(0, std::vector{Mat3::identity(), turned_about_x(0.4), Mat3::identity()});
  rotations.add(2, std::vector{turned_about_x(1), turned_about_x(0.4), turned_about_x(1)});
  return rotations;
}

TEST(RotationsFile, ReadsBackToTheBitInTheFewestGroups) {
  const ElementRotations all = three_elements(), rotations = all.grouped();
  EXPECT_EQ(rotations.groups(), 2u);
  EXPECT_EQ(rotations.group, (std::vector<int>{0, 1, 0}));
  const ElementRotations read = parse_rotations_file(rotations_file_bytes(rotations), "a.rotations");
  std::vector<Mat3> now, before;
  for (const double time : {-1.0, 0.0, 1.0, 2.0, 3.0}) {
    read.at(time, now);
    all.at(time, before);
    EXPECT_EQ(now, before) << time;
  }
  read.at(0, now);
  EXPECT_EQ(now[1], turned_about_x(0.4));
  read.at(1, now);
  EXPECT_LT(frobenius_norm(now[0] - turned_about_x(0.5)), 1e-15);
  EXPECT_EQ(now[1], turned_about_x(0.4));
}

TEST(RotationsFile, WhatIsWrongIsASentence) {
  const auto complaint = [](const ElementRotations& wrong) {
    return test::refusal(ErrorKind::usage, [&] { rotations_file_bytes(wrong); });
  };
  ElementRotations rotations = three_elements();
  rotations.rotation[4](0, 0) = 1.1;
  EXPECT_NE(complaint(rotations).find("group 1 in frame 1 is no rotation"), std::string::npos);
  rotations = three_elements();
  rotations.rotation[0] = rotations.rotation[0] * -1.0;  // mirrors
  EXPECT_NE(complaint(rotations).find("group 0 in frame 0 is no rotation"), std::string::npos);
  rotations = three_elements();
  rotations.time[1] = 0;
  EXPECT_NE(complaint(rotations).find("frame 1"), std::string::npos);
  rotations = three_elements();
  rotations.group[2] = 3;
  EXPECT_NE(complaint(rotations).find("element 2 is in group 3"), std::string::npos);
  EXPECT_NE(complaint({}), "");
  EXPECT_NE(test::refusal(ErrorKind::usage, [&] { three_elements().add(1, std::vector<Mat3>(3)); }), "");

  std::vector<std::byte> bytes = rotations_file_bytes(three_elements());
  const auto broken = [](std::span<const std::byte> file) {
    return test::refusal(ErrorKind::input, [&] { parse_rotations_file(file, "a.rotations"); });
  };
  for (std::size_t length = 0; length < bytes.size(); length += 7)
    EXPECT_NE(broken(std::span(bytes).first(length)), "") << length;
  bytes[8] = std::byte{9};
  EXPECT_NE(broken(bytes).find("version 9"), std::string::npos);
}

}  // namespace
}  // namespace sinew
