// The mass matrix over the unknowns of a lattice, factorised: what turns impulses into velocities.
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

  // Three numbers per unknown. M's part between unknowns and prescribed functions takes no part.
  void multiply(std::span<const double> velocity, std::span<double> momentum) const;
  void solve(std::span<const double> momentum, std::span<double> velocity) const;

 private:
  SparseMatrix matrix_;
  ScalarCholesky factor_;
};

}  // namespace sinew
