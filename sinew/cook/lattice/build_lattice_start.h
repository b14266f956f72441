// What the coarsening of a control lattice begins with: a fine mesh in which parts are apart that move apart.
#pragma once

#include <span>
#include <vector>

#include "sinew/character/character.h"
#include "sinew/mesh/tetrahedral_mesh.h"
#include "sinew/mesh/triangle_mesh.h"
#include "sinew/mesh/volume/volume_meshing.h"

namespace sinew {

struct LatticeStart {
  TetrahedralMesh mesh;
  std::vector<Influences> influences;  // per vertex, or none
  std::vector<int> home;               // per vertex of the surface, its tetrahedron
};

// The body mesh with copies of cells made one that skin weights move alike and that are near along the body (layers of
// clothes, gaps between plates; not fingers, legs or lips), and without faces of more than two tetrahedra. `influences`
// per vertex of the body mesh, or none: then copies stay apart.
LatticeStart lattice_start(const VolumeMesh& fine, const TriangleMesh& surface, std::span<const Influences> influences,
                           double near_along_body);

}  // namespace sinew
