// Topology of one step of hexahedral subdivision: the hexahedra that each cell becomes, creases and bones (MacCracken
// and Joy 1996; Capell 2004, appendix B). The weights are in subdivision_masks.h.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "sinew/mesh/control_lattice/cell_complex.h"

namespace sinew {

// First numbers of the vertices that a step makes from edges, faces and cells; the vertices of the complex keep theirs.
struct RefinedVertices {
  int edge = 0;  // the vertex of edge 0
  int face = 0;
  int cell = 0;
  int count = 0;  // number of all vertices
};
RefinedVertices refined_vertices(const CellComplex& complex);

// The hexahedra that the cells of a complex become.
struct RefinedCells {
  std::vector<std::array<int, 8>> hexahedra;  // corners in the order of add_hexahedron()
  std::vector<int> parent;                    // per hexahedron, the cell it is a piece of, ascending
};
// One hexahedron for each vertex of each cell. Throws input_error with defect_of_cell().
RefinedCells refine_cells(const CellComplex& complex);

// A sentence that says why a cell cannot be refined: a vertex without three faces that close around it, more than one
// surface, or a hole. Empty if it can.
std::string defect_of_cell(const CellComplex& complex, std::size_t cell);

// Marks per edge and per vertex of a complex that subdivision keeps sharp.
struct SharpFeatures {
  std::vector<char> edge, vertex;
};
// The marks of the refined complex: both halves of a sharp edge are sharp.
SharpFeatures refine_features(const SharpFeatures& features, const CellComplex& coarse, const CellComplex& fine);

// The refined chain: a chain of vertices joined by edges, with the edges' new vertices in between.
std::vector<int> refine_chain(const std::vector<int>& chain, const CellComplex& complex);

}  // namespace sinew
