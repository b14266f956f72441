#include "studies/reference/static_equilibrium.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "sinew/base/error.h"
#include "sinew/elastic/free_vertices.h"
#include "sinew/elastic/stiffness.h"
#include "sinew/linalg/cholesky.h"
#include "studies/reference/corotated.h"

namespace sinew {
namespace {

double inner(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}
double length_of(std::span<const double> a) { return std::sqrt(inner(a, a)); }

void check_lengths(const StrainSamples& samples, std::size_t vertices) {
  for (const int v : samples.vertex)
    if (v < 0 || static_cast<std::size_t>(v) >= vertices)
      throw usage_error("the body has an element at vertex " + std::to_string(v) + ", but forces or positions for " +
                        std::to_string(vertices) + " vertices only; give one of each per vertex.");
}

// Elastic energy minus the work of the forces from `start`, and the size of its rounding errors.
struct Potential {
  double value, rounding;
};
Potential potential(const StrainSamples& samples, std::span<const Vec3> positions, std::span<const Vec3> start,
                    std::span<const Vec3> forces) {
  const double energy = corotated_energy(samples, positions);
  double work = 0, terms = energy;
  for (std::size_t v = 0; v < positions.size(); ++v) {
    const double part = dot(forces[v], positions[v] - start[v]);
    work += part;
    terms += std::abs(part);
  }
  return {energy - work, 1e-13 * terms};
}

std::vector<double> residual_of(const StrainSamples& samples, std::span<const Vec3> positions,
                                std::span<const Vec3> forces, const FreeVertices& free) {
  std::vector<Vec3> total = corotated_forces(samples, positions);
  for (std::size_t v = 0; v < total.size(); ++v) total[v] += forces[v];
  return gather(free, total);
}

}  // namespace

Equilibrium static_equilibrium(const StrainSamples& samples, std::span<const Vec3> start, std::span<const Vec3> forces,
                               std::span<const int> held, const EquilibriumOptions& options) {
  const std::size_t vertices = start.size();
  if (forces.size() != vertices)
    throw usage_error("there are " + std::to_string(forces.size()) + " forces for " + std::to_string(vertices) +
                      " vertices; give one per vertex.");
  check_lengths(samples, vertices);
  const FreeVertices free = free_vertices(vertices, held);
  const std::vector<double> load = gather(free, forces);

  Equilibrium result;
  result.positions.assign(start.begin(), start.end());
  BlockMatrix hessian = block_pattern(static_cast<int>(vertices), samples.vertex, samples.start);
  BlockCholesky factor;
  std::vector<double> residual = residual_of(samples, result.positions, forces, free);
  // Without forces, moved held vertices load the body: relative to that load.
  const double scale = length_of(load) > 0 ? length_of(load) : length_of(residual);
  std::vector<double> step(residual.size());
  for (;; ++result.iterations) {
    result.residual = scale == 0 ? 0 : length_of(residual) / scale;  // NaN stays NaN
    if (result.residual <= options.tolerance) return result;
    if (!std::isfinite(result.residual) || result.iterations == options.max_iterations)
      throw simulation_error("the body found no equilibrium in " + std::to_string(result.iterations) +
                             " steps; use stiffer material, smaller forces or more steps.");

    std::fill(hessian.block.begin(), hessian.block.end(), Mat3::zero());
    add_corotated_hessian(samples, result.positions, HessianForm::frozen_rotation, hessian);
    const BlockMatrix system = principal_submatrix(hessian, free.number, free.count());
    if (result.iterations == 0) factor.analyze(system);
    factor.factor(system);
    factor.solve(residual, step);

    const Potential here = potential(samples, result.positions, start, forces);
    const double slope = inner(residual, step);  // decrease of the potential per unit of step, > 0
    constexpr double sufficient = 1e-4;
    double share = 1;
    std::vector<Vec3> next = moved_positions(result.positions, free, step, share);
    for (Potential there = potential(samples, next, start, forces);
         !(there.value <= here.value - sufficient * share * slope + here.rounding + there.rounding);
         there = potential(samples, next, start, forces)) {
      share /= 2;
      if (share < 1e-12)
        throw simulation_error("the body found no equilibrium: step " + std::to_string(result.iterations + 1) +
                               " does not lower its energy; use stiffer material or smaller forces.");
      next = moved_positions(result.positions, free, step, share);
    }
    result.positions = std::move(next);
    residual = residual_of(samples, result.positions, forces, free);
  }
}

std::vector<Vec3> linear_equilibrium(const StrainSamples& samples, std::span<const Vec3> forces,
                                     std::span<const int> held) {
  check_lengths(samples, forces.size());
  const FreeVertices free = free_vertices(forces.size(), held);
  const BlockMatrix system =
      principal_submatrix(rest_stiffness(samples, static_cast<int>(forces.size())), free.number, free.count());
  BlockCholesky factor;
  factor.analyze(system);
  factor.factor(system);
  std::vector<double> displacement = gather(free, forces);
  factor.solve(displacement, displacement);
  return moved_positions(std::vector<Vec3>(forces.size()), free, displacement, 1);
}

}  // namespace sinew
