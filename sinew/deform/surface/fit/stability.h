// How much of what symplectic Euler stands a vertex's parameters use (docs/surface_dynamics.md, Corrections of the paper).
#pragma once

#include "sinew/deform/surface/surface_model.h"

namespace sinew {

// k + 2 c with k = alpha e + 2 beta + gamma and c = 2 lambda + delta, e the largest eigenvalue of the restoration's
// shape (or a bound of it; 1 without one). Steps are stable up to 4: the paper's ranges at their ends are not.
double stability_load(const VertexParameters& p, double largest_eigenvalue = 1);

// What all five of a vertex are multiplied by so that its load is no more than `stiffest`.
inline double stable_share(double load, double stiffest) { return load > stiffest ? stiffest / load : 1; }

inline VertexParameters scaled(const VertexParameters& p, double s) {
  return {s * p.alpha, s * p.beta, s * p.gamma, s * p.lambda, s * p.delta};
}

}  // namespace sinew
