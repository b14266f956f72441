// Direct solution of sparse symmetric positive definite systems of numbers for several right-hand sides: fields over
// bodies whose three coordinates do not see each other, such as a Poisson problem for positions.
//
// Three rows that share neighbours make one block row of BlockCholesky, so that everything said there of ordering,
// precision, speed and threads holds here.
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

  // X = A^-1 B; `width` numbers per row of A, row by row, as in multiply(). b and x may be the same memory.
  void solve(std::span<const double> b, std::span<double> x, int width = 1) const;

  int rows() const { return static_cast<int>(place_.size()); }
  std::size_t factor_entries() const { return cholesky_.factor_entries(); }

 private:
  std::vector<int> place_;  // per row: where it stands among the rows of the blocks
  BlockCholesky cholesky_;
};

}  // namespace sinew
