#include "sinew/deform/mixed/movers.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/linalg/rotation.h"

namespace sinew {
namespace {

// Points are in line, or in one place, where they are no farther from it than this share of their extent.
constexpr double in_line_of_points = 1e-6;

Affine motion_of(std::span<const Affine> handles, std::size_t handle) {
  return handles.empty() ? Affine{} : handles[handle];
}

Vec3 mean_of(std::span<const Vec3> points) {
  Vec3 sum;
  for (const Vec3& p : points) sum += p;
  return sum / static_cast<double>(points.size());
}

// The offset from the middle that is longest.
std::size_t farthest_from(const Vec3& middle, std::span<const Vec3> points) {
  const auto nearer = [&](const Vec3& a, const Vec3& b) { return squared_norm(a - middle) < squared_norm(b - middle); };
  return static_cast<std::size_t>(std::max_element(points.begin(), points.end(), nearer) - points.begin());
}

bool are_in_line(std::span<const Vec3> points, const Vec3& middle, const Vec3& axis) {
  const double tolerance = in_line_of_points * norm(axis);
  return std::all_of(points.begin(), points.end(), [&](const Vec3& p) {
    const Vec3 offset = p - middle;
    return norm(offset - axis * (dot(offset, axis) / squared_norm(axis))) <= tolerance;
  });
}

// The rotation by the least angle that leads one direction to another; none where one has no length.
Mat3 least_turn(const Vec3& from, const Vec3& to) {
  if (!(norm(from) > 0) || !(norm(to) > 0)) return Mat3::identity();
  const Vec3 a = normalized(from), b = normalized(to), half = a + b;
  if (norm(half) < 1e-9) {  // opposite: about any axis across
    const Vec3 across = std::abs(a.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    return to_matrix(axis_angle(normalized(cross(a, across)), std::acos(-1.0)));
  }
  const Vec3 middle = normalized(half), axis = cross(a, middle);
  return to_matrix(normalized(Quat{axis.x, axis.y, axis.z, dot(a, middle)}));
}

Mat3 best_turn(std::span<const Vec3> rest, std::span<const Vec3> now, const Vec3& rest_middle, const Vec3& now_middle) {
  const std::size_t far = farthest_from(rest_middle, rest);
  const Vec3 axis = rest[far] - rest_middle;
  if (!(norm(axis) > 0)) return Mat3::identity();
  Mat3 covariance = Mat3::zero();
  for (std::size_t k = 0; k < rest.size(); ++k) covariance += outer(now[k] - now_middle, rest[k] - rest_middle);
  if (are_in_line(rest, rest_middle, axis)) return least_turn(axis, covariance * axis);
  return closest_rotation(covariance);
}

}  // namespace

std::size_t MixedMovers::frames() const {
  return static_cast<std::size_t>(
      std::count_if(handles.begin(), handles.end(), [](const MixedHandle& handle) { return handle.is_frame; }));
}

std::size_t MixedMovers::points() const {
  return static_cast<std::size_t>(
      std::count_if(handles.begin(), handles.end(), [](const MixedHandle& handle) { return handle.is_point(); }));
}

std::vector<int> MixedMovers::of_handles() const {
  std::vector<int> movers;
  std::size_t frame = bones, point = sources();
  for (const MixedHandle& handle : handles)
    movers.push_back(handle.is_frame ? static_cast<int>(frame++) : handle.is_point() ? static_cast<int>(point++) : -1);
  return movers;
}

std::vector<Affine> source_motions(const MixedMovers& movers, std::span<const Affine> bones,
                                   std::span<const Affine> handles) {
  if (bones.size() < movers.bones || (!handles.empty() && handles.size() != movers.handles.size()))
    throw usage_error("the body is led by " + std::to_string(movers.bones) + " bones and " +
                      std::to_string(movers.handles.size()) + " handles, but " + std::to_string(bones.size()) +
                      " and " + std::to_string(handles.size()) + " are given; give all of them.");
  std::vector<Affine> motions(bones.begin(), bones.begin() + static_cast<std::ptrdiff_t>(movers.bones));
  for (std::size_t h = 0; h < movers.handles.size(); ++h)
    if (movers.handles[h].is_frame) motions.push_back(motion_of(handles, h));
  if (movers.fits_points()) {
    std::vector<Vec3> rest, now;
    for (std::size_t h = 0; h < movers.handles.size(); ++h) {
      if (!movers.handles[h].is_point()) continue;
      rest.push_back(movers.handles[h].place);
      now.push_back(motion_of(handles, h) * movers.handles[h].place);
    }
    motions.push_back(best_rigid_motion(rest, now));
  }
  return motions;
}

void add_point_motions(const MixedMovers& movers, std::span<const Affine> handles, std::span<const Mat3> rotations,
                       std::vector<Affine>& motions) {
  for (std::size_t h = 0; h < movers.handles.size(); ++h) {
    const MixedHandle& handle = movers.handles[h];
    if (!handle.is_point()) continue;
    const Affine motion = motion_of(handles, h);
    const Mat3 linear = rotations[index(handle.tetrahedron)] * std::cbrt(std::abs(determinant(motion.linear)));
    motions.push_back({linear, motion * handle.place - linear * handle.place});
  }
}

Affine best_rigid_motion(std::span<const Vec3> rest, std::span<const Vec3> now) {
  if (rest.empty() || rest.size() != now.size())
    throw usage_error("a motion is fitted to " + std::to_string(rest.size()) + " points that go to " +
                      std::to_string(now.size()) + "; give as many of both, at least one.");
  const Vec3 rest_middle = mean_of(rest), now_middle = mean_of(now);
  const Mat3 turn = best_turn(rest, now, rest_middle, now_middle);
  return {turn, now_middle - turn * rest_middle};
}

}  // namespace sinew
