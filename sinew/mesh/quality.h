// Quality of tetrahedral meshes: dihedral angles, volumes, connected components.
#pragma once

#include <array>
#include <cstddef>
#include <numbers>
#include <vector>

#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

inline constexpr double radians_per_degree = std::numbers::pi / 180;

// Smallest and largest dihedral angle, in the unit of the function.
struct AngleRange {
  double smallest = 0, largest = 0;
};

// Range of the cosines of the six dihedral angles; `smallest` is the cosine of the smallest angle, hence the larger
// number. Not finite for a tetrahedron with a face of zero area.
AngleRange dihedral_cosines(const std::array<Vec3, 4>& corners);
// Range of the dihedral angles, degrees.
AngleRange dihedral_angles(const std::array<Vec3, 4>& corners);

struct MeshQuality {
  std::size_t vertices = 0, tetrahedra = 0;
  int components = 0;                                                // sets of tetrahedra connected by shared vertices
  AngleRange dihedral;                                               // degrees, over all tetrahedra
  double smallest_volume = 0, largest_volume = 0, total_volume = 0;  // cubic metres, signed
};

// `component`, if given, receives the component of every tetrahedron, numbered in the order of their first tetrahedron.
MeshQuality measure_quality(const TetrahedralMesh& mesh, std::vector<int>* component = nullptr);

std::array<Vec3, 4> corners_of(const TetrahedralMesh& mesh, std::size_t tetrahedron);

}  // namespace sinew
