// Products of a reduced basis with tiles in vector registers (reduced_basis.h).
#pragma once

#include <cstddef>
#include <span>

#include "sinew/linalg/block_matrix.h"
#include "sinew/linalg/small.h"

namespace sinew {
struct ReducedBasis;
}

namespace sinew::reduced_kernel {

// Vertices [begin, end). `u`: padded. x_v = base_v + (G u)_v.
void displace(const ReducedBasis& basis, const double* u, const Vec3* base, Vec3* x, std::size_t begin,
              std::size_t end);

// result (padded) += G^T f of these vertices.
void reduce(const ReducedBasis& basis, const Vec3* f, double* result, std::size_t begin, std::size_t end);

// result (padded squared) += G^T M G of these vertices.
void add_mass(const ReducedBasis& basis, const double* mass, double* result, std::size_t begin, std::size_t end);

// result (padded squared) += G^T K G of the rows of these vertices: of the tiles on and above the diagonal.
void add_stiffness(const ReducedBasis& basis, const BlockMatrix& stiffness, double* result, std::size_t begin,
                   std::size_t end);

}  // namespace sinew::reduced_kernel
