// Hexahedral subdivision of control lattices: trilinear (Capell 2004, appendix B), MacCracken-Joy (1996) with the sharp
// surface rules of DeRose, Kass and Truong (1998), and multi-linear cell averaging (MLCA; Bajaj, Schaefer, Warren and
// Xu 2002) with sharp edges and vertices.
//
// Vertices are nested: those of K_k keep their numbers in K_{k+1} and are followed by those of the edges, faces and
// cells of K_k, in this order. A vertex number of the finest complex thus identifies the coarsest complex that has the
// vertex, and a basis function there.
#pragma once

#include <array>
#include <vector>

#include "sinew/linalg/sparse_rows.h"
#include "sinew/mesh/control_lattice/control_lattice.h"
#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

enum class SubdivisionScheme { trilinear, maccracken_joy, mlca };

// A lattice K_0 subdivided Q times, to K_Q.
struct SubdividedLattice {
  std::vector<int> vertices;                  // numbers of vertices of K_0, K_1, ... K_Q
  std::vector<SparseRows> refine;             // refine[k]: vertices[k + 1] x vertices[k], rows sum to 1
  std::vector<std::array<int, 8>> hexahedra;  // hexahedra of K_Q, corners in the order of add_hexahedron()
  std::vector<int> cell;                      // per hexahedron, the cell of K_0 that contains it
  std::vector<Vec3> positions;                // vertices of K_Q, rest space, metres
  std::vector<std::vector<int>> bones;        // chain of vertices of K_Q along each bone of the lattice
};

// Subdivides `levels` >= 1 times. Throws input_error with the first of structural_defects() (lattice_structure.h),
// which names e.g. the cell that one subdivision does not turn into hexahedra, or the bone off the edges.
SubdividedLattice subdivide(const ControlLattice& lattice, SubdivisionScheme scheme, int levels);

// Values at the vertices of K_Q (rows) of the hierarchical basis with `basis_levels` levels (section 4.2). Its
// functions (columns) are those of the vertices of K_0 and of the vertices that K_1, ... K_{basis_levels - 1} add, each
// of its own level; they have the numbers of their vertices, so that there are vertices[basis_levels - 1] of them.
SparseRows hierarchical_basis(const SubdividedLattice& lattice, int basis_levels);

// Values of the hierarchical basis at the vertices of its finest level, K_{basis_levels - 1}: converts coefficients of
// the hierarchical basis into those of nodal_basis(lattice, basis_levels - 1).
SparseRows hierarchical_to_nodal(const SubdividedLattice& lattice, int basis_levels);

// Values at the vertices of K_Q of the functions of K_level's vertices on that level. They span the same space as the
// hierarchical basis with level + 1 levels.
SparseRows nodal_basis(const SubdividedLattice& lattice, int level);

// The hexahedra of K_Q divided into tetrahedra, in which basis functions are taken as linear (section 4.4).
// Neighbouring hexahedra divide their common face along the same diagonal.
struct LatticeTetrahedra {
  TetrahedralMesh mesh;         // its vertices are those of K_Q
  std::vector<int> hexahedron;  // per tetrahedron, the hexahedron that contains it
};
LatticeTetrahedra cut_into_tetrahedra(const SubdividedLattice& lattice);

}  // namespace sinew
