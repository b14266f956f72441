// One step of hexahedral subdivision without its weights: which hexahedra follow from which cell, and what becomes of
// creases and bones (MacCracken and Joy 1996; Capell 2004, appendix B).
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "sinew/mesh/control_lattice/cell_complex.h"

namespace sinew {

// Numbers of the vertices that a step makes from the elements of a complex: its vertices keep theirs.
struct RefinedVertices {
  int edge = 0;  // number of the first edge's vertex
  int face = 0;
  int cell = 0;
  int count = 0;  // of all
};
RefinedVertices refined_vertices(const CellComplex& complex);

struct RefinedCells {
  std::vector<std::array<int, 8>> hexahedra;  // corners in the order of add_hexahedron()
  std::vector<int> parent;                    // per hexahedron, the cell it is a piece of, ascending
};
// One hexahedron for each vertex of each cell. Throws input_error with defect_of_cell().
RefinedCells refine_cells(const CellComplex& complex);

// A sentence where a cell cannot be refined: it has a vertex without three faces that close around it, or more than one
// surface, or a hole. Empty where it can.
std::string defect_of_cell(const CellComplex& complex, std::size_t cell);

// What stays sharp: marks per edge and per vertex of a complex.
struct SharpFeatures {
  std::vector<char> edge, vertex;
};
// The marks of the refined complex: both halves of a sharp edge are sharp.
SharpFeatures refine_features(const SharpFeatures& features, const CellComplex& coarse, const CellComplex& fine);

// A chain of vertices joined by edges, with the edges' vertices between them.
std::vector<int> refine_chain(const std::vector<int>& chain, const CellComplex& complex);

}  // namespace sinew
