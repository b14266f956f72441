// Displacements of one body carried to another by the lattice that is fitted to both (Capell 2004, section 6.7.2),
//
//   q'(h(x)) = J(x) q(x),   J_i the affine map that minimises sum_j |J_i e_ij - e'_ij|^2 over the lattice's edges (6.9)
//
// at vertex i, linear in between. Forces follow by the statics of each body (shape_body.h): carried themselves they
// would mean nothing in a body of another size and stiffness.
#pragma once

#include <span>
#include <vector>

#include "sinew/linalg/sparse_rows.h"
#include "sinew/mesh/tetrahedral_mesh.h"
#include "sinew/mesh/triangle_mesh.h"
#include "sinew/shape/limb_surface.h"
#include "sinew/shape/retarget_lattice.h"
#include "sinew/shape/shape_rig.h"

namespace sinew {

// J_i per vertex of the lattice.
std::vector<Mat3> lattice_jacobians(const RetargetedLattice& lattice);

// The image of an ellipsoid, by the affine map that is nearest to h in it, weighted as its bell.
TissueRegion carried_region(const RetargetedLattice& lattice, const TissueRegion& region);

// Where points of the target come from.
struct Origins {
  std::vector<Vec3> point;       // in the source's rest space, metres
  std::vector<double> distance;  // of the target's point from what h maps, metres
};

// h^-1 of points in the target's body, from the cells that contain them or are the nearest.
Origins origins_in_lattice(const RetargetedLattice& lattice, std::span<const Vec3> target);

// Origins of the target's skin: for each vertex the nearest point of the source's skin where h takes it, among the
// triangles of the same limb that face as it does and are nearer than `reach`, metres; the distance is `reach` where
// there are none. Cells that overlap where a body folds have no say in it. `carried`: the source's skin by h; `limb`:
// per vertex of the target, its limb of `carried`, or empty.
Origins origins_on_skin(const TriangleMesh& source, const LimbSurface& carried, const TriangleMesh& target,
                        std::span<const int> limb, double reach);

class CarriedDisplacements {
 public:
  // `source`: the mesh whose vertices are displaced, at rest.
  CarriedDisplacements(const RetargetedLattice& lattice, const TetrahedralMesh& source, const Origins& origins);

  // `displacement`: per vertex of `source`, metres, rest space. Returns that of each target point in its rest space.
  std::vector<Vec3> carry(std::span<const Vec3> displacement) const;

 private:
  SparseRows weights_;          // target points x vertices of the source
  std::vector<Mat3> jacobian_;  // per target point
};

}  // namespace sinew
