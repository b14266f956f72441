// A body whose boundary vertices lie on the surface, for methods that know the motion of the surface and compute that
// of the body. The body of volume_meshing.h encloses the surface; here its boundary vertices move onto it as far as the
// tetrahedra stay well-shaped, and tetrahedra that become flat are removed.
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
  std::vector<double> inside_fraction;  // per tetrahedron; 1 if its vertices lie on the surface
  double cell_size = 0;                 // metres

  std::size_t boundary_vertices() const { return anchors.size(); }
  std::size_t interior_vertices() const { return mesh.positions.size() - anchors.size(); }
};

// `body` must come from mesh_volume() for this surface. Same input, same mesh, to the bit, for any number of threads.
SurfaceFittedMesh fit_to_surface(const TriangleMesh& surface, VolumeMesh body);

}  // namespace sinew
