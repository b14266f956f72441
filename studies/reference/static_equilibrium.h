// Static equilibrium of an elastic body under given forces with some vertices held.
//
// Forces are dead loads, newtons per vertex; those on held vertices go into the supports.
#pragma once

#include <span>
#include <vector>

#include "sinew/elastic/strain_samples.h"

namespace sinew {

struct EquilibriumOptions {
  double tolerance = 1e-8;  // stop where |residual| <= tolerance * |forces|, both over the free vertices
  int max_iterations = 60;  // of Newton's method, one factorisation each
};

struct Equilibrium {
  std::vector<Vec3> positions;  // n, metres
  int iterations = 0;           // steps of Newton's method
  double residual = 0;          // |residual| / |forces| reached
};

// Minimum of the co-rotated energy less the work of the forces (studies/reference/corotated.h). Newton's method
// with frozen rotations and backtracking: every system is positive definite, whatever the state. Starts
// from `start` (n, metres), where the held vertices are and stay. Throws usage_error for vertices that do not exist
// or spans of other lengths, simulation_error where the held vertices leave the body loose or the
// tolerance is not reached.
Equilibrium static_equilibrium(const StrainSamples& samples, std::span<const Vec3> start, std::span<const Vec3> forces,
                               std::span<const int> held, const EquilibriumOptions& options = {});

// Displacements (n, metres) from rest in small strain theory: one solution with the rest stiffness.
std::vector<Vec3> linear_equilibrium(const StrainSamples& samples, std::span<const Vec3> forces,
                                     std::span<const int> held);

}  // namespace sinew
