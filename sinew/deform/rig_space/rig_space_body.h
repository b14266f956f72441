// The body of a rigged character for rig-space physics (Hahn 2013): tetrahedra whose boundary vertices follow the rig's
// surface, and whose interior vertices follow the boundary by a sparse linear map (section 4.2) or by equilibrium
// (equation 5). Immutable during simulation.
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
  TetrahedralMesh mesh;                // rest space, metres; boundary vertices first
  std::vector<SurfaceAnchor> anchors;  // one per boundary vertex; they refer to vertices of the rig
  SparseRows interior;                 // W: a row per interior vertex, a column per boundary vertex; rows sum to one
  InteriorCorrection correction;       // correction of W b; empty: none
  TetrahedralMaterial material;
  std::vector<double> mass;  // per vertex, kilograms
  double height = 1;         // height of the character, metres: tolerances are relative to it

  std::size_t boundary_vertices() const { return anchors.size(); }
  std::size_t interior_vertices() const { return mesh.positions.size() - anchors.size(); }
  bool has_skinning() const { return interior.rows() == interior_vertices(); }
};

// Returns the surface vertices that the anchors refer to, ascending.
std::vector<int> anchored_vertices(std::span<const SurfaceAnchor> anchors);
// Returns the anchors with vertices replaced by their index in `vertices`, which is ascending and contains all of them.
std::vector<SurfaceAnchor> renumbered(std::span<const SurfaceAnchor> anchors, std::span<const int> vertices);

// Returns vertex masses, kilograms: each tetrahedron gives a quarter of its mass to each corner.
std::vector<double> vertex_masses(const TetrahedralMesh& mesh, std::span<const double> fill, double density);

// Computes the positions of the boundary vertices for the rig's surface `s`; world, metres. x has room for all
// vertices.
void place_boundary(const RigSpaceBody& body, std::span<const Vec3> s, std::span<Vec3> x);
// Computes the interior q = W b for the boundary in x.
void place_interior(const RigSpaceBody& body, std::span<Vec3> x);

// Return G over the boundary vertices alone, and over all vertices with W. `jacobian`: that of the rig at `s`.
ReducedBasis boundary_basis(const RigSpaceBody& body, std::span<const Vec3> s, const RigJacobian& jacobian);
ReducedBasis body_basis(const RigSpaceBody& body, std::span<const Vec3> s, const RigJacobian& jacobian);
// Returns G with the body's correction, rotated by `rotations` (one per interior vertex).
ReducedBasis corrected_basis(const RigSpaceBody& body, std::span<const Vec3> s, const RigJacobian& jacobian,
                             std::span<const Mat3> rotations);

}  // namespace sinew
