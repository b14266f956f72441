// Backtracking line search along a direction of Newton's method.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "sinew/deform/lattice/solver/unknown_vectors.h"

namespace sinew {

// Adds share * x to `position` with the first share of 1, 1/2, 1/4, ... for which measure() is less than `before`, else
// with the smallest share tried. Returns measure() at the new position.
template <class Measure>
double go_along(const ActiveFunctions& active, std::span<const double> x, double before, const Measure& measure,
                std::span<Vec3> position) {
  constexpr double least_share = 0.02;
  const std::vector<Vec3> start(position.begin(), position.end());
  double now = before;
  for (double share = 1; share > least_share; share *= 0.5) {
    std::copy(start.begin(), start.end(), position.begin());
    add_unknowns(active, share, x, position);
    now = measure();
    if (now < before) break;
  }
  return now;
}

}  // namespace sinew
