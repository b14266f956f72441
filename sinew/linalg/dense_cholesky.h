// Solution of systems with a dense symmetric positive definite matrix, A = L L^T.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace sinew {

class DenseCholesky {
 public:
  // `matrix` has n x n numbers, `stride` from one row to the next (0: n); only its lower triangle is read. Returns
  // false where it is not positive definite or not finite; nothing can be solved then.
  bool factor(std::span<const double> matrix, std::size_t n, std::size_t stride = 0);

  std::size_t size() const { return size_; }

  // Solves A x = b, n numbers each, which may be the same memory. Requires that factor() returned true.
  void solve(std::span<const double> b, std::span<double> x) const;
  // Solve L y = b and L^T y = b in place: `y` holds b on entry.
  void solve_lower(std::span<double> y) const;
  void solve_upper(std::span<double> y) const;

 private:
  void check_length(std::size_t length) const;

  std::size_t size_ = 0;
  std::vector<double> lower_;  // L by columns; entries above the diagonal are unused
};

}  // namespace sinew
