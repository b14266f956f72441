// What hands take hold of: points of the surface, and patches around them.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sinew/linalg/small.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

// A point of the surface: a vertex of it, or a mean of up to three.
struct SurfaceSpot {
  std::array<int, 3> vertex{-1, -1, -1};  // -1: none
  std::array<double, 3> weight{};         // sum to one
};
inline SurfaceSpot at_vertex(int vertex) { return {{vertex, -1, -1}, {1, 0, 0}}; }

// Where a spot is with the surface at `positions`.
Vec3 place_of(const SurfaceSpot& spot, std::span<const Vec3> positions);

// The point of the surface at rest that is nearest to `point`: metres, rest space.
SurfaceSpot nearest_spot(const TriangleMesh& surface, const Vec3& point);

struct PatchVertex {
  int vertex = -1;
  double weight = 0;
};

// The vertices within `radius` of a point of the surface at rest, in metres and along the surface: what is near through
// the air alone, as a thigh is to a hand, is no part of it. Ascending; each weighs (1 - r^2 / R^2)^2 times the area
// that it stands for, in all 1. None where the radius is 0.
std::vector<PatchVertex> patch_around(const TriangleMesh& surface, const SurfaceSpot& spot, double radius);

}  // namespace sinew
