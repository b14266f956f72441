// Conjugate gradients for a Poisson matrix plus a volume part, A = L (x) 1_3 + D^T C D (volume_rows.h), preconditioned
// by a factor of L. If C >= 0 the condition number is at most 1 + 3 nu / (1 - 2 nu), independent of mesh and rotations
// (equation 16).
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
  // Solves A x = b to |b - A x| <= tolerance |b|; three numbers per free vertex. Throws simulation_error if a number is
  // not finite or A is not positive definite. `factor`: of L (`poisson`); single precision suffices.
  //
  // Starts from x = 0, or, if `guess` has an estimate of the tensions C D x (one per row), from the best multiple of
  // -L^-1 D^T guess, which costs as much as an iteration and counts as one.
  KrylovResult solve(const VolumeRows& rows, const SparseMatrix& poisson, const ScalarCholesky& factor,
                     std::span<const double> b, std::span<const double> guess, std::span<double> x, double tolerance,
                     int max_iterations);

 private:
  // Computes image_ = A direction_; returns direction_ . image_.
  double apply_to_direction(const VolumeRows& rows, const SparseMatrix& poisson);

  std::vector<double> residual_, preconditioned_, direction_, image_, tension_;
};

}  // namespace sinew
