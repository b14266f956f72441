// Conjugate gradients for bodies whose matrix is a Poisson matrix and a volume part, A = L (x) 1_3 + D^T C D
// (volume_rows.h), preconditioned by a factor of L: where C >= 0 the condition number is at most 1 + 3 nu / (1 - 2 nu),
// whatever the mesh and the rotations are (equation 16).
#pragma once

#include <span>
#include <vector>

#include "sinew/deform/mixed/volume_rows.h"
#include "sinew/linalg/krylov/krylov.h"
#include "sinew/linalg/scalar_cholesky.h"
#include "sinew/linalg/sparse_matrix.h"

namespace sinew {

class VolumeGradients {
 public:
  // x = A^-1 b to |b - A x| <= tolerance |b|; three numbers for each free vertex. Throws simulation_error where a
  // number is not finite or A proves not to be positive definite. `factor`: of L, `poisson`; single precision serves.
  //
  // Starts from x = 0, or where a guess of the tensions C D x is given (one per row, empty: none) from the best
  // multiple of -L^-1 D^T guess. That counts as an iteration and costs as much.
  KrylovResult solve(const VolumeRows& rows, const SparseMatrix& poisson, const ScalarCholesky& factor,
                     std::span<const double> b, std::span<const double> guess, std::span<double> x, double tolerance,
                     int max_iterations);

 private:
  // image_ = A direction_; returns direction_ . image_.
  double apply_to_direction(const VolumeRows& rows, const SparseMatrix& poisson);

  std::vector<double> residual_, preconditioned_, direction_, image_, tension_;
};

}  // namespace sinew
