#include "sinew/deform/mixed/mixed_elements.h"

#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"

namespace sinew {
namespace {

constexpr std::size_t sample_grain = 512;
constexpr std::size_t mixed_elements_vertex_grain = 256;

constexpr double least_curvature = 1e-2;  // share of the shear modulus

// F = I + sum_v u_v (x) g_v with displacements u: exactly I at rest.
Mat3 deformation(const MixedBody& body, std::size_t s, std::span<const Vec3> positions) {
  Mat3 f = Mat3::identity();
  for (std::size_t k = index(body.samples.start[s]); k < index(body.samples.start[s + 1]); ++k) {
    const std::size_t v = index(body.samples.vertex[k]);
    f += outer(positions[v] - body.rest[v], body.samples.gradient[k]);
  }
  return f;
}

LameModuli moduli_of(const MixedBody& body, std::size_t s) { return {body.samples.shear[s], body.samples.lambda[s]}; }

}  // namespace

std::vector<Vec3> start_positions(const MixedBody& body, const MixedLoad& load) {
  std::vector<Vec3> positions = body.rest;
  for (std::size_t k = 0; k < body.pins.held.size(); ++k) positions[index(body.pins.held[k])] = load.held[k];
  return positions;
}

std::vector<Mandel> recover_stretches(const MixedBody& body, std::span<const Mat3> rotations,
                                      std::span<const Vec3> positions) {
  std::vector<Mandel> stretches(body.samples.size());
  parallel_for(stretches.size(), sample_grain, [&](std::size_t s) {
    stretches[s] = to_mandel(transpose(rotations[s]) * deformation(body, s, positions));
  });
  return stretches;
}

void material_response(const MixedBody& body, std::span<const Mandel> stretches, MaterialResponse& response) {
  response.gradient.resize(body.samples.size());
  response.hessian.resize(body.samples.size());
  parallel_for(body.samples.size(), sample_grain, [&](std::size_t s) {
    const LameModuli moduli = moduli_of(body, s);
    response.gradient[s] = body.energy.gradient(stretches[s], moduli);
    response.hessian[s] = body.energy.hessian(stretches[s], moduli);
  });
}

void make_curvature_positive(const MixedBody& body, std::span<MandelMatrix> hessian) {
  parallel_for(hessian.size(), sample_grain, [&](std::size_t s) {
    hessian[s] = with_eigenvalues_at_least(hessian[s], least_curvature * body.samples.shear[s]);
  });
}

std::vector<Mat3> linearized_stresses(const MixedBody& body, std::span<const Mat3> rotations,
                                      std::span<const Vec3> positions, std::span<const Mandel> stretches,
                                      const MaterialResponse& response) {
  std::vector<Mat3> stresses(body.samples.size());
  parallel_for(stresses.size(), sample_grain, [&](std::size_t s) {
    const Mat3 turned = transpose(rotations[s]) * deformation(body, s, positions);
    const Mandel stress = response.gradient[s] + response.hessian[s] * (to_mandel(turned) - stretches[s]);
    const Mat3 twice_skew = turned - transpose(turned);
    stresses[s] = rotations[s] * (to_matrix(stress) + twice_skew * body.skew_modulus[s]);
  });
  return stresses;
}

std::vector<Mat3> poisson_volume_stresses(const MixedBody& body, std::span<const Mat3> rotations,
                                          std::span<const Vec3> positions, std::span<const double> modulus) {
  std::vector<Mat3> stresses(body.samples.size());
  parallel_for(stresses.size(), sample_grain, [&](std::size_t s) {
    const Mat3& r = rotations[s];
    const Mat3 change = deformation(body, s, positions) - r;
    // tr(R^T (F - R)), which is tr(R^T F) - 3 without the rounding of large numbers.
    double volume = 0;
    for (std::size_t k = 0; k < 9; ++k) volume += r.m[k] * change.m[k];
    stresses[s] = change * (2 * body.skew_modulus[s]) + r * (modulus[s] * volume);
  });
  return stresses;
}

std::vector<double> residual_forces(const MixedBody& body, const MixedLoad& load, std::span<const Vec3> positions,
                                    std::span<const Mat3> stresses) {
  std::vector<double> residual(3 * body.free.vertex.size());
  const auto add = [&](std::size_t row, const Vec3& force) {
    for (std::size_t c = 0; c < 3; ++c) residual[3 * row + c] += force[c];
  };
  parallel_for(body.free.vertex.size(), mixed_elements_vertex_grain, [&](std::size_t row) {
    const std::size_t v = index(body.free.vertex[row]);
    Vec3 force = load.forces.empty() ? Vec3{} : load.forces[v];
    for (std::size_t k = index(body.entries.start[v]); k < index(body.entries.start[v + 1]); ++k) {
      const std::size_t s = index(body.entries.sample[k]);
      force -= stresses[s] * (body.samples.gradient[index(body.entries.entry[k])] * body.samples.volume[s]);
    }
    add(row, force);
  });
  for (std::size_t k = 0; k < body.pins.tied.size(); ++k) {
    const std::size_t v = index(body.pins.tied[k]);
    if (const int row = body.free.number[v]; row >= 0)
      add(index(row), (load.tied[k] - positions[v]) * body.pins.spring[k]);
  }
  return residual;
}

double condensed_energy(const MixedBody& body, const MixedLoad& load, std::span<const Vec3> positions) {
  double energy = ordered_sum(body.samples.size(), sample_grain, [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t s = begin; s < end; ++s) {
      const Mat3 turned = transpose(load.rotations[s]) * deformation(body, s, positions);
      const double skew = 0.5 * frobenius_norm(turned - transpose(turned));
      sum += body.samples.volume[s] *
             (body.energy.value(to_mandel(turned), moduli_of(body, s)) + body.skew_modulus[s] * skew * skew);
    }
    return sum;
  });
  for (std::size_t k = 0; k < body.pins.tied.size(); ++k)
    energy += 0.5 * body.pins.spring[k] * squared_norm(load.tied[k] - positions[index(body.pins.tied[k])]);
  for (std::size_t v = 0; v < load.forces.size(); ++v) energy -= dot(load.forces[v], positions[v] - body.rest[v]);
  return energy;
}

}  // namespace sinew
