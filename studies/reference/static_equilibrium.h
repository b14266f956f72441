// Static equilibrium of an elastic body under given forces with some vertices held.
//
// Forces are dead loads, newtons per vertex; those on held vertices are taken by the supports.
#pragma once

#include <span>
#include <vector>

#include "sinew/elastic/strain_samples.h"

namespace sinew {

struct EquilibriumOptions {
  double tolerance = 1e-8;  // stop where |residual| <= tolerance * |forces|, both over the free vertices
  int max_iterations = 60;  // Newton iterations, one factorisation each
};

struct Equilibrium {
  std::vector<Vec3> positions;  // n, metres
  int iterations = 0;           // steps of Newton's method
  double residual = 0;          // final |residual| / |forces|
};

// Minimises the co-rotated energy (studies/reference/corotated.h) minus the work of the forces. Newton's method with
// frozen rotations and backtracking: every system is positive definite in any state. Starts from `start` (n, metres),
// in which the held vertices are at their fixed places. Throws usage_error for vertices that do not exist or spans of
// other lengths, simulation_error where the held vertices leave the body free to move or the tolerance is not reached.
Equilibrium static_equilibrium(const StrainSamples& samples, std::span<const Vec3> start, std::span<const Vec3> forces,
                               std::span<const int> held, const EquilibriumOptions& options = {});

// Displacements (n, metres) from rest in small strain theory, by one solution with the rest stiffness.
std::vector<Vec3> linear_equilibrium(const StrainSamples& samples, std::span<const Vec3> forces,
                                     std::span<const int> held);

}  // namespace sinew
