#include "sinew/mesh/volume/surface_anchors.h"

namespace sinew {
namespace {

Vec3 at(std::span<const Vec3> surface, int vertex) { return surface[static_cast<std::size_t>(vertex)]; }

// Change of a / |a| as `a` changes.
Vec3 direction_change(const Vec3& unit, double length, const Vec3& change) {
  return (change - unit * dot(unit, change)) / length;
}

}  // namespace

Mat3 frame_axes(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 along = normalized(b - a), normal = normalized(cross(b - a, c - a));
  return Mat3::from_columns(along, cross(normal, along), normal);
}

Vec3 offset_in_frame(const std::array<int, 3>& frame, std::span<const Vec3> surface, const Vec3& offset) {
  return transpose_times(frame_axes(at(surface, frame[0]), at(surface, frame[1]), at(surface, frame[2])), offset);
}

Vec3 anchored_position(const SurfaceAnchor& anchor, std::span<const Vec3> surface) {
  Vec3 point;
  for (std::size_t k = 0; k < 3; ++k) point += at(surface, anchor.vertex[k]) * anchor.weight[k];
  if (anchor.on_surface()) return point;
  return point + frame_axes(at(surface, anchor.frame[0]), at(surface, anchor.frame[1]), at(surface, anchor.frame[2])) *
                     anchor.offset;
}

Mat3 anchor_derivative(const SurfaceAnchor& anchor, std::span<const Vec3> surface, std::size_t which) {
  if (which < 3) return Mat3::identity() * anchor.weight[which];
  const Vec3 a = at(surface, anchor.frame[0]), b = at(surface, anchor.frame[1]), c = at(surface, anchor.frame[2]);
  const Vec3 first = b - a, second = c - a, area = cross(first, second);
  const double first_length = norm(first), area_length = norm(area);
  const Mat3 axes = frame_axes(a, b, c);
  const Vec3 along = axes.column(0), normal = axes.column(2);
  Mat3 result;
  for (std::size_t column = 0; column < 3; ++column) {
    Vec3 step;
    step[column] = 1;
    // Of the edges, as the frame's first, second or third point moves by `step`.
    const Vec3 first_change = which == 3 ? -step : which == 4 ? step : Vec3{};
    const Vec3 second_change = which == 3 ? -step : which == 5 ? step : Vec3{};
    const Vec3 along_change = direction_change(along, first_length, first_change);
    const Vec3 normal_change =
        direction_change(normal, area_length, cross(first_change, second) + cross(first, second_change));
    const Vec3 across_change = cross(normal_change, along) + cross(normal, along_change);
    const Vec3 change =
        along_change * anchor.offset.x + across_change * anchor.offset.y + normal_change * anchor.offset.z;
    for (std::size_t row = 0; row < 3; ++row) result(row, column) = change[row];
  }
  return result;
}

}  // namespace sinew
