// Surfaces with holes, closed off, and the places that closed surfaces have inside.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

// The triangles of a surface, without those of equal corners, and fans over its holes. Edges of one triangle that hang
// together bound a hole; the fan's triangles turn the other way around them.
std::vector<Triangle> closed_off(const TriangleMesh& mesh);

// Tells whether places are inside closed triangles, by the crossings of a ray in a fixed direction.
class Crossings {
 public:
  // Both must outlive it. Positions must be finite.
  Crossings(std::span<const Vec3> positions, std::span<const Triangle> triangles);
  // True where the ray leaves more often than it enters, as it does where surfaces overlap. `place`: of the positions'
  // space.
  bool inside(const Vec3& place) const;

 private:
  std::span<const Triangle> triangles_;
  std::vector<Vec3> positions_;  // turned so that the ray goes along z
  double left_ = 0, low_ = 0, per_cell_ = 0;
  std::size_t columns_ = 0, rows_ = 0;
  std::vector<int> start_, entries_;  // triangles of the cells that the plane is divided into, row by row
};

}  // namespace sinew
