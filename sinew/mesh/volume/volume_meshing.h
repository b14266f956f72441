// A body from an artist's surface, with no manual step (docs/volume_meshing.md).
#pragma once

#include <optional>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/mesh/embedding.h"
#include "sinew/mesh/tetrahedral_mesh.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

struct VolumeMeshingOptions {
  int target_tetrahedra = 8000;     // aimed at within about 20 %, unless cell_size is given
  std::optional<double> cell_size;  // edge of the lattice's cubes, metres
};

struct VolumeMesh {
  TetrahedralMesh mesh;
  Embedding embedding;    // of every vertex of the surface that was given
  std::vector<int> cell;  // per tetrahedron, the lattice cell it was cut from
  // Per tetrahedron, the one of the lattice that it is a copy of; corners of copies correspond.
  std::vector<int> lattice_tetrahedron;
  std::vector<char> duplicated;  // per tetrahedron, 1 where virtual nodes separated its cell's pieces
  // Per tetrahedron, the share of its volume inside the solid, 0 to 1: mass and stiffness want this
  // factor. 0 for those that only carry an open sheet; users put a floor under it.
  std::vector<double> inside_fraction;
  // Of the lattice: its cubes' edge, metres, and a corner. Nodes that were not moved to the surface are at
  // lattice_corner + cell_size * (multiples of 1/2).
  double cell_size = 0;
  Vec3 lattice_corner;
};

// `surface` may be open, non-manifold, self-intersecting or in pieces; its positions are finite and
// it has at least one triangle with area, otherwise input_error. Same input, same mesh, to the bit,
// for any number of threads. Throws Error(usage, ...) for impossible options, Stopped where `progress` asks for it.
VolumeMesh mesh_volume(const TriangleMesh& surface, const VolumeMeshingOptions& options = {},
                       const Progress& progress = {});

}  // namespace sinew
