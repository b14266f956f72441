// The factorised mass matrix over the unknowns of a lattice, which converts impulses to velocities.
#pragma once

#include <span>

#include "sinew/deform/lattice/solver/active_functions.h"
#include "sinew/linalg/scalar_cholesky.h"
#include "sinew/linalg/sparse_matrix.h"
#include "sinew/linalg/sparse_rows.h"

namespace sinew {

class UnknownMass {
 public:
  UnknownMass() = default;
  // `mass`: functions x functions, symmetric, kilograms.
  UnknownMass(const SparseRows& mass, const ActiveFunctions& active);

  // Vectors hold three numbers per unknown. The coupling of M between unknowns and prescribed functions is left out.
  void multiply(std::span<const double> velocity, std::span<double> momentum) const;
  void solve(std::span<const double> momentum, std::span<double> velocity) const;

 private:
  SparseMatrix matrix_;
  ScalarCholesky factor_;
};

}  // namespace sinew
