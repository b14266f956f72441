// Compliance of the vertices of a Poisson problem: the inverse of its matrix, restricted to the few vertices in
// contact. It has one number per pair of vertices and is the same in all poses.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/linalg/scalar_cholesky.h"

namespace sinew {

class PoissonCompliance {
 public:
  // Makes the inverse available for these vertices (rows of the factor, ascending). Columns of the inverse are computed
  // when a vertex is first used, and kept. Returns false and changes nothing if they would take too much memory.
  // `factor` must be the same in every call.
  bool choose(std::span<const int> vertices, const ScalarCholesky& factor);

  // Computes to[v] = sum_w inverse(v, w) from[w] for the chosen vertices, three numbers per row of the factor; other
  // rows are neither read nor written. The same bits for any number of threads and any earlier choices.
  void multiply(std::span<const double> from, std::span<double> to) const;

 private:
  std::vector<std::vector<double>> columns_;  // per row of the factor; empty if not computed yet
  std::size_t kept_ = 0;
  std::vector<int> vertices_;
  std::vector<double> inverse_;  // vertices x vertices
};

}  // namespace sinew
