#include "sinew/mesh/lattice_building/coarsen_star.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

#include "sinew/base/index.h"
#include "sinew/mesh/tetrahedron.h"

namespace sinew {
namespace {

// Distance below which rounding may decide whether a point is inside, relative to the largest coordinate.
constexpr double relative_doubt = 1e-12;
// Tetrahedra whose cube (below) is smaller are nearly flat: their shape is computed as mean_ratio() does.
constexpr double nearly_flat = 1e-16;
// The cube of the mean ratio, relative to (6 V)^2 / (sum of squared edges)^3.
constexpr double cube_factor = 432;

// v^(-1/3) for positive normal numbers, by Newton's method from a guess that is 4 % off.
double inverse_cube_root(double v) {
  constexpr std::uint64_t offset = 0x553ef0ff289dd796;
  double y = std::bit_cast<double>(offset - std::bit_cast<std::uint64_t>(v) / 3);
  for (int k = 0; k < 4; ++k) y *= (4.0 / 3) - (1.0 / 3) * v * y * y * y;
  return y;
}

// The least positive number that coarse() does not round to less than coarse(value); 0 if the value is not positive.
double least_as_coarse(double value) {
  const double rounded = coarse(value);
  if (!(rounded > 0) || !std::isnormal(rounded)) return std::max(0.0, rounded);
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(rounded) - (std::uint64_t{1} << 46));
}

double largest_coordinate(const Vec3& p) { return std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}); }

}  // namespace

void TrialStar::begin() {
  faces_.clear();
  removed_.clear();
  points_.count = 0;
  groups_.clear();
  has_points_ = false;
  volume_before_ = doubt_ = 0;
}

void TrialStar::add_face(int tetrahedron, int apex) {
  const Tetrahedron& t = complex_.tetrahedra[index(tetrahedron)];
  Face face;
  face.all = complex_.corners(tetrahedron);
  while (t[face.apex] != apex) ++face.apex;
  const auto& [i, j, k] = outward_faces[face.apex];
  const Vec3 &u = face.all[i], &v = face.all[j], &w = face.all[k];
  face.corners = {u, v, w};
  face.area = cross(w - u, v - u);
  face.squares = squared_norm(v - u) + squared_norm(w - v) + squared_norm(u - w);
  face.low = min(min(u, v), w);
  face.high = max(max(u, v), w);
  for (const Vec3& p : face.all) doubt_ = std::max(doubt_, relative_doubt * largest_coordinate(p));
  faces_.push_back(face);
}

void TrialStar::remove(int tetrahedron, bool stays) {
  removed_.push_back({tetrahedron, stays ? static_cast<int>(faces_.size()) - 1 : -1});
  const std::array<Vec3, 4> p = complex_.corners(tetrahedron);
  volume_before_ += volume(p[0], p[1], p[2], p[3]);
}

void TrialStar::around_vertex(int vertex) {
  begin();
  for (const int t : complex_.star[index(vertex)]) {
    add_face(t, vertex);
    remove(t, true);
  }
}

void TrialStar::around_collapsed_edge(int kept, int gone) {
  begin();
  for (const int t : complex_.star[index(kept)]) {
    const bool stays = !has_vertex(complex_.tetrahedra[index(t)], gone);
    if (stays) add_face(t, kept);
    remove(t, stays);
  }
  for (const int t : complex_.star[index(gone)]) {
    if (has_vertex(complex_.tetrahedra[index(t)], kept)) continue;
    add_face(t, gone);
    remove(t, true);
  }
}

double TrialStar::cube_at(const Face& face, const Vec3& p) const {
  const Vec3 a = p - face.corners[0], b = p - face.corners[1], c = p - face.corners[2];
  const double six_volumes = dot(face.area, a);
  const double squares = face.squares + squared_norm(a) + squared_norm(b) + squared_norm(c);
  const double cube = six_volumes * std::abs(six_volumes) / (squares * squares * squares);
  if (std::abs(cube) >= nearly_flat) return cube;
  std::array<Vec3, 4> corners = face.all;
  corners[face.apex] = p;
  const double ratio = mean_ratio(corners);
  return ratio * ratio * ratio / cube_factor;
}

