// The lines along which a plane cuts a surface.
#pragma once

#include <span>
#include <vector>

#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

// A point where the plane crosses an edge: (1 - t) a + t b.
struct EdgePoint {
  int a = -1, b = -1;  // vertices of the edge: behind the plane, and in front of it or on it
  double t = 0;        // 0 to 1
};

// Points along a cut, in order.
struct SectionLine {
  std::vector<EdgePoint> points;
  bool closed = false;  // the last point is followed by the first
};

// All lines in which a plane cuts the surface, in the order of their first triangles. Vertices in the plane count as in
// front of it, so that every triangle that is cut has two crossed edges. Lines end at the rim of an open surface, and
// at edges of more than two triangles. `normal` need not have unit length.
std::vector<SectionLine> plane_section(const TriangleMesh& surface, const Vec3& point, const Vec3& normal);

Vec3 place_of(const EdgePoint& point, std::span<const Vec3> positions);
std::vector<Vec3> places_of(const SectionLine& line, std::span<const Vec3> positions);

// Length of a line through these points, with the way back to the first one if it is closed.
double length_of(std::span<const Vec3> line, bool closed);

}  // namespace sinew
