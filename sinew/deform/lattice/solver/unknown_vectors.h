// Helpers for vectors over the unknowns of a lattice (three numbers per unknown) and vectors over all its functions.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "sinew/base/error.h"
#include "sinew/deform/lattice/solver/active_functions.h"
#include "sinew/linalg/small.h"

namespace sinew {

inline Vec3 unknown_at(std::span<const double> values, std::size_t u) {
  return {values[3 * u], values[3 * u + 1], values[3 * u + 2]};
}

inline void add_to_unknown(std::span<double> values, std::size_t u, const Vec3& v) {
  for (std::size_t k = 0; k < 3; ++k) values[3 * u + k] += v[k];
}

// Adds factor x to the vector over all functions.
inline void add_unknowns(const ActiveFunctions& active, double factor, std::span<const double> x,
                         std::span<Vec3> per_function) {
  for (std::size_t u = 0; u < active.unknowns(); ++u)
    per_function[static_cast<std::size_t>(active.unknown_function[u])] += factor * unknown_at(x, u);
}

// Throws simulation_error, naming the time (seconds) and the function, if a change is not finite.
inline void require_finite(int function, const Vec3& change, double time) {
  if (!is_finite(change))
    throw simulation_error("the simulation lost vertex " + std::to_string(function) + " of the lattice at " +
                           std::to_string(time) + " s; check the clip for jumps there, or use a smaller --step.");
}

inline void require_finite(const ActiveFunctions& active, std::span<const double> x, double time) {
  for (std::size_t u = 0; u < active.unknowns(); ++u)
    require_finite(active.unknown_function[u], unknown_at(x, u), time);
}

}  // namespace sinew
