#include "sinew/picture/visible_triangles.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/threads/parallel.h"

namespace sinew {
namespace {

constexpr int rows_per_band = 64;
constexpr std::size_t triangles_per_task = 4096;

}  // namespace

VisibleTriangles::VisibleTriangles(const CameraRays& rays, std::span<const Vec3> positions,
                                   std::span<const Triangle> triangles, int width, int height,
                                   const std::vector<bool>& see_through, Hides hides)
    : width_(width),
      height_(height),
      edges_(triangles.size()),
      seen_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height)) {
  parallel_for(triangles.size(), triangles_per_task, [&](std::size_t t) {
    std::array<Vec3, 3> corners;
    for (std::size_t i = 0; i < 3; ++i) corners[i] = positions[static_cast<std::size_t>(triangles[t][i])] - rays.eye;
    edges_[t] = edges_of(rays, corners);
  });
  const auto bands = static_cast<std::size_t>((height + rows_per_band - 1) / rows_per_band);
  std::vector<std::vector<std::size_t>> in_band(bands);
  for (std::size_t t = 0; t < edges_.size(); ++t)
    for (int band = edges_[t].top / rows_per_band; band * rows_per_band <= edges_[t].bottom; ++band)
      in_band[static_cast<std::size_t>(band)].push_back(t);
  parallel_for(bands, 1, [&](std::size_t band) {
    const int top = static_cast<int>(band) * rows_per_band;
    for (const std::size_t t : in_band[band])
      draw(t, top, top + rows_per_band - 1, !see_through.empty() && see_through[t] ? &hides : nullptr);
  });
}

// The point eye + t d is in the plane of the corners a, b, c if t (d . (b x c + c x a + a x b)) = a . (b x c). Its
// weights are proportional to d . (b x c), d . (c x a), d . (a x b), which are linear in the position in the picture.
VisibleTriangles::Edges VisibleTriangles::edges_of(const CameraRays& rays, const std::array<Vec3, 3>& corners) const {
  Edges edges;
  const Vec3 forward = cross(rays.step_y, rays.step_x);
  double left = width_, right = -1, top = height_, bottom = -1;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 normal = cross(corners[(i + 1) % 3], corners[(i + 2) % 3]);
    edges.constant[i] = dot(normal, rays.corner);
    edges.along_x[i] = dot(normal, rays.step_x);
    edges.along_y[i] = dot(normal, rays.step_y);
    if (i == 0) edges.volume = dot(corners[0], normal);
    const double depth = dot(corners[i], forward) / dot(rays.corner, forward);
    if (depth <= 0) {  // beside or behind the eye: it may be anywhere in the picture
      left = top = 0, right = width_ - 1, bottom = height_ - 1;
      continue;
    }
    const Vec3 on_plane = corners[i] / depth - rays.corner;
    const double x = dot(on_plane, rays.step_x) / squared_norm(rays.step_x);
    const double y = dot(on_plane, rays.step_y) / squared_norm(rays.step_y);
    left = std::min(left, x), right = std::max(right, x);
    top = std::min(top, y), bottom = std::max(bottom, y);
  }
  constexpr double slack = 1e-6;  // points, for rounding
  const auto first = [](double value, int limit) {
    return static_cast<int>(std::clamp(std::ceil(value - slack), 0.0, double(limit)));
  };
  const auto last = [](double value, int limit) {
    return static_cast<int>(std::clamp(std::floor(value + slack), -1.0, limit - 1.0));
  };
  if (!(edges.volume != 0)) return edges;  // seen from its edge, or not a number
  edges.left = first(left, width_), edges.right = last(right, width_);
  edges.top = first(top, height_), edges.bottom = last(bottom, height_);
  return edges;
}

TrianglePoint VisibleTriangles::point(std::size_t triangle, double x, double y) const {
  const Edges& edges = edges_[triangle];
  std::array<double, 3> e;
  for (std::size_t i = 0; i < 3; ++i) e[i] = edges.constant[i] + x * edges.along_x[i] + y * edges.along_y[i];
  const double sum = e[0] + e[1] + e[2];
  return {e[1] / sum, e[2] / sum, edges.volume / sum};
}

void VisibleTriangles::draw(std::size_t triangle, int top, int bottom, const Hides* hides) {
  const Edges& edges = edges_[triangle];
  const double sign = edges.volume > 0 ? 1 : -1, volume = std::abs(edges.volume);
  const double dx0 = sign * edges.along_x[0], dx1 = sign * edges.along_x[1], dx2 = sign * edges.along_x[2];
  for (int y = std::max(top, edges.top); y <= std::min(bottom, edges.bottom); ++y) {
    const double e0 = sign * (edges.constant[0] + y * edges.along_y[0]);
    const double e1 = sign * (edges.constant[1] + y * edges.along_y[1]);
    const double e2 = sign * (edges.constant[2] + y * edges.along_y[2]);
    bool entered = false;
    for (int x = edges.left; x <= edges.right; ++x) {
      const double w0 = e0 + x * dx0, w1 = e1 + x * dx1, w2 = e2 + x * dx2;
      if (w0 < 0 || w1 < 0 || w2 < 0) {
        if (entered) break;
        continue;
      }
      entered = true;
      const double sum = w0 + w1 + w2;
      if (!(sum > 0)) continue;
      const auto distance = static_cast<float>(volume / sum);
      Seen& seen = seen_[index(x, y)];
      if (seen.triangle >= 0 && seen.distance <= distance) continue;
      if (hides && !(*hides)(triangle, {w1 / sum, w2 / sum, volume / sum}, x, y)) continue;
      seen = {static_cast<int>(triangle), distance};
    }
  }
}

}  // namespace sinew
