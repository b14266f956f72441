// The skin that a ring constraint (the setting `belts`) holds.
#pragma once

#include <span>
#include <vector>

#include "sinew/deform/acting_settings.h"
#include "sinew/mesh/surface/plane_section.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

// True if points go around `centre`: seen along the unit vector `normal`, no half turn is free of them.
bool goes_around(std::span<const Vec3> points, const Vec3& centre, const Vec3& normal);

// Vertices of the rest surface within half the belt's width of its plane and within its radius of its point. Of the
// connected patches among them only those that go around the point count, if there are any, so that an arm beside the
// waist is not held.
std::vector<int> ring_vertices(const TriangleMesh& rest, const BeltSettings& belt);

// The share of each vertex in the area around them all, a third of each triangle's.
std::vector<double> area_shares(const TriangleMesh& rest, std::span<const int> vertices);

// The lines in which the belt's plane cuts the skin that it holds, the longest first. Empty if none goes around it.
std::vector<SectionLine> ring_lines(const TriangleMesh& rest, const BeltSettings& belt);

}  // namespace sinew
