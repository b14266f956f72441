// How far vertices of a Poisson problem move under forces on one another: the inverse of its matrix, on the few
// vertices that contacts touch. It is one number for each two of them, the same in all poses.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/linalg/scalar_cholesky.h"

namespace sinew {

class PoissonCompliance {
 public:
  // Makes the inverse available for these vertices (rows of the factor, ascending). Columns of the inverse are solved
  // for when a vertex first comes up, and kept; returns false, and leaves things as they are, where they would take too
  // much memory. `factor` is the same in every call.
  bool choose(std::span<const int> vertices, const ScalarCholesky& factor);

  // to[v] = sum_w inverse(v, w) from[w] for the chosen vertices, three numbers to each row of the factor; other rows
  // are neither read nor written. The same bits for any number of threads, and whatever was chosen before.
  void multiply(std::span<const double> from, std::span<double> to) const;

 private:
  std::vector<std::vector<double>> columns_;  // per row of the factor; empty where not asked for yet
  std::size_t kept_ = 0;
  std::vector<int> vertices_;
  std::vector<double> inverse_;  // vertices x vertices
};

}  // namespace sinew
