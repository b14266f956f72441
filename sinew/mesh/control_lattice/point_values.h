// Points carried by a subdivided lattice: where they are in it, and the values of basis functions there.
#pragma once

#include <span>
#include <vector>

#include "sinew/linalg/sparse_rows.h"
#include "sinew/mesh/control_lattice/subdivision.h"
#include "sinew/mesh/embedding.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

struct OutsidePoint {
  int point = -1;
  double distance = 0;  // to the lattice, metres
};

struct LatticeEmbedding {
  Embedding points;                   // in the tetrahedra of the lattice, with weights that give the point back
  std::vector<OutsidePoint> outside;  // farther than the tolerance; the farthest first
};

// Embeds points, in rest space, metres. `triangles`, if given, join the points to a surface. It then decides where a
// point could be in several cells, because cells overlap or parts of the body nearly touch: neighbours on the surface
// get cells that are joined by faces. Without triangles a point goes to the tetrahedron that holds
// it deepest, or that is nearest.
//
// Thin or folded tetrahedra carry nothing. `tolerance`, metres: points that are farther outside are reported; they are
// embedded nonetheless. Throws input_error for points that are not finite, and where all tetrahedra are thin or folded.
LatticeEmbedding embed_in_lattice(const SubdividedLattice& lattice, const LatticeTetrahedra& tetrahedra,
                                  std::span<const Vec3> points, std::span<const Triangle> triangles = {},
                                  double tolerance = 0);

// Points x vertices of the mesh: the weights. A point without tetrahedron has an empty row.
SparseRows embedding_rows(const Embedding& embedding, const TetrahedralMesh& mesh);

// Points x functions, for values `basis` of functions at the vertices of the mesh.
SparseRows point_values(const Embedding& embedding, const TetrahedralMesh& mesh, const SparseRows& basis);

// The same for hierarchical_basis() and nodal_basis(), which are not formed: for few points, many times faster.
SparseRows hierarchical_point_values(const Embedding& embedding, const TetrahedralMesh& mesh,
                                     const SubdividedLattice& lattice, int basis_levels);
SparseRows nodal_point_values(const Embedding& embedding, const TetrahedralMesh& mesh, const SubdividedLattice& lattice,
                              int level);

}  // namespace sinew
