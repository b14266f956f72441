// Volume mesh of an artist's surface, without manual steps (docs/volume_meshing.md).
#pragma once

#include <optional>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/mesh/embedding.h"
#include "sinew/mesh/tetrahedral_mesh.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

struct VolumeMeshingOptions {
  int target_tetrahedra = 8000;     // reached within about 20 %; ignored if cell_size is given
  std::optional<double> cell_size;  // edge of the lattice's cubes, metres
};

struct VolumeMesh {
  TetrahedralMesh mesh;
  Embedding embedding;    // embedding of every vertex of the given surface
  std::vector<int> cell;  // per tetrahedron, the lattice cell it was cut from
  // Per tetrahedron, the lattice tetrahedron that it is a copy of; corners of copies correspond.
  std::vector<int> lattice_tetrahedron;
  std::vector<char> duplicated;  // per tetrahedron, 1 where virtual nodes separated its cell's pieces
  // Per tetrahedron, the fraction of its volume inside the solid, 0 to 1, by which mass and stiffness are multiplied. 0
  // for tetrahedra that only carry an open surface; callers must apply a lower bound.
  std::vector<double> inside_fraction;
  // Edge of the lattice's cubes, metres, and one of its corners. Nodes that did not move to the surface are at
  // lattice_corner + cell_size * (multiples of 1/2).
  double cell_size = 0;
  Vec3 lattice_corner;
};

// `surface` may be open, non-manifold, self-intersecting or in pieces. Throws input_error if a position is not finite
// or no triangle has area, usage_error for impossible options, Stopped where `progress` asks for it. Same input,
// same mesh, to the bit, for any number of threads.
VolumeMesh mesh_volume(const TriangleMesh& surface, const VolumeMeshingOptions& options = {},
                       const Progress& progress = {});

}  // namespace sinew
