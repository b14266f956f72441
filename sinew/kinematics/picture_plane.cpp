#include "sinew/kinematics/picture_plane.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace sinew {
namespace {

constexpr double nearest_to_eye = 0.05;  // of the plane's distance
constexpr double least_seen = 1e-6;      // part of a piece in the plane that has a direction

double before_eye(const PicturePlane& plane, double height) {
  const double distance = plane.height(*plane.eye);
  return std::max(distance - height, nearest_to_eye * distance);
}

}  // namespace

Vec3 PicturePlane::seen(const Vec3& place) const {
  if (!eye) return place - normal * height(place);
  const double scale = height(*eye) / before_eye(*this, height(place));
  return flattened(place) + normal * dot(origin, normal) + flattened(place - *eye) * (scale - 1);
}

double PicturePlane::turn_to(const Vec3& direction, const Vec3& from, const Vec3& piece) const {
  // With x along the direction and y across it, the piece (h cos a, h sin a, z) keeps h and z. Seen in parallel it has
  // the direction where sin a = 0. The eye, above (0, 0) at the distance D, sees a place of height z enlarged by
  // D / (D - z), so the piece begins and ends at the same y of the picture where
  //   s / (D - z0) = (s + h sin a) / (D - z1),  s the y at which it begins.
  const Vec3 across = cross(normal, direction), flat = flattened(piece);
  const double h = norm(flat);
  if (!(h > least_seen * norm(piece))) return 0;
  double sine = 0;
  if (eye) {
    const double z = height(from), begins = before_eye(*this, z), ends = before_eye(*this, z + dot(piece, normal));
    sine = std::clamp(dot(from - *eye, across) * (ends / begins - 1) / h, -1.0, 1.0);
  }
  const double now = std::atan2(dot(flat, across), dot(flat, direction));
  return std::remainder(std::asin(sine) - now, 2 * std::numbers::pi);
}

Polyline::Polyline(std::vector<Vec3> points) : points_(std::move(points)), until_{0} {
  for (std::size_t k = 1; k < points_.size(); ++k)
    until_.push_back(until_.back() + distance(points_[k], points_[k - 1]));
}

Vec3 Polyline::at(double length) const {
  if (!(length > 0)) return points_.front();
  if (length >= until_.back()) return points_.back();
  const auto next = static_cast<std::size_t>(std::upper_bound(until_.begin(), until_.end(), length) - until_.begin());
  const double share = (length - until_[next - 1]) / (until_[next] - until_[next - 1]);
  return points_[next - 1] + (points_[next] - points_[next - 1]) * share;
}

}  // namespace sinew