double TrialStar::mean_ratio_from(const Vec3& p, double floor) const {
  const double least_allowed = least_as_coarse(floor);
  // Trials rejected here are so far below that rounding does not matter.
  const double reject_below = (1 - 1e-9) * least_allowed * least_allowed * least_allowed / cube_factor;
  double least = HUGE_VAL;
  for (const Face& face : faces_) {
    least = std::min(least, cube_at(face, p));
    if (!(least > 0) || least < reject_below) return 0;
  }
  const double ratio = std::cbrt(cube_factor * least);
  return coarse(ratio) >= coarse(floor) ? ratio : 0;
}

double TrialStar::volume_at(const Vec3& p) const {
  double sum = 0;
  for (const Face& face : faces_) sum += dot(face.area, p - face.corners[0]);
  return sum / 6;
}

double TrialStar::volume_slope(const Vec3& direction) const {
  Vec3 sum;
  for (const Face& face : faces_) sum += face.area;
  return dot(sum, direction) / 6;
}

double TrialStar::energy(const Vec3& p, double volume_weight, double limit) const {
  double shape = 0, six_volumes = 0;
  for (const Face& face : faces_) {
    const Vec3 a = p - face.corners[0], b = p - face.corners[1], c = p - face.corners[2];
    const double here = dot(face.area, a);
    const double squares = face.squares + squared_norm(a) + squared_norm(b) + squared_norm(c);
    if (std::abs(here) * std::abs(here) >= nearly_flat * (squares * squares * squares)) {
      if (here < 0) return HUGE_VAL;
      // (1 / q)^2 with q = 12 (3 V)^(2/3) / squares
      const double root = inverse_cube_root(0.5 * here), square = root * root;
      shape += squares * squares * square * square / 144;
    } else {
      const double cube = cube_at(face, p);
      if (!(cube > 0)) return HUGE_VAL;
      const double ratio = std::cbrt(cube_factor * cube);
      shape += 1 / (ratio * ratio);
    }
    if (shape > limit) return HUGE_VAL;
    six_volumes += here;
  }
  return shape + volume_weight * six_volumes / 6;
}

void TrialStar::heights_over(const LoosePlanes& planes, const Points& points, std::size_t begin, std::size_t count,
                             double* heights) {
  const double *x = points.x.data() + begin, *y = points.y.data() + begin, *z = points.z.data() + begin;
  const LoosePlanes p = planes;  // a copy cannot alias `heights`
  for (std::size_t i = 0; i < count; ++i) {
    const double a = p.x[0] * x[i] + p.y[0] * y[i] + p.z[0] * z[i] - p.inside[0];
    const double b = p.x[1] * x[i] + p.y[1] * y[i] + p.z[1] * z[i] - p.inside[1];
    const double c = p.x[2] * x[i] + p.y[2] * y[i] + p.z[2] * z[i] - p.inside[2];
    const double d = p.x[3] * x[i] + p.y[3] * y[i] + p.z[3] * z[i] - p.inside[3];
    const double ab = a < b ? a : b, cd = c < d ? c : d;
    heights[i] = ab < cd ? ab : cd;
  }
}

void TrialStar::gather_points() {
  has_points_ = true;
  for (const auto& [t, face] : removed_) {
    const std::vector<int>& carried = complex_.carried[index(t)];
    if (carried.empty()) continue;
    points_.reserve(points_.count + carried.size());
    groups_.push_back({points_.count, points_.count + carried.size(), std::max(face, 0)});
    for (const int number : carried) {
      const Vec3& p = complex_.points[index(number)];
      points_.x[points_.count] = p.x;
      points_.y[points_.count] = p.y;
      points_.z[points_.count] = p.z;
      points_.number[points_.count++] = number;
    }
  }
}

const TrialStar::LoosePlanes& TrialStar::planes_at(std::size_t number, const Vec3& p) {
  LoosePlanes& planes = planes_[number];
  if (planes.trial == trial_) return planes;
  planes.trial = trial_;
  const Face& face = faces_[number];
  const Vec3 u = face.corners[0] - p, v = face.corners[1] - p, w = face.corners[2] - p;
  const std::array<Vec3, 4> normals{cross(u, v), cross(v, w), cross(w, u), face.area};
  for (std::size_t k = 0; k < 4; ++k) {
    const Vec3& n = normals[k];
    planes.x[k] = n.x;
    planes.y[k] = n.y;
    planes.z[k] = n.z;
    planes.offset[k] = dot(n, k < 3 ? p : face.corners[0]);
    planes.length[k] = std::abs(n.x) + std::abs(n.y) + std::abs(n.z);
    planes.inside[k] = planes.offset[k] + doubt_ * planes.length[k];
  }
  return planes;
}

