// Weights of one subdivision step, as matrices from the vertices of a complex to those of the refined one.
#pragma once

#include "sinew/linalg/sparse_rows.h"
#include "sinew/mesh/control_lattice/refinement.h"

namespace sinew {

// Trilinear: a new vertex is the mean of the corners of its edge, face or cell (Capell 2004, appendix B).
SparseRows trilinear_rows(const CellComplex& complex);

// Multi-linear cell averaging: the trilinear step, after which each vertex moves to the mean of the centroids of all
// cells of lowest dimension around it: of hexahedra inside, of boundary faces on the boundary, of edges on a crease
// (Bajaj, Schaefer, Warren and Xu 2002). Sharp vertices stay, and so do vertices where one crease or more than two end.
SparseRows mlca_rows(const CellComplex& complex, const RefinedCells& refined, const SharpFeatures& sharp);

// MacCracken and Joy's (1996) rules inside, Catmull and Clark's on the boundary, with the creases and corners of
// DeRose, Kass and Truong (1998), which also apply inside.
SparseRows maccracken_joy_rows(const CellComplex& complex, const SharpFeatures& sharp);

}  // namespace sinew
