// Numeric factorisation: multifrontal, one dense front per supernode.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "sinew/linalg/block_matrix.h"
#include "sinew/linalg/cholesky/symbolic.h"

namespace sinew::cholesky {

// Per supernode, in order of elimination: W, then the packed D^-1 (panels.h), one behind the other.
template <class Real>
struct Panels {
  std::unique_ptr<Real[]> data;
  std::vector<std::size_t> begin;  // per supernode and the end

  const Real* below(const Supernode&, std::size_t node) const { return data.get() + begin[node]; }
  const Real* inverse(const Supernode& supernode, std::size_t node) const {
    return data.get() + begin[node] +
           9 * static_cast<std::size_t>(supernode.rows) * static_cast<std::size_t>(supernode.columns);
  }
  std::size_t entries() const { return begin.empty() ? 0 : begin.back(); }
};

// Fills `panels`, whose memory is used again where it comes from the same symbolic factorisation.
// All arithmetic is in double precision; only the finished panels are rounded to Real. Throws
// simulation_error naming the first block row, in order of elimination, that is not positive definite.
template <class Real>
void numeric_factorisation(const BlockMatrix& matrix, const Symbolic& symbolic, Panels<Real>& panels);

}  // namespace sinew::cholesky
