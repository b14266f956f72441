// Exact least squares with non-negative unknowns, from the normal equations. Used for skinning weights, which have many
// examples and few candidates.
//
//   minimise |A w - b|^2 + c . w  subject to  w >= 0, and optionally sum(w) = 1
//
// For w >= 0 an L1 penalty is linear, c . w with all c equal: it shifts A^T b by c / 2 and needs no solver of its own
// (Schmidt et al. 2007 smooth or split it because their unknowns may have either sign). Where sum(w) = 1 is required,
// equal penalties are a constant and have no effect; penalties that differ do.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace sinew {

struct NormalEquations {
  std::size_t unknowns = 0;
  std::vector<double> matrix;  // A^T A, unknowns x unknowns
  std::vector<double> right;   // A^T b
  double square = 0;           // b^T b

  double at(std::size_t i, std::size_t j) const { return matrix[i * unknowns + j]; }
};

// `columns`: the columns of A one after the other, `rows` numbers each. `b` has `rows` numbers; empty means zero.
// Throws usage_error for other lengths.
NormalEquations normal_equations(std::span<const double> columns, std::size_t rows, std::span<const double> b = {});

// The equations of the unknowns `kept` (distinct indices), with all others zero.
NormalEquations reduced(const NormalEquations& equations, std::span<const int> kept);

// A w - b|^2, never negative. Computed from the normal equations, so that its error is rounding of b^T b and w^T A^T A
// w, not of the difference.
double squared_residual(const NormalEquations& equations, std::span<const double> w);

struct NonNegativeOptions {
  bool sum_to_one = false;
  std::span<const double> penalty = {};  // c, one per unknown, >= 0 unless sum_to_one; empty: none
  // Initial guess, one per unknown, >= 0; it saves work and does not affect the result. Empty: none.
  std::span<const double> start = {};
  // Stop where no multiplier of a zero unknown (half the objective's slope) points away from zero by more than this
  // fraction of the terms that it is the sum of.
  double tolerance = 1e-13;
};

// Outcome of a solution.
struct NonNegativeEnd {
  int changes = 0;       // changes of the set of nonzero unknowns
  double violation = 0;  // largest remaining value of the fraction that `tolerance` bounds
  bool converged = false;
};

struct NonNegativeSolution : NonNegativeEnd {
  std::vector<double> w;
};

// Active set method of Lawson and Hanson (1974, chapter 23) in the form of Bro and de Jong (1997): the unknown with the
// largest multiplier joins the nonzero ones, these move towards their own minimum, and the first that reaches zero
// leaves. Their Cholesky factor grows by rows and is recomputed from the row where one leaves. A column that depends
// linearly on those in use cannot join; where its penalty favours it, it replaces another. Serial and deterministic.
// Throws usage_error for spans of other lengths, and simulation_error for numbers that are not finite.
NonNegativeSolution non_negative_least_squares(const NormalEquations& equations,
                                               const NonNegativeOptions& options = {});

// Minimises w^T A w - 2 b . w over w >= 0 for a symmetric, positive semi-definite A (row-major), by the method of
// non_negative_least_squares(). Writes `w`; options.start may be `w`. Allocates only where earlier calls of the thread
// have not already.
NonNegativeEnd non_negative_minimum(std::span<const double> matrix, std::span<const double> right,
                                    const NonNegativeOptions& options, std::span<double> w);

}  // namespace sinew
