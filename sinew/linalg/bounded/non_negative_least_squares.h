// Least squares of unknowns that are not negative, exactly, from the normal equations: skinning weights, whose examples
// are many and whose candidates are few.
//
//   minimise |A w - b|^2 + c . w  subject to  w >= 0, and where asked for sum(w) = 1
//
// For w >= 0 a penalty of the L1 norm is linear, c . w with one c for all: it shifts A^T b by c / 2 and needs no solver
// of its own (Schmidt et al. 2007 smooth or split it, since their unknowns may have either sign). Where sum(w) = 1 is
// demanded one c for all is a constant and changes nothing; penalties that differ do.
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

// `columns`: those of A one after the other, `rows` numbers each; `b` has `rows` numbers, or none where it is zero.
// Throws usage_error for other lengths.
NormalEquations normal_equations(std::span<const double> columns, std::size_t rows, std::span<const double> b = {});

// The equations of some unknowns alone, the others being zero; `kept` are different indices.
NormalEquations reduced(const NormalEquations& equations, std::span<const int> kept);

// |A w - b|^2. From the normal equations: good to rounding of b^T b and w^T A^T A w, not of the difference; never
// negative.
double squared_residual(const NormalEquations& equations, std::span<const double> w);

struct NonNegativeOptions {
  bool sum_to_one = false;
  std::span<const double> penalty = {};  // c, one per unknown, >= 0 unless sum_to_one; empty: none
  std::span<const double> start = {};    // one per unknown, >= 0: a guess, which saves work and changes nothing else
  // Stop where no unknown's multiplier (half the objective's slope) pulls it away from zero by more than this share of
  // the terms that the multiplier is summed from.
  double tolerance = 1e-13;
};

struct NonNegativeEnd {
  int changes = 0;       // of the set of unknowns that are not zero
  double violation = 0;  // largest of the above shares that is left
  bool converged = false;
};

struct NonNegativeSolution : NonNegativeEnd {
  std::vector<double> w;
};

// By the active set of Lawson and Hanson (1974, chapter 23) in the form of Bro and de Jong (1997): the unknown whose
// multiplier pulls most joins those that are not zero, these go towards their own minimum, and who reaches zero first
// leaves. A Cholesky factor of theirs grows by rows and is done again from where one leaves. Columns that depend on
// those in use cannot join them; where a penalty pulls one in it replaces another. Serial, deterministic. Throws
// usage_error for spans of other lengths, and simulation_error for numbers that are not finite.
NonNegativeSolution non_negative_least_squares(const NormalEquations& equations,
                                               const NonNegativeOptions& options = {});

// The same of any w^T A w - 2 b . w with a symmetric, positive semi-definite A, row-major, into `w`; options.start may
// be `w`. It takes no memory that calls before have not taken.
NonNegativeEnd non_negative_minimum(std::span<const double> matrix, std::span<const double> right,
                                    const NonNegativeOptions& options, std::span<double> w);

}  // namespace sinew
