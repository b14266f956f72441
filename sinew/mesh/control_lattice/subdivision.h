// Hexahedral subdivision of control lattices: trilinear (Capell 2004, appendix B), MacCracken-Joy (1996) with the sharp
// surface rules of DeRose, Kass and Truong (1998), and multi-linear cell averaging (MLCA; Bajaj, Schaefer, Warren and
// Xu 2002) with sharp edges and vertices.
//
// Vertices are nested: the vertices of K_k keep their numbers in K_{k+1}, where those of edges, of faces and of cells
// follow them, in the order of the edges, faces and cells of K_k. So vertex i of the finest complex names a vertex of
// the coarsest complex that has it, and a basis function there.
#pragma once

#include <array>
#include <vector>

#include "sinew/linalg/sparse_rows.h"
#include "sinew/mesh/control_lattice/control_lattice.h"
#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

enum class SubdivisionScheme { trilinear, maccracken_joy, mlca };

struct SubdividedLattice {
  std::vector<int> vertices;                  // of K_0, K_1, ... K_Q: counts
  std::vector<SparseRows> refine;             // refine[k]: vertices[k + 1] x vertices[k], rows sum to 1
  std::vector<std::array<int, 8>> hexahedra;  // of K_Q, corners in the order of add_hexahedron()
  std::vector<int> cell;                      // per hexahedron, the cell of K_0 that it is a piece of
  std::vector<Vec3> positions;                // of the vertices of K_Q, rest space, metres
  std::vector<std::vector<int>> bones;        // per bone of the lattice, the chain of vertices of K_Q along it
};

// `levels` >= 1 times. Throws input_error with the first of structural_defects() (lattice_structure.h): it names the
// cell that one subdivision does not turn into hexahedra, the bone off the edges, and so on.
SubdividedLattice subdivide(const ControlLattice& lattice, SubdivisionScheme scheme, int levels);

// The values at the vertices of K_Q (rows) of the hierarchical basis of `basis_levels` levels (section 4.2): its
// functions (columns) are those of the vertices of K_0 and of the vertices that K_1, ... K_{basis_levels - 1} add, each
// of its own level. They are numbered as the vertices, so there are vertices[basis_levels - 1] of them.
SparseRows hierarchical_basis(const SubdividedLattice& lattice, int basis_levels);

// The same functions' values at the vertices of the finest level they belong to, K_{basis_levels - 1}: turns
// coefficients of the hierarchical basis into those of nodal_basis(lattice, basis_levels - 1).
SparseRows hierarchical_to_nodal(const SubdividedLattice& lattice, int basis_levels);

// The values of the functions that the vertices of K_level have on that level: they span the same space as the
// hierarchical basis of level + 1 levels.
SparseRows nodal_basis(const SubdividedLattice& lattice, int level);

// The hexahedra of K_Q cut into tetrahedra, on which basis functions count as linear (section 4.4). Neighbouring
// hexahedra cut their common face along the same diagonal.
struct LatticeTetrahedra {
  TetrahedralMesh mesh;         // its vertices are those of K_Q
  std::vector<int> hexahedron;  // per tetrahedron
};
LatticeTetrahedra cut_into_tetrahedra(const SubdividedLattice& lattice);

}  // namespace sinew
