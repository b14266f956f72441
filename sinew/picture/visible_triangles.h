// Visibility: the triangle seen at each point of a picture, by scan conversion in homogeneous coordinates (Olano and
// Greer, Triangle Scan Conversion using 2D Homogeneous Coordinates, 1997), which needs no clipping.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "sinew/base/function_ref.h"
#include "sinew/mesh/triangle_mesh.h"
#include "sinew/picture/camera_rays.h"

namespace sinew {

// A point of a triangle: (1 - u - v) p0 + u p1 + v p2, `distance` along the camera's axis.
struct TrianglePoint {
  double u = 0, v = 0, distance = 0;
};

class VisibleTriangles {
 public:
  // True if a triangle that may be transparent hides what is behind it at the picture's point (x, y).
  using Hides = FunctionRef<bool(std::size_t triangle, const TrianglePoint& point, int x, int y)>;

  // `see_through`: per triangle, whether to ask `hides`; empty: for none. Of two triangles at the same distance, the
  // first is visible.
  VisibleTriangles(const CameraRays& rays, std::span<const Vec3> positions, std::span<const Triangle> triangles,
                   int width, int height, const std::vector<bool>& see_through, Hides hides);

  int width() const { return width_; }
  int height() const { return height_; }
  // Index of the triangle seen at (x, y), or -1.
  int triangle(int x, int y) const { return seen_[index(x, y)].triangle; }
  double distance(int x, int y) const { return static_cast<double>(seen_[index(x, y)].distance); }
  // True if the side is seen from which the corners run clockwise.
  bool from_behind(std::size_t triangle) const { return edges_[triangle].volume > 0; }
  // The point where the ray through (x, y), which need not be a grid point, meets the plane of a triangle.
  TrianglePoint point(std::size_t triangle, double x, double y) const;

 private:
  // Edge functions e_i = (constant + x along_x + y along_y)_i, which have the same sign inside the triangle.
  struct Edges {
    std::array<double, 3> constant{}, along_x{}, along_y{};
    double volume = 0;  // of the parallelepiped of the corners relative to the eye; has the sign of the edge functions
    int left = 0, right = -1, top = 0, bottom = -1;  // inclusive bounds of the points that the triangle may cover
  };
  struct Seen {
    int triangle = -1;
    float distance = 0;
  };
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x);
  }
  Edges edges_of(const CameraRays& rays, const std::array<Vec3, 3>& corners) const;
  void draw(std::size_t triangle, int top, int bottom, const Hides* hides);

  int width_, height_;
  std::vector<Edges> edges_;  // per triangle
  std::vector<Seen> seen_;
};

}  // namespace sinew
