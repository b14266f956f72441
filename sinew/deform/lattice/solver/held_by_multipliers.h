// Position constraints by Lagrange multipliers (Capell 2004, sections 3.5, 3.6 and 3.14): the symmetric indefinite
// system of a step, with a row per held point, solved by MINRES and preconditioned by the factor at rest
// (docs/constraints.md, By multipliers).
#pragma once

#include <span>

#include "sinew/contact/held_points.h"
#include "sinew/elastic/lagrange_constraints.h"
#include "sinew/linalg/krylov/krylov.h"

namespace sinew {

// Coefficients that make constraint errors decay, critically damped, over four steps of length `step`.
Baumgarte stabilization_of(double step);

// Solves [A C^T; C 0] [x; lambda] = [b; 0] from x = 0. Costs three applications of `inverse` per independent point, and
// up to four times the iterations allowed, as it needs more than the solve in the subspace.
KrylovResult solve_by_multipliers(const LinearOperator& matrix, const LinearOperator& inverse, const HeldPoints& held,
                                  std::span<const double> b, std::span<double> x, const KrylovOptions& options);

}  // namespace sinew
