// The weights of one interior vertex (Hahn et al. 2013, equation 6 and algorithm 1; docs/volumetric_skinning.md).
#pragma once

#include <span>
#include <vector>

#include "sinew/linalg/bounded/non_negative_least_squares.h"

namespace sinew {

// What the weights w of a vertex's candidates are to minimise, square metres:
//
//   mean over the examples of |sum_k w_k s_k - q|^2 + rest_weight |sum_k w_k s_k - q|^2 at rest + prior_weight |w -
//   h|^2
//
// With sum(w) = 1 the differences are sums of offsets s_k - q, wherever the body is.
struct SkinningEquations {
  NormalEquations examples;  // of offsets, divided by the number of examples
  NormalEquations rest;      // of offsets at rest
  NormalEquations harmonic;  // of differences of fields, divided by the number of fields
  double rest_weight = 0;
  double harmonic_weight = 0;  // square metres
};

struct SkinningFit {
  std::vector<int> candidate;  // those that are left, ascending
  std::vector<double> weight;  // > 0, of sum one
  double residual = 0;         // root of the mean squared distance over the examples, metres
  double rest_residual = 0;    // distance at rest, metres
  double error = 0;            // root of the objective without the rest, metres
};

// Over all candidates; those of weight zero are left out.
SkinningFit fit_non_negative(const SkinningEquations& equations);

struct SparseSkinningBounds {
  double residual = 0;    // delta, metres
  double growth = 1.5;    // of residual, distance at rest and error, each over that of all candidates
  double negligible = 0;  // metres: what those count as at least
};

// Algorithm 1 from line 3 on: the candidate of the smallest weight is taken away as long as the residual then stays
// under both bounds, delta and growth r_0, and distance at rest and error under the second. (The printed condition
// joins the bounds by "or", and asks before a candidate goes instead of after; the text has it right.) Weights are
// fitted anew each time. The L1 term of line 7 is left out: it is constant where weights are not negative and sum to
// one.
SkinningFit fit_sparse(const SkinningEquations& equations, SkinningFit all, const SparseSkinningBounds& bounds);

}  // namespace sinew
