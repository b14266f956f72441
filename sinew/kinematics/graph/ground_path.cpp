#include "sinew/kinematics/graph/ground_path.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// Between p[1] and p[2], with knots that are as far apart as the roots of the distances (Barry and Goldman 1988).
Vec3 catmull_rom(const Vec3 (&p)[4], double share) {
  double knot[4] = {0, 0, 0, 0};
  for (int k = 1; k < 4; ++k) knot[k] = knot[k - 1] + std::sqrt(distance(p[k], p[k - 1]));
  const double t = std::lerp(knot[1], knot[2], share);
  const auto line = [&](const Vec3& a, const Vec3& b, int from, int to) {
    const double weight = (t - knot[from]) / (knot[to] - knot[from]);
    return a * (1 - weight) + b * weight;
  };
  const Vec3 a = line(p[0], p[1], 0, 1), b = line(p[1], p[2], 1, 2), c = line(p[2], p[3], 2, 3);
  return line(line(a, b, 0, 2), line(b, c, 1, 3), 1, 2);
}

}  // namespace

std::vector<Vec3> points_apart(std::span<const Vec3> points, bool closed) {
  constexpr double least = 1e-6;  // metres
  std::vector<Vec3> apart;
  for (const Vec3& p : points)
    if (apart.empty() || !(distance(apart.back(), p) < least)) apart.push_back(p);
  while (closed && apart.size() > 1 && distance(apart.front(), apart.back()) < least) apart.pop_back();
  return apart;
}

GroundPath::GroundPath(std::span<const Vec3> points, bool closed) {
  std::vector<Vec3> through;
  for (const Vec3& p : points) through.push_back({p.x, 0, p.z});
  const std::size_t n = through.size(), pieces = closed ? n : n - 1;
  const auto point = [&](std::ptrdiff_t k) {
    const auto count = static_cast<std::ptrdiff_t>(n);
    if (closed) return through[static_cast<std::size_t>((k + count) % count)];
    // The ends go straight on.
    if (k < 0) return 2 * through[0] - through[1];
    if (k >= count) return 2 * through[n - 1] - through[n - 2];
    return through[static_cast<std::size_t>(k)];
  };
  constexpr int steps = 32;
  for (std::size_t piece = 0; piece < pieces; ++piece) {
    const auto k = static_cast<std::ptrdiff_t>(piece);
    const Vec3 around[4] = {point(k - 1), point(k), point(k + 1), point(k + 2)};
    for (int s = 0; s < steps; ++s) points_.push_back(catmull_rom(around, static_cast<double>(s) / steps));
  }
  points_.push_back(point(static_cast<std::ptrdiff_t>(pieces)));
  along_.push_back(0);
  for (std::size_t k = 1; k < points_.size(); ++k)
    along_.push_back(along_.back() + distance(points_[k], points_[k - 1]));
}

std::size_t GroundPath::piece_at(double way) const {
  const auto after = std::upper_bound(along_.begin() + 1, along_.end() - 1, way);
  return static_cast<std::size_t>(after - along_.begin()) - 1;
}

Vec3 GroundPath::direction(double way) const {
  const std::size_t k = piece_at(way);
  return normalized(points_[k + 1] - points_[k]);
}

double GroundPath::nearest_way(const Vec3& place, double way, double reach) const {
  const double begin = std::clamp(way - reach, 0.0, length()), end = std::clamp(way + reach, begin, length());
  double nearest = begin, least = HUGE_VAL;
  for (std::size_t k = piece_at(begin); k + 1 < points_.size() && along_[k] <= end; ++k) {
    const double along = along_[k] + dot(place - points_[k], direction(along_[k]));
    const double there = std::clamp(along, std::max(begin, along_[k]), std::min(end, along_[k + 1]));
    if (const double d = distance(place, at(there)); d < least) least = d, nearest = there;
  }
  return nearest;
}

Vec3 GroundPath::at(double way) const {
  const std::size_t k = piece_at(way);
  return points_[k] + direction(way) * (way - along_[k]);
}

}  // namespace sinew
