#include "sinew/picture/light.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "sinew/base/threads/parallel.h"

namespace sinew {
namespace {

constexpr int pattern_side = 8;  // points, along each axis
constexpr int pattern_points = pattern_side * pattern_side;
constexpr std::size_t picture_light_rows_per_task = 8;

constexpr double key_radius = 0.16;     // tangent of the key light's half angle
constexpr double ambient_reach = 0.35;  // relative to the scene's size: occluders farther away are ignored
// Relative to the scene's size: points farther off a plane belong to another surface.
constexpr float relative_thickness = 0.01f;
constexpr double ray_offset = 2e-4;  // of the scene's size: keeps rays off their own triangle

const Vec3 key_direction = normalized(Vec3{-0.55, 1.0, 0.75});

struct TangentFrame {
  Vec3 tangent, bitangent;
};

TangentFrame frame_of(const Vec3& normal) {
  const Vec3 helper = std::abs(normal.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 0, 1};
  const Vec3 tangent = normalized(cross(helper, normal));
  return {tangent, cross(normal, tangent)};
}

const TangentFrame key_frame = frame_of(key_direction);

// Evenly distributed points of the unit disc: a golden-angle spiral.
std::array<std::array<double, 2>, pattern_points> spiral() {
  std::array<std::array<double, 2>, pattern_points> points{};
  const double golden_angle = std::numbers::pi * (3 - std::sqrt(5.0));
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double radius = std::sqrt((static_cast<double>(i) + 0.5) / pattern_points);
    const double angle = golden_angle * static_cast<double>(i);
    points[i] = {radius * std::cos(angle), radius * std::sin(angle)};
  }
  return points;
}

const std::array<std::array<double, 2>, pattern_points> disc = spiral();

// Neighbouring pixels take distant samples: the bits of x and of x ^ y, interleaved and reversed.
std::size_t pattern_index(int x, int y) {
  std::size_t index = 0;
  for (unsigned bit = 0; bit < 3; ++bit) {
    const unsigned a = (static_cast<unsigned>(x) >> bit) & 1u, b = (static_cast<unsigned>(x ^ y) >> bit) & 1u;
    index |= static_cast<std::size_t>(2 * b + a) << (4 - 2 * bit);
  }
  return index;
}

// A triangular kernel, which is two boxes of the pattern's width convolved: every sample of the pattern has the same
// weight in it, so that the pattern is not visible on even surfaces.
constexpr int reach = pattern_side - 1;
constexpr float tap_weight(int offset) { return static_cast<float>(pattern_side - (offset < 0 ? -offset : offset)); }

// Weight that smoothing gives a point with a quarter of the kernel around it.
constexpr float enough_weight = pattern_points * pattern_points / 8.0f;

float dot3(const float* a, const float* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

bool same_surface(const LightBuffer::Point& a, const LightBuffer::Point& b, float thickness) {
  if (a.kind != b.kind) return false;
  if (a.kind != PointKind::object) return true;
  const float step[3] = {b.position[0] - a.position[0], b.position[1] - a.position[1], b.position[2] - a.position[2]};
  return dot3(a.normal, b.normal) > 0.85f && std::abs(dot3(step, a.normal)) < thickness;
}

// One of the two passes, along rows (stride 1) or along columns.
void smooth_along(LightBuffer& buffer, bool along_rows, float thickness) {
  const std::vector<LightBuffer::Light>& light = buffer.light();
  std::vector<LightBuffer::Light> result(light.size());
  const int limit = along_rows ? buffer.width() : buffer.height();
  const std::ptrdiff_t stride = along_rows ? 1 : buffer.width();
  parallel_for(static_cast<std::size_t>(buffer.height()), picture_light_rows_per_task, [&](std::size_t row) {
    const int y = static_cast<int>(row);
    for (int x = 0; x < buffer.width(); ++x) {
      const std::size_t index = buffer.index(x, y);
      const LightBuffer::Point& centre = buffer.point(index);
      if (centre.kind == PointKind::nothing) continue;
      const int place = along_rows ? x : y;
      LightBuffer::Light sum{0, 0, 0};
      for (int offset = std::max(-reach, -place); offset <= std::min(reach, limit - 1 - place); ++offset) {
        const std::size_t other = index + static_cast<std::size_t>(offset * stride);
        if (light[other].weight == 0 || !same_surface(centre, buffer.point(other), thickness)) continue;
        const float weight = tap_weight(offset);
        sum.key += weight * light[other].key;
        sum.ambient += weight * light[other].ambient;
        sum.weight += weight * light[other].weight;
      }
      result[index] = sum;
    }
  });
  buffer.light().swap(result);
}

Vec3 times(const Vec3& a, const Vec3& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }

LightBuffer::Point light_point(const SeenPoint& point) {
  LightBuffer::Point result;
  result.kind = point.kind;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    result.position[axis] = static_cast<float>(point.position[axis]);
    result.normal[axis] = static_cast<float>(point.normal[axis]);
  }
  return result;
}

double power_of_two_times(double value, int squarings) {
  for (int i = 0; i < squarings; ++i) value *= value;
  return value;
}

Vec3 shade_object(const SeenPoint& point, const LightShare& light, const Vec3& direction) {
  const Vec3 key_color{1.18, 1.13, 1.05}, sky{0.62, 0.68, 0.78}, floor_bounce{0.34, 0.31, 0.28};
  const Vec3& normal = point.normal;
  const double key = light.key, shelter = light.ambient;
  const double upward = 0.5 + 0.5 * normal.y;
  const Vec3 ambient = (sky * upward + floor_bounce * (1 - upward)) * shelter;
  const Vec3 diffuse = times(point.color, ambient + key_color * (std::max(0.0, dot(normal, key_direction)) * key));

  // A broad highlight and a brighter rim make round shapes look round.
  const Vec3 half = normalized(key_direction - direction);
  const double highlight = 0.06 * power_of_two_times(std::max(0.0, dot(normal, half)), 5) * key;
  const double grazing = 1 - std::min(1.0, std::abs(dot(normal, direction)));
  const double rim = 0.10 * grazing * grazing * grazing * shelter;
  return diffuse + point.emission + Vec3{1, 1, 1} * (highlight + rim);
}

}  // namespace

