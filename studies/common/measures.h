// What is measured on a posed body: volume, stretch, and where it runs through itself.
#pragma once

#include <span>
#include <vector>

#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

struct MeshMeasures {
  double volume_ratio = 1;      // volume over volume at rest; what is turned inside out counts as negative
  double smallest_stretch = 1;  // extremes of the signed singular values of F over all elements
  double largest_stretch = 1;
  int inverted = 0;     // tetrahedra turned inside out
  int overlapping = 0;  // vertices inside a tetrahedron that they do not belong to and that is not inverted
  int crossing = 0;     // triangles of the surface that cross another one
};

// `mesh` at rest; positions: n, metres.
MeshMeasures measure_body(const TetrahedralMesh& mesh, std::span<const Vec3> positions);

// Per vertex: volume of the tetrahedra around it over their volume at rest.
std::vector<double> vertex_volume_ratios(const TetrahedralMesh& mesh, std::span<const Vec3> positions);

// Root of the mean squared distance, over points.
double rms_distance(std::span<const Vec3> a, std::span<const Vec3> b);

double median(std::vector<double> values);

}  // namespace sinew
