#include "studies/reference/corotated.h"

#include <array>

#include "sinew/linalg/rotation.h"

namespace sinew {
namespace {

struct Rotated {
  Mat3 rotation, strain;  // F = R S, e = S - I (symmetric)
  double trace;
};

Rotated rotated_strain(const Mat3& f) {
  const Mat3 rotation = closest_rotation(f);
  Mat3 strain = transpose(rotation) * f - Mat3::identity();
  strain = (strain + transpose(strain)) * 0.5;
  return {rotation, strain, trace(strain)};
}

// First Piola-Kirchhoff stress P = R (2 mu e + lambda tr(e) I).
Mat3 stress(const Rotated& at, double shear, double lambda) {
  return at.rotation * (at.strain * (2 * shear) + Mat3::identity() * (lambda * at.trace));
}

// Change of the stress for a change dF of F; frozen rotations leave out the second line.
Mat3 stress_change(const Rotated& at, const RotationDerivative* derivative, double shear, double lambda,
                   const Mat3& df) {
  const Mat3 turned = transpose(at.rotation) * df;
  const Mat3 strain_change = (turned + transpose(turned)) * 0.5;
  Mat3 change = at.rotation * (strain_change * (2 * shear) + Mat3::identity() * (lambda * trace(strain_change)));
  if (derivative) {
    const Mat3 rotation_change = (*derivative)(df);
    // P = 2 mu (F - R) + lambda tr(R^T F - I) R, differentiated exactly.
    const double trace_change =
        trace(transpose(rotation_change) * (at.rotation * (at.strain + Mat3::identity()))) + trace(turned);
    change = (df - rotation_change) * (2 * shear) + at.rotation * (lambda * trace_change) +
             rotation_change * (lambda * at.trace);
  }
  return change;
}

}  // namespace

double corotated_energy(const StrainSamples& samples, std::span<const Vec3> positions) {
  double energy = 0;
  for (std::size_t s = 0; s < samples.size(); ++s) {
    const Rotated at = rotated_strain(deformation_gradient(samples, s, positions));
    const double squared = frobenius_norm(at.strain) * frobenius_norm(at.strain);
    energy += samples.volume[s] * (samples.shear[s] * squared + 0.5 * samples.lambda[s] * at.trace * at.trace);
  }
  return energy;
}

std::vector<Vec3> corotated_forces(const StrainSamples& samples, std::span<const Vec3> positions) {
  std::vector<Vec3> forces(positions.size());
  for (std::size_t s = 0; s < samples.size(); ++s) {
    const Mat3 p =
        stress(rotated_strain(deformation_gradient(samples, s, positions)), samples.shear[s], samples.lambda[s]);
    for (int k = samples.start[s]; k < samples.start[s + 1]; ++k) {
      const auto entry = static_cast<std::size_t>(k);
      forces[static_cast<std::size_t>(samples.vertex[entry])] -= (p * samples.gradient[entry]) * samples.volume[s];
    }
  }
  return forces;
}

void add_corotated_hessian(const StrainSamples& samples, std::span<const Vec3> positions, HessianForm form,
                           BlockMatrix& hessian) {
  for (std::size_t s = 0; s < samples.size(); ++s) {
    const Mat3 f = deformation_gradient(samples, s, positions);
    const Rotated at = rotated_strain(f);
    const RotationDerivative derivative = rotation_derivative(f, at.rotation);
    const RotationDerivative* exact = form == HessianForm::exact ? &derivative : nullptr;
    // dP for a unit change of each entry of F.
    std::array<Mat3, 9> change;
    for (std::size_t entry = 0; entry < 9; ++entry) {
      Mat3 df = Mat3::zero();
      df.m[entry] = 1;
      change[entry] = stress_change(at, exact, samples.shear[s], samples.lambda[s], df);
    }
    for (int k = samples.start[s]; k < samples.start[s + 1]; ++k)
      for (int l = samples.start[s]; l < samples.start[s + 1]; ++l) {
        const Vec3 &gi = samples.gradient[static_cast<std::size_t>(k)],
                   &gj = samples.gradient[static_cast<std::size_t>(l)];
        Mat3& block = hessian.block[static_cast<std::size_t>(find_block(
            hessian, samples.vertex[static_cast<std::size_t>(k)], samples.vertex[static_cast<std::size_t>(l)]))];
        for (std::size_t column = 0; column < 3; ++column) {
          // Moving vertex j along axis `column` changes F by e_column g_j^T.
          Mat3 dp = Mat3::zero();
          for (std::size_t c = 0; c < 3; ++c) dp += change[3 * column + c] * gj[c];
          const Vec3 df = dp * gi * samples.volume[s];
          for (std::size_t row = 0; row < 3; ++row) block(row, column) += df[row];
        }
      }
  }
}

}  // namespace sinew
