// Minimum of a convex quadratic over x >= 0 whose matrix is known by its products only: contact forces, which push
// and never pull.
//
//   minimise q(x) = 1/2 x^T W x + g^T x  subject to  x >= 0,   W symmetric, positive semi-definite
//
// At the solution the gradient y = W x + g obeys x >= 0, y >= 0, x^T y = 0. Unknowns without a bound may come first:
// they obey y = 0.
#pragma once

#include <cstddef>
#include <span>

#include "sinew/linalg/krylov/krylov.h"

namespace sinew {

struct BoundedQuadraticOptions {
  // Stop where |y_i| <= tolerance for every x_i > 0, and y_i >= -tolerance for every x_i = 0; in the units of y.
  double tolerance = 1e-6;
  int max_products = 200;     // with W
  std::size_t unbounded = 0;  // so many unknowns, the first ones, have no bound
};

struct BoundedQuadraticResult {
  int products = 0;      // with W
  double violation = 0;  // of what the tolerance bounds
  bool converged = false;
};

// Conjugate gradients within the face of the x_i > 0, steps along the gradient into the bounds and away from them where
// those matter more (modified proportioning with reduced gradient projections, Dostal and Schoeberl 2005), with the
// projected conjugate gradient step in place of one of fixed length: it needs no bound of the eigenvalues, and is
// taken only where it lowers q more than the step up to the first bound, so that q falls with every product.
//
// On entry `x` is any start >= 0 (of those with a bound) and `gradient` is W x + g there; on return both are at the
// solution. `scale` > 0 preconditions: 1 / sqrt(W_ii) or a guess of it. W may be singular as long as q is bounded
// below. Serial apart from `matrix`: the same bits for any number of threads if the products are.
BoundedQuadraticResult minimize_bounded_quadratic(const LinearOperator& matrix, std::span<const double> scale,
                                                  std::span<double> x, std::span<double> gradient,
                                                  const BoundedQuadraticOptions& options = {});

}  // namespace sinew
