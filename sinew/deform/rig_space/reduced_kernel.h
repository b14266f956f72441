// Vectorised products of a reduced basis (reduced_basis.h) for the vertices [begin, end).
#pragma once

#include <cstddef>
#include <span>

#include "sinew/linalg/block_matrix.h"
#include "sinew/linalg/small.h"

namespace sinew {
struct ReducedBasis;
}

namespace sinew::reduced_kernel {

// Computes x_v = base_v + (G u)_v. `u`: padded.
void displace(const ReducedBasis& basis, const double* u, const Vec3* base, Vec3* x, std::size_t begin,
              std::size_t end);

// Adds G^T f of these vertices to `result` (padded).
void reduce(const ReducedBasis& basis, const Vec3* f, double* result, std::size_t begin, std::size_t end);

// Adds G^T M G of these vertices to `result` (padded squared).
void add_mass(const ReducedBasis& basis, const double* mass, double* result, std::size_t begin, std::size_t end);

// Adds G^T K G of the rows of these vertices to the tiles of `result` (padded squared) on and above the diagonal.
void add_stiffness(const ReducedBasis& basis, const BlockMatrix& stiffness, double* result, std::size_t begin,
                   std::size_t end);

}  // namespace sinew::reduced_kernel
