#include "studies/mixed/free_rotations.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/deform/mixed/condensed_matrix.h"
#include "sinew/deform/mixed/mixed_elements.h"
#include "sinew/linalg/cholesky.h"
#include "sinew/linalg/rotation.h"

namespace sinew {
namespace {

double inner(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}
double length_of(std::span<const double> a) { return std::sqrt(inner(a, a)); }

LameModuli moduli(const MixedBody& body, std::size_t s) { return {body.samples.shear[s], body.samples.lambda[s]}; }

std::vector<Mat3> closest_rotations(const MixedBody& body, std::span<const Vec3> positions) {
  std::vector<Mat3> rotations(body.samples.size());
  parallel_for(rotations.size(), 256, [&](std::size_t s) {
    rotations[s] = closest_rotation(deformation_gradient(body.samples, s, positions));
  });
  return rotations;
}

// The energy minus the work of the loads, springs included, with the closest rotations.
double potential(const MixedBody& body, const MixedLoad& load, std::span<const Vec3> positions) {
  const std::vector<Mat3> rotations = closest_rotations(body, positions);
  return condensed_energy(body, {rotations, load.held, load.tied, load.forces}, positions);
}

// Adds the energy's own resistance to rotation: V / 2 sum_k d_k (u_k x R g_i) (u_k x R g_j)^T, with the principal axes
// u_k of F's stretch in the world, and d_k = (Psi_i + Psi_j) / (s_i + s_j), raised to positive values if requested.
void add_turning(const MixedBody& body, std::span<const Vec3> positions, bool positive, BlockMatrix& matrix) {
  constexpr double least_sum = 1e-3, least_share = 0.01;
  const StrainSamples& samples = body.samples;
  for (std::size_t s = 0; s < samples.size(); ++s) {
    const SignedSvd svd = signed_svd(deformation_gradient(samples, s, positions));
    const Mat3 rotation = svd.u * transpose(svd.v);
    const Mat3 stretch = svd.v * Mat3::diagonal(svd.sigma) * transpose(svd.v);
    const Mat3 stress = to_matrix(body.energy.gradient(to_mandel(stretch), moduli(body, s)));
    Vec3 principal, modulus;
    for (std::size_t i = 0; i < 3; ++i) principal[i] = dot(svd.v.column(i), stress * svd.v.column(i));
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
      modulus[k] = (principal[i] + principal[j]) / std::max(svd.sigma[i] + svd.sigma[j], least_sum);
      if (positive) modulus[k] = std::max(modulus[k], least_share * samples.shear[s]);
    }
    const auto first = static_cast<std::size_t>(samples.start[s]),
               last = static_cast<std::size_t>(samples.start[s + 1]);
    const std::size_t count = last - first;
    for (std::size_t k = 0; k < 3; ++k) {
      std::vector<Vec3> arm;
      for (std::size_t e = first; e < last; ++e) arm.push_back(cross(svd.u.column(k), rotation * samples.gradient[e]));
      for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j < count; ++j) {
          const int place = body.places.place[body.places.begin[s] + i * count + j];
          if (place >= 0)
            matrix.block[static_cast<std::size_t>(place)] +=
                outer(arm[i], arm[j]) * (modulus[k] * samples.volume[s] / 2);
        }
    }
  }
}

// Norm of the forces of all elements on their vertices before they cancel, relative to which a residual is measured. At
// least what strains of 1e-6 cause, so that a body without stress is in equilibrium.
double force_scale(const MixedBody& body, std::span<const Mat3> stresses) {
  double sum = 0;
  for (std::size_t s = 0; s < stresses.size(); ++s)
    for (int k = body.samples.start[s]; k < body.samples.start[s + 1]; ++k) {
      const Vec3& gradient = body.samples.gradient[static_cast<std::size_t>(k)];
      const double least = 1e-6 * body.samples.shear[s];
      sum += body.samples.volume[s] * body.samples.volume[s] *
             (squared_norm(stresses[s] * gradient) + least * least * squared_norm(gradient));
    }
  return std::sqrt(sum);
}

