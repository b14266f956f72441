// Weights of one step of subdivision, as matrices from the vertices of a complex to those of the refined one.
#pragma once

#include "sinew/linalg/sparse_rows.h"
#include "sinew/mesh/control_lattice/refinement.h"

namespace sinew {

// A new vertex is the mean of the corners of its edge, face or cell (Capell 2004, appendix B).
SparseRows trilinear_rows(const CellComplex& complex);

// The trilinear step, after which each vertex moves to the mean of the centroids of all cells of lowest dimension
// around it: of hexahedra inside, of boundary faces on the boundary, of edges on a crease; a sharp vertex stays (Bajaj,
// Schaefer, Warren and Xu 2002). Vertices where one crease or more than two end stay as well.
SparseRows mlca_rows(const CellComplex& complex, const RefinedCells& refined, const SharpFeatures& sharp);

// MacCracken and Joy's (1996) rules inside, Catmull and Clark's on the boundary, with the creases and corners of
// DeRose, Kass and Truong (1998), which are kept inside as well.
SparseRows maccracken_joy_rows(const CellComplex& complex, const SharpFeatures& sharp);

}  // namespace sinew
