// Minimum over x >= 0 of a convex quadratic whose matrix is known only through products with it. Used for contact
// forces, which push and never pull.
//
//   minimise q(x) = 1/2 x^T W x + g^T x  subject to  x >= 0,   W symmetric, positive semi-definite
//
// At the solution the gradient y = W x + g obeys x >= 0, y >= 0, x^T y = 0. The first unknowns may be unbounded: they
// obey y = 0.
#pragma once

#include <cstddef>
#include <span>

#include "sinew/linalg/krylov/krylov.h"

namespace sinew {

struct BoundedQuadraticOptions {
  // Stop where |y_i| <= tolerance for every x_i > 0, and y_i >= -tolerance for every x_i = 0; in the units of y.
  double tolerance = 1e-6;
  int max_products = 200;     // products with W
  std::size_t unbounded = 0;  // number of unknowns without a bound, which come first
};

struct BoundedQuadraticResult {
  int products = 0;      // products with W that were made
  double violation = 0;  // largest violation of the conditions that the tolerance bounds
  bool converged = false;
};

// Modified proportioning with reduced gradient projections (Dostal and Schoeberl 2005): conjugate gradients over the
// unknowns with x_i > 0, and gradient steps to and from the bounds where those matter more. The projected step has the
// conjugate gradient length instead of a fixed one, so no bound of the eigenvalues is needed; it is taken only where it
// lowers q more than the step to the first bound, so that q falls with every product.
//
// On entry `x` is any start (>= 0 where bounded) and `gradient` is W x + g there; on return both are at the solution.
// `scale` > 0 preconditions: 1 / sqrt(W_ii) or an estimate of it. W may be singular as long as q is bounded below.
// Serial apart from `matrix`: same bits for any number of threads if the products have them.
BoundedQuadraticResult minimize_bounded_quadratic(const LinearOperator& matrix, std::span<const double> scale,
                                                  std::span<double> x, std::span<double> gradient,
                                                  const BoundedQuadraticOptions& options = {});

}  // namespace sinew
