// Measurements on a posed body: volume, stretch and self-intersection.
#pragma once

#include <span>
#include <vector>

#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

struct MeshMeasures {
  double volume_ratio = 1;      // volume relative to rest; inverted parts count as negative
  double smallest_stretch = 1;  // extremes of the signed singular values of F over all elements
  double largest_stretch = 1;
  int inverted = 0;     // number of inverted tetrahedra
  int overlapping = 0;  // vertices inside a tetrahedron that is not theirs and not inverted
  int crossing = 0;     // triangles of the surface that cross another one
};

// `mesh` is at rest; positions: n, metres.
MeshMeasures measure_body(const TetrahedralMesh& mesh, std::span<const Vec3> positions);

// Per vertex: volume of the tetrahedra around it relative to rest.
std::vector<double> vertex_volume_ratios(const TetrahedralMesh& mesh, std::span<const Vec3> positions);

// Root mean square distance between corresponding points.
double rms_distance(std::span<const Vec3> a, std::span<const Vec3> b);

double median(std::vector<double> values);

}  // namespace sinew
