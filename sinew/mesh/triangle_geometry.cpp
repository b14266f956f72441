#include "sinew/mesh/triangle_geometry.h"

#include <algorithm>

namespace sinew {
namespace {

double closest_parameter_on_segment(const Vec3& p, const Vec3& a, const Vec3& b) {
  const Vec3 d = b - a;
  const double length = dot(d, d);
  return length > 0 ? std::clamp(dot(p - a, d) / length, 0.0, 1.0) : 0.0;
}

}  // namespace

ClosestPoint closest_point_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  ClosestPoint best;
  const Vec3 n = cross(b - a, c - a);
  const double nn = dot(n, n);
  if (nn > 0) {
    // Barycentric coordinates of the projection; if all are positive, the closest point is inside.
    const double u = dot(cross(c - b, p - b), n) / nn, v = dot(cross(a - c, p - c), n) / nn, w = 1 - u - v;
    if (u >= 0 && v >= 0 && w >= 0) {
      best.barycentric = {u, v, w};
      best.point = u * a + v * b + w * c;
      best.squared_distance = squared_norm(p - best.point);
      return best;
    }
  }
  const std::array<Vec3, 3> corner{a, b, c};
  best.squared_distance = HUGE_VAL;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3;
    const double t = closest_parameter_on_segment(p, corner[i], corner[j]);
    const Vec3 q = (1 - t) * corner[i] + t * corner[j];
    const double distance = squared_norm(p - q);
    if (distance >= best.squared_distance) continue;
    best.squared_distance = distance;
    best.point = q;
    best.barycentric = {0, 0, 0};
    best.barycentric[i] = 1 - t;
    best.barycentric[j] = t;
  }
  return best;
}

double solid_angle(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double la = norm(a), lb = norm(b), lc = norm(c);
  const double numerator = dot(a, cross(b, c));
  const double denominator = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
  return numerator == 0 ? 0.0 : 2 * std::atan2(numerator, denominator);
}

}  // namespace sinew
