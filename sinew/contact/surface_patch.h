// Points of the surface and patches around them that hands can hold.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sinew/linalg/small.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

// A point of the surface: a vertex, or a weighted mean of up to three.
struct SurfacePoint {
  std::array<int, 3> vertex{-1, -1, -1};  // -1: none
  std::array<double, 3> weight{};         // sum to one
};
inline SurfacePoint at_vertex(int vertex) { return {{vertex, -1, -1}, {1, 0, 0}}; }

// Position of the point for the given positions of the surface.
Vec3 place_of(const SurfacePoint& point, std::span<const Vec3> positions);

// The point of the rest surface that is nearest to `point`, metres, rest space.
SurfacePoint nearest_surface_point(const TriangleMesh& surface, const Vec3& point);

// A vertex of a patch with its weight in it.
struct PatchVertex {
  int vertex = -1;
  double weight = 0;
};

// The vertices within `radius` metres of a point of the rest surface, measured along the surface, so that skin that
// is near only in space (a hand on a thigh) is not included. Ascending; weights are (1 - r^2 / R^2)^2 times the vertex
// area, with sum 1. Empty for radius 0.
std::vector<PatchVertex> patch_around(const TriangleMesh& surface, const SurfacePoint& point, double radius);

}  // namespace sinew
