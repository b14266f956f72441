// Embedding of points in a subdivided lattice, and values of basis functions at them.
#pragma once

#include <span>
#include <vector>

#include "sinew/linalg/sparse_rows.h"
#include "sinew/mesh/control_lattice/subdivision.h"
#include "sinew/mesh/embedding.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

// A point outside a lattice.
struct OutsidePoint {
  int point = -1;
  double distance = 0;  // distance to the lattice, metres
};

// Points embedded in a lattice.
struct LatticeEmbedding {
  Embedding points;                   // in the tetrahedra of the lattice, with weights that reproduce the points
  std::vector<OutsidePoint> outside;  // points farther outside than the tolerance, the farthest first
};

// Embeds points (rest space, metres). `triangles`, if given, join the points to a surface. They decide where a point
// could be in several cells, because cells overlap or parts of the body nearly touch: neighbours on the surface get
// cells that are joined by faces. Without triangles a point goes to the tetrahedron that holds it deepest, or to the
// nearest.
//
// Thin and folded tetrahedra carry no points. `tolerance`, metres: points that are farther outside are reported, but
// embedded nonetheless. Throws input_error for points that are not finite, and where all tetrahedra are thin or folded.
LatticeEmbedding embed_in_lattice(const SubdividedLattice& lattice, const LatticeTetrahedra& tetrahedra,
                                  std::span<const Vec3> points, std::span<const Triangle> triangles = {},
                                  double tolerance = 0);

// Matrix points x vertices of the mesh with the weights. A point without a tetrahedron has an empty row.
SparseRows embedding_rows(const Embedding& embedding, const TetrahedralMesh& mesh);

// Matrix points x functions; `basis` has the functions' values at the vertices of the mesh.
SparseRows point_values(const Embedding& embedding, const TetrahedralMesh& mesh, const SparseRows& basis);

// point_values() of hierarchical_basis() and nodal_basis(), without forming those matrices: much faster for few points.
SparseRows hierarchical_point_values(const Embedding& embedding, const TetrahedralMesh& mesh,
                                     const SubdividedLattice& lattice, int basis_levels);
SparseRows nodal_point_values(const Embedding& embedding, const TetrahedralMesh& mesh, const SubdividedLattice& lattice,
                              int level);

}  // namespace sinew
