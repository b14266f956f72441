// Right-hand sides of the Poisson problem (equation 15). With them ARAP costs one substitution per pose.
#pragma once

#include <span>
#include <vector>

#include "sinew/deform/mixed/mixed_body.h"

namespace sinew {

// The pose-independent data, sorted by free vertex.
struct PoissonForces {
  // Free vertex v covers entries start[v] .. start[v + 1], in the order of the samples.
  std::vector<int> start{0};
  std::vector<int> sample;     // per entry
  std::vector<Vec3> gradient;  // per entry: 2 modulus V g, newtons
  // Coupling to held vertices: free vertex row[k] is pulled by coupling[k] times the displacement of held vertex
  // held[k], newtons per metre.
  std::vector<int> row, held;
  std::vector<double> coupling;
};

// `modulus`: per sample, pascals.
PoissonForces poisson_forces(const MixedBody& body, std::span<const double> modulus);

// Computes the forces on the free vertices, three numbers each, newtons, with held vertices in their places and all
// others at rest. Exactly zero in the rest pose.
void find_forces_at_start(const PoissonForces& forces, const MixedBody& body, const MixedLoad& load,
                          std::vector<double>& residual);

}  // namespace sinew