void LightBuffer::set(std::size_t index, const SeenPoint& point) { points_[index] = light_point(point); }

void LightBuffer::set_light(std::size_t index, const LightShare& share) {
  light_[index] = {static_cast<float>(share.key), static_cast<float>(share.ambient), 1};
}

LightShare Occlusion::sample(const SeenPoint& point, int x, int y) const {
  const std::size_t index = pattern_index(x, y);
  const Vec3 origin = point.position + point.face_normal * (ray_offset * size_);
  LightShare share;

  // A point of the key light, seen as a disc.
  const Vec3 to_key = key_direction + key_frame.tangent * (key_radius * disc[index][0]) +
                      key_frame.bitangent * (key_radius * disc[index][1]);
  const bool faces_key = dot(point.normal, to_key) > 0;
  share.key = faces_key && !rays_.occluded(origin, to_key, 0, 4 * size_) ? 1 : 0;

  // Lifting the disc onto the hemisphere distributes directions by the cosine of their angle to the normal.
  const std::array<double, 2>& spot = disc[index];
  const double height = std::sqrt(1 - spot[0] * spot[0] - spot[1] * spot[1]);
  const TangentFrame frame = frame_of(point.normal);
  const Vec3 outward = frame.tangent * spot[0] + frame.bitangent * spot[1] + point.normal * height;
  share.ambient = rays_.occluded(origin, outward, 0, ambient_reach * size_) ? 0 : 1;
  return share;
}

GroundShade ground_shade(const Vec3& low, const Vec3& high, double ground, double size) {
  // Objects block ambient light within its reach, and the key light along the rays to the farthest points of its disc.
  const double ambient = ambient_reach * size, height = std::max(high.y - ground, 0.0);
  GroundShade shade{low.x - ambient, high.x + ambient, low.z - ambient, high.z + ambient};
  for (const double up : {-key_radius, key_radius})
    for (const double aside : {-key_radius, key_radius}) {
      const double along_x = -height * (key_direction.x + aside) / (key_direction.y + up);
      const double along_z = -height * (key_direction.z + aside) / (key_direction.y + up);
      shade.left = std::min(shade.left, low.x + along_x), shade.right = std::max(shade.right, high.x + along_x);
      shade.back = std::min(shade.back, low.z + along_z), shade.front = std::max(shade.front, high.z + along_z);
    }
  return shade;
}

void smooth_light(LightBuffer& buffer, double size) {
  const float thickness = relative_thickness * static_cast<float>(size);
  smooth_along(buffer, true, thickness);
  smooth_along(buffer, false, thickness);
}

Vec3 backdrop(double height) {
  const Vec3 upper{0.60, 0.66, 0.74}, lower{0.86, 0.86, 0.85};
  const double t = std::clamp(height, 0.0, 1.0), smooth = t * t * (3 - 2 * t);
  return upper * (1 - smooth) + lower * smooth;
}

LightShare light_at(const LightBuffer& buffer, int x, int y, const SeenPoint& point, double size) {
  const LightBuffer::Point wanted = light_point(point);
  const float thickness = relative_thickness * static_cast<float>(size);
  LightBuffer::Light sum{0, 0, 0};
  const auto add = [&](int px, int py) {
    const std::size_t index = buffer.index(px, py);
    const LightBuffer::Light& light = buffer.light()[index];
    if (light.weight == 0 || !same_surface(wanted, buffer.point(index), thickness)) return;
    sum.key += light.key, sum.ambient += light.ambient, sum.weight += light.weight;
  };
  add(x, y);
  for (int py = std::max(0, y - 1); py <= std::min(buffer.height() - 1, y + 1) && sum.weight == 0; ++py)
    for (int px = std::max(0, x - 1); px <= std::min(buffer.width() - 1, x + 1); ++px) add(px, py);
  if (sum.weight == 0) return {};
  // Few samples, as in a corner of the mouth or between two fingers, are noise: missing ones count as half lit.
  const float lacking = point.kind == PointKind::object ? std::max(0.0f, enough_weight - sum.weight) : 0;
  const float all = sum.weight + lacking;
  return {static_cast<double>((sum.key + 0.5f * lacking) / all),
          static_cast<double>((sum.ambient + 0.5f * lacking) / all)};
}

Vec3 shade(const SeenPoint& point, const LightShare& light, const Vec3& direction, const Vec3& behind) {
  if (point.kind == PointKind::object) return shade_object(point, light, direction);
  if (point.kind == PointKind::nothing) return behind;
  // Lit ground has the colour of the backdrop.
  constexpr double key_part = 0.38, ambient_part = 0.45;
  return behind * (1 - key_part * (1 - light.key) - ambient_part * (1 - light.ambient));
}

}  // namespace sinew
