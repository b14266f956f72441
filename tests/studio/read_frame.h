// Frames as a page reads them, by docs/studio_protocol.md alone.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "sinew/linalg/small.h"

namespace sinew::test {

struct ReadFrame {
  std::uint32_t number = 0, applied = 0, character = 0;
  double elapsed = 0, clip_time = 0, behind = 0;
  std::vector<Vec3> positions, goal, cells, comparison;
  std::vector<Affine> joints;
  std::vector<int> heat;
  float heat_scale = 0;
  std::vector<float> measures, comparison_measures;
  std::uint32_t cells_number = 0;
  std::vector<Vec3> balls;
  std::vector<float> activation;
  std::vector<Vec3> muscle_places;
};

class FrameReader {
 public:
  explicit FrameReader(std::span<const std::byte> bytes) : bytes_(bytes) {}
  template <class T>
  T take() {
    T value{};
    if (at_ + sizeof(T) > bytes_.size()) {
      ADD_FAILURE() << "the frame ends too early";
      return value;
    }
    std::memcpy(&value, bytes_.data() + at_, sizeof(T));
    at_ += sizeof(T);
    return value;
  }
  void align() { at_ = (at_ + 3) / 4 * 4; }
  bool at_end() const { return at_ == bytes_.size(); }

 private:
  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
};

inline ReadFrame read_frame(std::span<const std::byte> bytes) {
  FrameReader reader(bytes);
  ReadFrame frame;
  EXPECT_EQ(reader.take<std::uint32_t>(), 0x46574e53u);
  EXPECT_EQ(reader.take<std::uint16_t>(), 1);
  const auto flags = reader.take<std::uint16_t>();
  frame.number = reader.take<std::uint32_t>();
  frame.applied = reader.take<std::uint32_t>();
  frame.elapsed = reader.take<double>();
  frame.clip_time = reader.take<double>();
  frame.behind = reader.take<double>();
  const auto vertices = reader.take<std::uint32_t>(), joints = reader.take<std::uint32_t>();
  frame.character = reader.take<std::uint32_t>();
  float box[6];
  for (float& number : box) number = reader.take<float>();
  const auto points = [&](std::uint32_t count) {
    std::vector<Vec3> result(count);
    for (Vec3& point : result)
      for (std::size_t i = 0; i < 3; ++i)
        point[i] =
            static_cast<double>(box[i]) + reader.take<std::uint16_t>() / 65535.0 * static_cast<double>(box[3 + i]);
    reader.align();
    return result;
  };
  frame.positions = points(vertices);
  for (std::uint32_t j = 0; j < joints; ++j) {
    Affine& joint = frame.joints.emplace_back();
    for (double& number : joint.linear.m) number = static_cast<double>(reader.take<float>());
    for (std::size_t i = 0; i < 3; ++i) joint.translation[i] = static_cast<double>(reader.take<float>());
  }
  if (flags & 1) {
    for (std::uint32_t v = 0; v < vertices; ++v) frame.heat.push_back(reader.take<std::uint8_t>());
    reader.align();
    frame.heat_scale = reader.take<float>();
  }
  if (flags & 2) frame.goal = points(vertices);
  const auto measures = [&] {
    std::vector<float> result(6);
    for (float& number : result) number = reader.take<float>();
    return result;
  };
  if (flags & 4) frame.measures = measures();
  if (flags & 8) {
    frame.cells_number = reader.take<std::uint32_t>();
    frame.cells = points(reader.take<std::uint32_t>());
  }
  if (flags & 16) {
    frame.comparison = points(vertices);
    if (flags & 4) frame.comparison_measures = measures();
  }
  if (flags & 32) {
    const auto balls = reader.take<std::uint32_t>();
    for (std::uint32_t b = 0; b < balls; ++b) {
      reader.take<std::uint32_t>();
      Vec3& place = frame.balls.emplace_back();
      for (std::size_t i = 0; i < 3; ++i) place[i] = static_cast<double>(reader.take<float>());
    }
  }
  if (flags & 64) {
    const auto muscles = reader.take<std::uint32_t>(), count = reader.take<std::uint32_t>();
    for (std::uint32_t m = 0; m < muscles; ++m) frame.activation.push_back(reader.take<float>());
    for (std::uint32_t p = 0; p < muscles * count; ++p) {
      Vec3& place = frame.muscle_places.emplace_back();
      for (std::size_t i = 0; i < 3; ++i) place[i] = static_cast<double>(reader.take<float>());
    }
  }
  EXPECT_TRUE(reader.at_end());
  return frame;
}

}  // namespace sinew::test
