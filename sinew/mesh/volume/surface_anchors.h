// Points carried by a deforming surface: each is attached to a triangle and, if it lies off the surface, to the frame
// of three vertices nearby. embedding.h carries surfaces in bodies; this carries boundary vertices of bodies on
// surfaces.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sinew/linalg/small.h"

namespace sinew {

// The attachment of one point to the surface.
struct SurfaceAnchor {
  std::array<int, 3> vertex{-1, -1, -1};  // vertices of the surface: corners of the triangle
  std::array<double, 3> weight{0, 0, 0};  // barycentric, not negative, sum 1
  std::array<int, 3> frame{-1, -1, -1};   // vertices of the surface; -1: the point lies on the triangle
  Vec3 offset;                            // offset from the triangle, metres, in the axes of the frame

  bool on_surface() const { return frame[0] < 0; }
};

// Axes of three points: from a to b, perpendicular to it in their plane, and the normal. Orthonormal if they span a
// triangle.
Mat3 frame_axes(const Vec3& a, const Vec3& b, const Vec3& c);

// Converts an offset, metres, from world axes to the axes of the frame at the given positions of the surface.
Vec3 offset_in_frame(const std::array<int, 3>& frame, std::span<const Vec3> surface, const Vec3& offset);

// Position of the anchored point. It follows rigid motions of the surface exactly.
Vec3 anchored_position(const SurfaceAnchor& anchor, std::span<const Vec3> surface);

// Derivative of the point (3x3) with respect to vertex `which` (0 to 2: of `vertex`, 3 to 5: of `frame`) of the
// surface.
Mat3 anchor_derivative(const SurfaceAnchor& anchor, std::span<const Vec3> surface, std::size_t which);

}  // namespace sinew
