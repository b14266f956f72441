// Stability of a vertex's parameters under symplectic Euler (docs/surface_dynamics.md, Corrections of the paper).
#pragma once

#include "sinew/deform/surface/surface_model.h"

namespace sinew {

// Returns k + 2 c with k = alpha e + 2 beta + gamma and c = 2 lambda + delta. e is the largest eigenvalue of the
// restoration's shape or a bound of it; 1 without a shape. Steps are stable up to 4, which the paper's ranges exceed at
// their ends.
double stability_load(const VertexParameters& p, double largest_eigenvalue = 1);

// Factor for all five parameters of a vertex that limits its load to `stiffest`.
inline double stable_share(double load, double stiffest) { return load > stiffest ? stiffest / load : 1; }

inline VertexParameters scaled(const VertexParameters& p, double s) {
  return {s * p.alpha, s * p.beta, s * p.gamma, s * p.lambda, s * p.delta};
}

}  // namespace sinew
