// Static equilibrium of an elastic potential in any basis under dead loads, with some functions held where they start.
#pragma once

#include <span>
#include <vector>

#include "sinew/elastic/elastic_potential.h"

namespace sinew {

struct NonlinearEquilibriumOptions {
  // Stop where |residual| <= tolerance |loads|, both over the free functions, or where a step could lower the potential
  // by rounding only: fine lattices that turn far have residuals above 1e-8 there.
  double tolerance = 1e-8;
  int max_iterations = 200;  // of Newton's method
};

struct NonlinearEquilibrium {
  std::vector<Vec3> q;     // coefficients of the displacement, metres
  int iterations = 0;      // steps of Newton's method
  int factorizations = 0;  // one a step where the Hessian is definite, more where it is not
  double residual = 0;     // |residual| / |loads| reached; where no load acts, relative to the start's residual
};

// A stationary point of U(q) - f . q, reached downhill from `start`: a minimum, unless symmetry keeps the way on a
// ridge. Newton's method with backtracking. Where the Hessian is not positive definite, a multiple of the one at rest
// is added, more until it is; the multiple falls again with every step that does without more. `forces` are generalised
// forces (3.6), newtons per function; those on held functions go into the supports. `held` functions keep their
// coefficients in `start`: move these to prescribe values. Throws usage_error for functions that do not exist or spans
// of other lengths, simulation_error where the held functions leave the body loose or the tolerance is not reached.
NonlinearEquilibrium nonlinear_equilibrium(ElasticPotential& potential, std::span<const Vec3> start,
                                           std::span<const Vec3> forces, std::span<const int> held,
                                           const NonlinearEquilibriumOptions& options = {});

}  // namespace sinew
