// Mean gradients of trilinear functions around the vertices of a lattice.
#pragma once

#include <vector>

#include "sinew/linalg/sparse_rows.h"
#include "sinew/mesh/control_lattice/control_lattice.h"
#include "sinew/mesh/control_lattice/row_builder.h"

namespace sinew {

// Per vertex, the mean over the cells around it. For values p_i at the vertices, F_j = sum_i p_i (x) gradient_ji: the
// identity for p_i = r_i, and the linear part A for p_i = A r_i + b.
struct VertexGradients {
  std::vector<int> start{0};  // vertices + 1
  std::vector<int> function;
  std::vector<Vec3> gradient;  // per entry, 1/m
};
VertexGradients vertex_gradients(const ControlLattice& lattice);

// Adds sum_j S_j F_j d to the row that is being built. S is a row of weights of vertices; columns beyond the vertices
// are skipped.
void add_gradients(RowBuilder& builder, const VertexGradients& gradients, const SparseRows& weights, int row,
                   const Vec3& d);

}  // namespace sinew
