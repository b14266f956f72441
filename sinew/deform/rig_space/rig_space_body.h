// The body of a rigged character for rig-space physics (Hahn 2013): tetrahedra whose boundary vertices the rig's
// surface carries, and whose interior vertices follow the boundary's by a sparse linear map (section 4.2) or by
// equilibrium (equation 5). Immutable while it moves.
#pragma once

#include <span>
#include <vector>

#include "sinew/character/rig.h"
#include "sinew/deform/rig_space/interior_correction.h"
#include "sinew/deform/rig_space/reduced_basis.h"
#include "sinew/deform/rig_space/tetrahedral_energy.h"
#include "sinew/linalg/sparse_rows.h"
#include "sinew/mesh/volume/surface_fitted_mesh.h"

namespace sinew {

struct RigSpaceBody {
  TetrahedralMesh mesh;                // rest, metres; boundary vertices first
  std::vector<SurfaceAnchor> anchors;  // one per boundary vertex; vertices are those of the rig
  SparseRows interior;                 // W: a row per interior vertex, a column per boundary vertex; rows sum to one
  InteriorCorrection correction;       // what W leaves out; empty: nothing is added
  TetrahedralMaterial material;
  std::vector<double> mass;  // per vertex, kilograms
  double height = 1;         // metres: what tolerances are shares of

  std::size_t boundary_vertices() const { return anchors.size(); }
  std::size_t interior_vertices() const { return mesh.positions.size() - anchors.size(); }
  bool has_skinning() const { return interior.rows() == interior_vertices(); }
};

// Vertices of the surface that anchors refer to, ascending.
std::vector<int> anchored_vertices(std::span<const SurfaceAnchor> anchors);
// The same anchors with vertices numbered as in `vertices`, which is ascending and has all of them.
std::vector<SurfaceAnchor> renumbered(std::span<const SurfaceAnchor> anchors, std::span<const int> vertices);

// Quarter of each tetrahedron's mass to each of its corners, kilograms.
std::vector<double> vertex_masses(const TetrahedralMesh& mesh, std::span<const double> fill, double density);

// Positions of the boundary vertices where the rig's surface is at `s`; world, metres. x has room for all vertices.
void place_boundary(const RigSpaceBody& body, std::span<const Vec3> s, std::span<Vec3> x);
// q = W b for the boundary in x.
void place_interior(const RigSpaceBody& body, std::span<Vec3> x);

// G over the boundary vertices alone, and over all vertices with W. The Jacobian is that of the rig at `s`.
ReducedBasis boundary_basis(const RigSpaceBody& body, std::span<const Vec3> s, const RigJacobian& jacobian);
ReducedBasis body_basis(const RigSpaceBody& body, std::span<const Vec3> s, const RigJacobian& jacobian);
// With the body's correction, turned by `rotations` (one per interior vertex).
ReducedBasis corrected_basis(const RigSpaceBody& body, std::span<const Vec3> s, const RigJacobian& jacobian,
                             std::span<const Mat3> rotations);

}  // namespace sinew
