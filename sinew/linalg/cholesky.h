// Sparse Cholesky factorisation L L^T = P A P^T of symmetric positive definite matrices of 3x3
// blocks: nested dissection, supernodes, dense panels. Made for "factor once, substitute once per
// time step": solve() is a pass over the panels down the elimination tree and one up, two
// subtrees side by side where threads are free, and gives the same bits for any number of threads.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/linalg/block_matrix.h"

namespace sinew {

enum class FactorPrecision {
  double_precision,  // direct solver: solution to rounding
  single_precision,  // half the memory traffic: preconditioner, about 1e-6 relative
  half_precision,    // a quarter of it: preconditioner, see preconditioner_error(); single where it leaves the range
};

class BlockCholesky {
 public:
  BlockCholesky();
  ~BlockCholesky();
  BlockCholesky(BlockCholesky&&) noexcept;
  BlockCholesky& operator=(BlockCholesky&&) noexcept;

  // Ordering and symbolic factorisation of the pattern. May be called once for many factor() calls.
  void analyze(const BlockMatrix& matrix);

  // A solver for other matrices of the pattern that this one has analysed; nothing analysed, nothing taken over.
  BlockCholesky of_same_pattern() const;

  // Numeric factorisation of a matrix with the analysed pattern. Throws simulation_error naming the
  // block row where the matrix is not positive definite.
  void factor(const BlockMatrix& matrix, FactorPrecision precision = FactorPrecision::double_precision);

  // x = A^-1 b; 3 * rows numbers each, b and x may be the same memory.
  void solve(std::span<const double> b, std::span<double> x) const;

  // Several right-hand sides at once; b and x hold `count` vectors one after the other.
  void solve(std::span<const double> b, std::span<double> x, int count) const;

  // The parts of the factor that solutions in these block rows need, for solve_in(); good for as long as the pattern
  // is.
  std::vector<char> parts_for(std::span<const int> block_rows) const;

  // solve() writes the same bits in the rows that parts_for() was given; this writes those and a few others, and leaves
  // the rest of x as it is. The fewer the parts, the less of the factor is read.
  void solve_in(std::span<const char> parts, std::span<const double> b, std::span<double> x, int count) const;

  int rows() const;                    // block rows
  std::size_t factor_entries() const;  // numbers in the panels: what one pass over the factor reads
  FactorPrecision precision() const;   // that they are stored in

 private:
  struct Factor;
  std::unique_ptr<Factor> factor_;
};

// Estimate of |A M^-1 - I|, M^-1 being what `factor` solves: how far rounding the factor took it from the
// inverse of A, by a few steps of power iteration from a fixed vector. Where it is well below one, Krylov
// iterations hardly notice.
double preconditioner_error(const BlockMatrix& matrix, const BlockCholesky& factor);

}  // namespace sinew