std::vector<Vec3> moved(std::span<const Vec3> positions, const FreeVertices& free, std::span<const double> step,
                        double share) {
  std::vector<Vec3> result(positions.begin(), positions.end());
  for (std::size_t f = 0; f < free.vertex.size(); ++f)
    result[static_cast<std::size_t>(free.vertex[f])] += share * Vec3{step[3 * f], step[3 * f + 1], step[3 * f + 2]};
  return result;
}

}  // namespace

double elastic_energy(const MixedBody& body, std::span<const Vec3> positions) {
  return ordered_sum(body.samples.size(), 1024, [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t s = begin; s < end; ++s) {
      const Mat3 f = deformation_gradient(body.samples, s, positions);
      const Mandel stretch = to_mandel(transpose(closest_rotation(f)) * f);
      sum += body.samples.volume[s] * body.energy.value(stretch, moduli(body, s));
    }
    return sum;
  });
}

FreeEquilibrium free_equilibrium(const MixedBody& body, const MixedLoad& load, std::span<const Vec3> start,
                                 const FreeEquilibriumOptions& options) {
  if (start.size() != body.rest.size())
    throw usage_error("an equilibrium needs a start for each of " + std::to_string(body.rest.size()) +
                      " vertices, not " + std::to_string(start.size()) + ".");
  MixedBody without_turning = body;
  without_turning.skew_modulus.assign(body.samples.size(), 0.0);
  BlockMatrix matrix = condensed_pattern(body);
  BlockCholesky factor;
  factor.analyze(matrix);
  MaterialResponse response;
  std::vector<double> step(3 * body.free.vertex.size());
  FreeEquilibrium result;
  result.positions.assign(start.begin(), start.end());
  for (;; ++result.iterations) {
    const std::vector<Mat3> rotations = closest_rotations(body, result.positions);
    const MixedLoad here{rotations, load.held, load.tied, load.forces};
    const std::vector<Mandel> stretches = recover_stretches(body, rotations, result.positions);
    material_response(body, stretches, response);
    const std::vector<Mat3> stresses = linearized_stresses(body, rotations, result.positions, stretches, response);
    const std::vector<double> residual = residual_forces(body, here, result.positions, stresses);
    const double scale = force_scale(body, stresses), left = length_of(residual);
    result.residual = left == 0 ? 0 : left / scale;
    const double energy = condensed_energy(body, here, result.positions);
    result.energy = energy;
    if (result.residual <= options.tolerance) return result;
    if (!std::isfinite(result.residual) || result.iterations == options.max_iterations)
      throw simulation_error("the body found no equilibrium with free rotations in " +
                             std::to_string(result.iterations) + " steps; use a milder pose or more steps.");

    const auto factored = [&](bool positive) {
      if (positive) make_curvature_positive(body, response.hessian);
      assemble_condensed(without_turning, rotations, response.hessian, matrix);
      add_turning(body, result.positions, positive, matrix);
      factor.factor(matrix);
    };
    try {
      factored(false);
    } catch (const Error&) {  // not positive definite
      factored(true);
    }
    factor.solve(residual, step);

    const double slope = inner(residual, step);
    constexpr double sufficient = 1e-4, rounding = 1e-12;
    double share = 1;
    std::vector<Vec3> next = moved(result.positions, body.free, step, share);
    while (!(potential(body, load, next) <= energy - sufficient * share * slope + rounding * std::abs(energy))) {
      share /= 2;
      if (share < 1e-9)
        throw simulation_error("the body found no equilibrium with free rotations: step " +
                               std::to_string(result.iterations + 1) +
                               " does not lower its energy, with a residual of " + std::to_string(result.residual) +
                               "; use a milder pose.");
      next = moved(result.positions, body.free, step, share);
    }
    result.positions = std::move(next);
  }
}

}  // namespace sinew