bool TrialStar::contains(std::size_t number, std::size_t point, const Vec3& p) {
  const LoosePlanes& planes = planes_at(number, p);
  const Vec3 x{points_.x[point], points_.y[point], points_.z[point]};
  const double allowance = complex_.allowance[index(points_.number[point])];
  bool inside = true;
  for (std::size_t k = 0; k < 4; ++k) {
    const double height = planes.x[k] * x.x + planes.y[k] * x.y + planes.z[k] * x.z;
    if (height < planes.offset[k] - (allowance + doubt_) * planes.length[k]) return false;
    inside &= height > planes.inside[k];
  }
  if (inside) return true;
  std::array<Vec3, 4> corners = faces_[number].all;
  corners[faces_[number].apex] = p;
  return planes_of(corners).depth(x) >= -allowance;
}

bool TrialStar::is_covered(std::size_t point, const Vec3& p) {
  for (std::size_t i = 0; i < faces_.size(); ++i)
    if (contains(i, point, p)) return true;
  return false;
}

// `failed` receives the index of a point that is not covered.
bool TrialStar::is_group_covered(const Group& group, const Vec3& p, std::size_t& failed) {
  const std::size_t count = group.end - group.begin;
  if (heights_.size() < count) heights_.resize(2 * count);
  left_.reserve(count + 1);
  heights_over(planes_at(index(group.face), p), points_, group.begin, count, heights_.data());
  left_.count = 0;
  for (std::size_t i = 0; i < count; ++i)
    left_.copy(points_, group.begin + i, static_cast<int>(group.begin + i), !(heights_[i] > 0));
  Vec3 low{HUGE_VAL, HUGE_VAL, HUGE_VAL}, high = -low;
  for (std::size_t i = 0; i < left_.count; ++i) {
    low = {std::min(low.x, left_.x[i]), std::min(low.y, left_.y[i]), std::min(low.z, left_.z[i])};
    high = {std::max(high.x, left_.x[i]), std::max(high.y, left_.y[i]), std::max(high.z, left_.z[i])};
  }
  for (std::size_t face = 0; face < faces_.size() && left_.count > 0; ++face) {
    if (face == index(group.face) || !faces_[face].meets(low, high, p)) continue;
    heights_over(planes_at(face, p), left_, 0, left_.count, heights_.data());
    const std::size_t before = std::exchange(left_.count, 0);
    for (std::size_t i = 0; i < before; ++i) left_.copy(left_, i, left_.number[i], !(heights_[i] > 0));
  }
  for (std::size_t i = 0; i < left_.count; ++i) {
    failed = index(left_.number[i]);
    if (!is_covered(failed, p)) return false;
  }
  return true;
}

bool TrialStar::covers(const Vec3& p, int& hint) {
  const bool first_trial = !has_points_;
  if (first_trial) gather_points();
  if (points_.count == 0) return true;
  if (faces_.empty()) return false;
  if (planes_.size() < faces_.size()) planes_.resize(faces_.size());
  if (++trial_ == 0) {  // after 2^32 trials, numbers begin again
    for (LoosePlanes& planes : planes_) planes.trial = 0;
    trial_ = 1;
  }
  if (first_trial) {
    const auto begin = points_.number.begin(), end = begin + static_cast<std::ptrdiff_t>(points_.count);
    const auto at = std::find(begin, end, hint);
    last_failed_ = at == end ? 0 : static_cast<std::size_t>(at - begin);
  }
  if (!is_covered(last_failed_, p)) {  // it is likely to fail again
    hint = points_.number[last_failed_];
    return false;
  }
  for (const Group& group : groups_) {
    if (is_group_covered(group, p, last_failed_)) continue;
    hint = points_.number[last_failed_];
    return false;
  }
  return true;
}

}  // namespace sinew
