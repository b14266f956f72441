// Frames for pages, in binary form (docs/studio_protocol.md, Frame).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sinew/linalg/small.h"

namespace sinew::studio {

struct FrameMeasures {
  float step_milliseconds = 0, steps_per_second = 0, energy = 0, largest = 0, picked = 0, volume = 1;
};

// A ball that falls.
struct FrameBall {
  std::uint32_t collider = 0;  // its number among the setting's colliders
  Vec3 place;
};

// Content of a frame. World space, metres.
struct FrameContent {
  std::uint32_t number = 0, character = 0;
  double elapsed = 0, clip_time = 0, behind = 0;
  std::span<const Vec3> positions;
  std::span<const Affine> joints;  // each node's local space to world, metres
  std::span<const Vec3> goal{};    // surface by the rig alone; needed for `with_goal`, heat and measures
  bool with_goal = false, with_heat = false;
  double heat_scale = 1;  // metres
  std::optional<FrameMeasures> measures{};
  bool with_cells = false;
  std::uint32_t cells_number = 0;
  std::span<const Vec3> cells{};       // points of the cells that the flesh moves in
  std::span<const Vec3> comparison{};  // surface by the second method; empty if there is none
  std::optional<FrameMeasures> comparison_measures{};
  std::span<const FrameBall> balls{};
  bool with_muscles = false;
  std::span<const double> activation{};   // per muscle, 0 to 1
  std::span<const Vec3> muscle_places{};  // the same number of points for each muscle
};

// Writes into `bytes`, reusing their memory. Positions must be finite.
void write_frame(const FrameContent& content, std::vector<std::byte>& bytes);

// Sets the newest message of a page that the frame contains the effect of; it differs between pages.
void set_applied(std::span<std::byte> frame, std::uint32_t applied);

// Writes little-endian numbers in sequence.
class PageBytes {
 public:
  explicit PageBytes(std::vector<std::byte>& bytes) : bytes_(bytes) {}

  void u16(std::uint16_t value) { integer(value, 2); }
  void u32(std::uint32_t value) { integer(value, 4); }
  void f32(float value);
  void f64(double value);
  void pad() { bytes_.resize((bytes_.size() + 3) / 4 * 4); }
  // Appends `count` bytes, to be filled.
  std::span<std::byte> more(std::size_t count);

 private:
  void integer(std::uint64_t value, unsigned size) {
    for (unsigned k = 0; k < size; ++k) bytes_.push_back(static_cast<std::byte>(value >> (8 * k) & 0xffu));
  }

  std::vector<std::byte>& bytes_;
};

}  // namespace sinew::studio
