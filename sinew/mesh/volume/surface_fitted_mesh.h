// A body whose outer vertices lie on the surface: what methods need that know the surface's motion and ask for the
// body's. The body of volume_meshing.h encloses the surface; here its outer vertices are drawn onto it as far as the
// tetrahedra stay well-shaped, and what flattens there is left out.
#pragma once

#include <vector>

#include "sinew/mesh/tetrahedral_mesh.h"
#include "sinew/mesh/triangle_mesh.h"
#include "sinew/mesh/volume/surface_anchors.h"
#include "sinew/mesh/volume/volume_meshing.h"

namespace sinew {

struct SurfaceFittedMesh {
  TetrahedralMesh mesh;                 // boundary vertices first
  std::vector<SurfaceAnchor> anchors;   // one per boundary vertex: its place on the surface
  std::vector<double> inside_fraction;  // per tetrahedron; 1 where its vertices lie on the surface
  double cell_size = 0;                 // metres

  std::size_t boundary_vertices() const { return anchors.size(); }
  std::size_t interior_vertices() const { return mesh.positions.size() - anchors.size(); }
};

// `body`: of this surface, as mesh_volume() makes it. Same input, same mesh, to the bit, for any number of threads.
SurfaceFittedMesh fit_to_surface(const TriangleMesh& surface, VolumeMesh body);

}  // namespace sinew
