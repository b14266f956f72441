// Sparse Cholesky factorisation L L^T = P A P^T of symmetric positive definite matrices of 3x3 blocks: nested
// dissection, supernodes, dense panels. Made for one factorisation and one substitution per time step: solve() passes
// over the panels down the elimination tree and back up, two subtrees in parallel where threads are free, and gives the
// same bits for any number of threads.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/linalg/block_matrix.h"

namespace sinew {

enum class FactorPrecision {
  double_precision,  // direct solver: solution to rounding
  single_precision,  // half the memory traffic: preconditioner, about 1e-6 relative
  // A quarter of the memory traffic: preconditioner, see preconditioner_error(); single precision for values out of
  // range.
  half_precision,
};

class BlockCholesky {
 public:
  BlockCholesky();
  ~BlockCholesky();
  BlockCholesky(BlockCholesky&&) noexcept;
  BlockCholesky& operator=(BlockCholesky&&) noexcept;

  // Ordering and symbolic factorisation of the pattern. Call it once for any number of factor() calls.
  void analyze(const BlockMatrix& matrix);

  // A new solver for matrices with the same pattern. It shares the analysis, if there is one, and has no factor.
  BlockCholesky of_same_pattern() const;

  // Numeric factorisation of a matrix with the analysed pattern. Throws simulation_error naming the
  // block row where the matrix is not positive definite.
  void factor(const BlockMatrix& matrix, FactorPrecision precision = FactorPrecision::double_precision);

  // Solution x = A^-1 b; 3 * rows numbers each, b and x may be the same memory.
  void solve(std::span<const double> b, std::span<double> x) const;

  // Several right-hand sides at once; b and x hold `count` vectors one after the other.
  void solve(std::span<const double> b, std::span<double> x, int count) const;

  // Marks the parts of the factor that solutions in these block rows need, for solve_in(). Valid as long as the
  // pattern.
  std::vector<char> parts_for(std::span<const int> block_rows) const;

  // Writes the same bits as solve() in the rows given to parts_for() and in a few others, and leaves the rest of x
  // unchanged. The fewer parts are marked, the less of the factor is read.
  void solve_in(std::span<const char> parts, std::span<const double> b, std::span<double> x, int count) const;

  int rows() const;                    // block rows
  std::size_t factor_entries() const;  // numbers in the panels, which one pass over the factor reads
  FactorPrecision precision() const;   // precision of the stored numbers

 private:
  struct Factor;
  std::unique_ptr<Factor> factor_;
};

// Estimate of |A M^-1 - I|, where M^-1 is what `factor` applies: the error that rounding the factor introduced, from a
// few steps of power iteration with a fixed start. A value well below one hardly affects Krylov iterations.
double preconditioner_error(const BlockMatrix& matrix, const BlockCholesky& factor);

}  // namespace sinew
