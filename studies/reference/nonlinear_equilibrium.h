// Static equilibrium of an elastic potential in any basis under dead loads, with some functions held at their initial
// values.
#pragma once

#include <span>
#include <vector>

#include "sinew/elastic/elastic_potential.h"

namespace sinew {

struct NonlinearEquilibriumOptions {
  // Stop where |residual| <= tolerance |loads|, both over the free functions, or where a step could only lower the
  // potential by rounding: fine lattices with large rotations then have residuals above 1e-8.
  double tolerance = 1e-8;
  int max_iterations = 200;  // of Newton's method
};

struct NonlinearEquilibrium {
  std::vector<Vec3> q;     // coefficients of the displacement, metres
  int iterations = 0;      // steps of Newton's method
  int factorizations = 0;  // one per step where the Hessian is definite, more where it is not
  double residual = 0;     // final |residual| / |loads|; without loads, relative to the residual at the start
};

// Finds a stationary point of U(q) - f . q by descending from `start`: a minimum, unless symmetry keeps the iteration
// on a ridge. Newton's method with backtracking. Where the Hessian is not positive definite, a multiple of the one at
// rest is added, which grows until the sum is definite and shrinks with every step that would need less. `forces` are
// generalised forces (3.6), newtons per function; those on held functions are taken by the supports. `held` functions
// keep their coefficients in `start`: change these to prescribe values. Throws usage_error for functions that do not
// exist or spans of other lengths, simulation_error where the held functions leave the body free to move or the
// tolerance is not reached.
NonlinearEquilibrium nonlinear_equilibrium(ElasticPotential& potential, std::span<const Vec3> start,
                                           std::span<const Vec3> forces, std::span<const int> held,
                                           const NonlinearEquilibriumOptions& options = {});

}  // namespace sinew
