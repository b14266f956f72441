// Direct solution of sparse symmetric positive definite systems of numbers with several right-hand sides, e.g. for a
// field over a body or for positions whose three coordinates are independent (a Poisson problem).
//
// Three rows with common neighbours form one block row of BlockCholesky, whose notes on ordering, precision, speed and
// threads apply here as well.
#pragma once

#include <span>
#include <vector>

#include "sinew/linalg/cholesky.h"
#include "sinew/linalg/sparse_matrix.h"

namespace sinew {

class ScalarCholesky {
 public:
  // Throws simulation_error where the matrix is not positive definite.
  void factor(const SparseMatrix& matrix, FactorPrecision precision = FactorPrecision::double_precision);

  // Solution X = A^-1 B; `width` numbers per row of A, row by row, as in multiply(). b and x may be the same memory.
  void solve(std::span<const double> b, std::span<double> x, int width = 1) const;

  int rows() const { return static_cast<int>(place_.size()); }
  std::size_t factor_entries() const { return cholesky_.factor_entries(); }

 private:
  std::vector<int> place_;  // per row: its index among the rows of the blocks
  BlockCholesky cholesky_;
};

}  // namespace sinew
