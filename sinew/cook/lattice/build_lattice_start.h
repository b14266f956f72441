// The fine mesh that coarsening of a control lattice starts from. Parts that move apart are disconnected in it.
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
  std::vector<Influences> influences;  // per vertex, or empty
  std::vector<int> home;               // tetrahedron of each surface vertex
};

// The body mesh, with copies of cells merged if their skin weights move them alike and they are closer than
// `near_along_body` along the body (layers of clothes and gaps between plates, but not fingers, legs or lips), and
// without faces shared by more than two tetrahedra. `influences` are per vertex of the body mesh; if empty, copies stay
// apart.
LatticeStart lattice_start(const VolumeMesh& fine, const TriangleMesh& surface, std::span<const Influences> influences,
                           double near_along_body);

}  // namespace sinew
