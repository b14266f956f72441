// Points that a deforming surface carries: each rides on one triangle, and where it lies beside the surface, on a frame
// of three vertices around. What embedding.h is for surfaces in bodies, this is for the outer vertices of bodies on
// surfaces.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sinew/linalg/small.h"

namespace sinew {

struct SurfaceAnchor {
  std::array<int, 3> vertex{-1, -1, -1};  // of the surface: corners of the triangle
  std::array<double, 3> weight{0, 0, 0};  // barycentric, not negative, sum 1
  std::array<int, 3> frame{-1, -1, -1};   // of the surface; -1: the point lies on the triangle
  Vec3 offset;                            // from the triangle, metres, in the frame's axes

  bool on_surface() const { return frame[0] < 0; }
};

// Axes of three points: along a to b, in their plane, and the normal. Orthonormal where they span a triangle.
Mat3 frame_axes(const Vec3& a, const Vec3& b, const Vec3& c);

// An offset, metres in world axes, as the frame's own at these positions of the surface.
Vec3 offset_in_frame(const std::array<int, 3>& frame, std::span<const Vec3> surface, const Vec3& offset);

// Turns with the surface, exactly, where it moves rigidly.
Vec3 anchored_position(const SurfaceAnchor& anchor, std::span<const Vec3> surface);

// How the point moves as vertex `which` (0 to 2 of `vertex`, 3 to 5 of `frame`) of the surface moves: 3x3.
Mat3 anchor_derivative(const SurfaceAnchor& anchor, std::span<const Vec3> surface, std::size_t which);

}  // namespace sinew
