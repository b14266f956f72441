// The weights of one interior vertex (Hahn et al. 2013, equation 6 and algorithm 1; docs/volumetric_skinning.md).
#pragma once

#include <span>
#include <vector>

#include "sinew/linalg/bounded/non_negative_least_squares.h"

namespace sinew {

// Objective that the weights w of a vertex's candidates minimise, square metres:
//
//   mean over the examples of |sum_k w_k s_k - q|^2
//     + rest_weight |sum_k w_k s_k - q|^2 at rest + prior_weight |w - h|^2
//
// Since sum(w) = 1, differences are sums of offsets s_k - q, independent of where the body is.
struct SkinningEquations {
  NormalEquations examples;  // over offsets, divided by the number of examples
  NormalEquations rest;      // over offsets at rest
  NormalEquations harmonic;  // over differences of harmonic fields, divided by their number
  double rest_weight = 0;
  double harmonic_weight = 0;  // square metres
};

struct SkinningFit {
  std::vector<int> candidate;  // remaining candidates, ascending
  std::vector<double> weight;  // > 0, sum one
  double residual = 0;         // root of the mean squared distance over the examples, metres
  double rest_residual = 0;    // distance at rest, metres
  double error = 0;            // root of the objective without the rest term, metres
};

// Fits over all candidates; those of weight zero are dropped.
SkinningFit fit_non_negative(const SkinningEquations& equations);

struct SparseSkinningBounds {
  double residual = 0;    // delta, metres
  double growth = 1.5;    // largest ratio of residual, rest residual and error to those of all candidates
  double negligible = 0;  // metres: lower limit of the values that `growth` multiplies
};

// Algorithm 1 from line 3 on: repeatedly removes the candidate with the smallest weight and refits, as long as the
// residual stays below delta and `growth` times its initial value, and the rest residual and error below `growth` times
// theirs. (The printed condition joins the bounds by "or" and is tested before a candidate is removed instead of after;
// the paper's text is right.) The L1 term of line 7 is omitted, as it is constant for non-negative weights that sum to
// one.
SkinningFit fit_sparse(const SkinningEquations& equations, SkinningFit all, const SparseSkinningBounds& bounds);

}  // namespace sinew
