// Held points by Lagrange multipliers (Capell 2004, sections 3.5, 3.6 and 3.14): the symmetric, indefinite system of a
// step with a row per held point, by MINRES, preconditioned by the factor at rest (docs/constraints.md, By
// multipliers).
#pragma once

#include <span>

#include "sinew/contact/held_points.h"
#include "sinew/elastic/lagrange_constraints.h"
#include "sinew/linalg/krylov/krylov.h"

namespace sinew {

// A point that is off its target comes back critically damped, over four steps.
Baumgarte stabilization_of(double step);

// [A C^T; C 0] [x; lambda] = [b; 0], from x = 0. Three applications of `inverse` per independent point, and more
// iterations than within the subspace: up to four times those allowed.
KrylovResult solve_by_multipliers(const LinearOperator& matrix, const LinearOperator& inverse, const HeldPoints& held,
                                  std::span<const double> b, std::span<double> x, const KrylovOptions& options);

}  // namespace sinew
