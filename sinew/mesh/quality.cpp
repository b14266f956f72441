#include "sinew/mesh/quality.h"

#include <algorithm>

#include "sinew/mesh/topology.h"

namespace sinew {
namespace {

constexpr double degrees = 57.295779513082320877;

}  // namespace

AngleRange dihedral_cosines(const std::array<Vec3, 4>& p) {
  // Normals may point outward or inward: the angle between faces i and j is pi minus that of their normals.
  const std::array<Vec3, 4> n{normalized(cross(p[2] - p[1], p[3] - p[1])), normalized(cross(p[3] - p[0], p[2] - p[0])),
                              normalized(cross(p[1] - p[0], p[3] - p[0])), normalized(cross(p[2] - p[0], p[1] - p[0]))};
  AngleRange range{-2, 2};
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = i + 1; j < 4; ++j) {
      const double cosine = -dot(n[i], n[j]);
      range.smallest = std::max(range.smallest, cosine);
      range.largest = std::min(range.largest, cosine);
    }
  return range;
}

AngleRange dihedral_angles(const std::array<Vec3, 4>& corners) {
  const AngleRange cosines = dihedral_cosines(corners);
  return {degrees * std::acos(std::clamp(cosines.smallest, -1.0, 1.0)),
          degrees * std::acos(std::clamp(cosines.largest, -1.0, 1.0))};
}

std::array<Vec3, 4> corners_of(const TetrahedralMesh& mesh, std::size_t tetrahedron) {
  std::array<Vec3, 4> p;
  for (std::size_t k = 0; k < 4; ++k) p[k] = mesh.positions[static_cast<std::size_t>(mesh.tetrahedra[tetrahedron][k])];
  return p;
}

MeshQuality measure_quality(const TetrahedralMesh& mesh, std::vector<int>* component) {
  MeshQuality quality;
  quality.vertices = mesh.positions.size();
  quality.tetrahedra = mesh.tetrahedra.size();
  if (mesh.tetrahedra.empty()) return quality;
  quality.dihedral = {180, 0};
  quality.smallest_volume = HUGE_VAL;
  quality.largest_volume = -HUGE_VAL;
  DisjointSets sets(mesh.positions.size());
  for (std::size_t t = 0; t < mesh.tetrahedra.size(); ++t) {
    const std::array<Vec3, 4> p = corners_of(mesh, t);
    const AngleRange angles = dihedral_angles(p);
    quality.dihedral.smallest = std::min(quality.dihedral.smallest, angles.smallest);
    quality.dihedral.largest = std::max(quality.dihedral.largest, angles.largest);
    const double v = volume(p[0], p[1], p[2], p[3]);
    quality.smallest_volume = std::min(quality.smallest_volume, v);
    quality.largest_volume = std::max(quality.largest_volume, v);
    quality.total_volume += v;
    for (int i : mesh.tetrahedra[t]) sets.unite(mesh.tetrahedra[t][0], i);
  }
  std::vector<int> number(mesh.positions.size(), -1);
  if (component) component->resize(mesh.tetrahedra.size());
  for (std::size_t t = 0; t < mesh.tetrahedra.size(); ++t) {
    int& n = number[static_cast<std::size_t>(sets.find(mesh.tetrahedra[t][0]))];
    if (n < 0) n = quality.components++;
    if (component) (*component)[t] = n;
  }
  return quality;
}

}  // namespace sinew
