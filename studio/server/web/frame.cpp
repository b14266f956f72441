#include "studio/server/web/frame.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <initializer_list>

namespace sinew::studio {
namespace {

constexpr std::uint32_t frame_magic = 0x46574e53;
constexpr std::uint16_t frame_version = 1, heat_flag = 1, goal_flag = 2, measures_flag = 4, cells_flag = 8,
                        comparison_flag = 16, balls_flag = 32, muscles_flag = 64;
constexpr std::size_t applied_place = 12;

struct FrameBox {
  Vec3 low, size;
};

// The box is rounded to single precision first, so that page and server use the same one.
FrameBox box_around(std::span<const Vec3> positions, std::initializer_list<std::span<const Vec3>> all) {
  if (positions.empty()) return {};
  Vec3 low = positions[0], high = low;
  for (const std::span<const Vec3> points : all)
    for (const Vec3& point : points) {
      low = min(low, point);
      high = max(high, point);
    }
  FrameBox box;
  for (std::size_t i = 0; i < 3; ++i) {
    box.low[i] = std::nextafter(static_cast<float>(low[i]), -HUGE_VALF);
    box.size[i] = std::nextafter(static_cast<float>(high[i] - box.low[i]), HUGE_VALF);
  }
  return box;
}

void put_u16(std::byte* place, double value) {
  const auto whole = static_cast<std::uint16_t>(value);
  place[0] = static_cast<std::byte>(whole & 0xffu);
  place[1] = static_cast<std::byte>(whole >> 8);
}

void write_points(std::span<const Vec3> points, const FrameBox& box, PageBytes& writer) {
  const Vec3 steps{65535 / box.size.x, 65535 / box.size.y, 65535 / box.size.z};
  std::byte* place = writer.more(6 * points.size()).data();
  for (const Vec3& point : points) {
    const Vec3 way = point - box.low;
    put_u16(place, std::clamp(way.x * steps.x + 0.5, 0.0, 65535.0));
    put_u16(place + 2, std::clamp(way.y * steps.y + 0.5, 0.0, 65535.0));
    put_u16(place + 4, std::clamp(way.z * steps.z + 0.5, 0.0, 65535.0));
    place += 6;
  }
  writer.pad();
}

void write_heat(const FrameContent& content, PageBytes& writer) {
  std::byte* place = writer.more(content.positions.size()).data();
  for (std::size_t v = 0; v < content.positions.size(); ++v) {
    const double share = distance(content.positions[v], content.goal[v]) / content.heat_scale;
    place[v] = static_cast<std::byte>(static_cast<unsigned>(std::clamp(share, 0.0, 1.0) * 255 + 0.5));
  }
  writer.pad();
  writer.f32(static_cast<float>(content.heat_scale));
}

void write_measures(const FrameMeasures& m, PageBytes& writer) {
  for (const float value : {m.step_milliseconds, m.steps_per_second, m.energy, m.largest, m.picked, m.volume})
    writer.f32(value);
}

void write_balls(std::span<const FrameBall> balls, PageBytes& writer) {
  writer.u32(static_cast<std::uint32_t>(balls.size()));
  for (const FrameBall& ball : balls) {
    writer.u32(ball.collider);
    for (std::size_t i = 0; i < 3; ++i) writer.f32(static_cast<float>(ball.place[i]));
  }
}

void write_muscles(const FrameContent& content, PageBytes& writer) {
  const std::size_t muscles = content.activation.size(), points = content.muscle_places.size();
  writer.u32(static_cast<std::uint32_t>(muscles));
  writer.u32(static_cast<std::uint32_t>(muscles > 0 ? points / muscles : 0));
  for (const double activation : content.activation) writer.f32(static_cast<float>(activation));
  for (const Vec3& place : content.muscle_places)
    for (std::size_t i = 0; i < 3; ++i) writer.f32(static_cast<float>(place[i]));
}

}  // namespace

void PageBytes::f32(float value) { u32(std::bit_cast<std::uint32_t>(value)); }
void PageBytes::f64(double value) { integer(std::bit_cast<std::uint64_t>(value), 8); }
std::span<std::byte> PageBytes::more(std::size_t count) {
  bytes_.resize(bytes_.size() + count);
  return std::span(bytes_).last(count);
}

void write_frame(const FrameContent& content, std::vector<std::byte>& bytes) {
  bytes.clear();
  PageBytes writer(bytes);
  const unsigned flags = (content.with_heat ? heat_flag : 0u) | (content.with_goal ? goal_flag : 0u) |
                         (content.measures ? measures_flag : 0u) | (content.with_cells ? cells_flag : 0u) |
                         (content.comparison.empty() ? 0u : comparison_flag) |
                         (content.balls.empty() ? 0u : balls_flag) | (content.with_muscles ? muscles_flag : 0u);
  writer.u32(frame_magic);
  writer.u16(frame_version);
  writer.u16(static_cast<std::uint16_t>(flags));
  writer.u32(content.number);
  writer.u32(0);  // see set_applied()
  writer.f64(content.elapsed);
  writer.f64(content.clip_time);
  writer.f64(content.behind);
  writer.u32(static_cast<std::uint32_t>(content.positions.size()));
  writer.u32(static_cast<std::uint32_t>(content.joints.size()));
  writer.u32(content.character);
  const std::span<const Vec3> goal = content.with_goal ? content.goal : std::span<const Vec3>();
  const FrameBox box = box_around(content.positions, {content.positions, goal, content.cells, content.comparison});
  for (const Vec3& corner : {box.low, box.size})
    for (std::size_t i = 0; i < 3; ++i) writer.f32(static_cast<float>(corner[i]));
  write_points(content.positions, box, writer);
  for (const Affine& joint : content.joints) {
    for (const double number : joint.linear.m) writer.f32(static_cast<float>(number));
    for (std::size_t i = 0; i < 3; ++i) writer.f32(static_cast<float>(joint.translation[i]));
  }
  if (content.with_heat) write_heat(content, writer);
  if (content.with_goal) write_points(content.goal, box, writer);
  if (content.measures) write_measures(*content.measures, writer);
  if (content.with_cells) {
    writer.u32(content.cells_number);
    writer.u32(static_cast<std::uint32_t>(content.cells.size()));
    write_points(content.cells, box, writer);
  }
  if (!content.comparison.empty()) {
    write_points(content.comparison, box, writer);
    if (content.measures) write_measures(content.comparison_measures.value_or(FrameMeasures{}), writer);
  }
  if (!content.balls.empty()) write_balls(content.balls, writer);
  if (content.with_muscles) write_muscles(content, writer);
}

void set_applied(std::span<std::byte> frame, std::uint32_t applied) {
  for (unsigned k = 0; k < 4; ++k) frame[applied_place + k] = static_cast<std::byte>(applied >> (8 * k) & 0xffu);
}

}  // namespace sinew::studio
