// Energy densities in the stretch: derivatives against finite differences, also where S is singular or inverted, and
// values against other forms of the same energies.
#include "sinew/elastic/mixed_materials.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/elastic/blocks.h"

namespace sinew {
namespace {

constexpr MixedMaterial all_materials[] = {MixedMaterial::arap, MixedMaterial::corotated,
                                           MixedMaterial::stable_neo_hookean, MixedMaterial::st_venant_kirchhoff};

double magnitude(const Mandel& a) { return std::sqrt(dot(a, a)); }
double magnitude(const MandelMatrix& a) {
  double sum = 0;
  for (const double x : a.m) sum += x * x;
  return std::sqrt(sum);
}

// Principal stretches along no special axes.
Mandel with_principal_stretches(const Vec3& principal) {
  const Mat3 q = to_matrix(axis_angle(normalized(Vec3{1, 2, 3}), 0.7));
  return to_mandel(q * Mat3::diagonal(principal) * transpose(q));
}

std::vector<Mandel> stretches() {
  std::vector<Mandel> result;
  for (const Vec3& principal :
       {Vec3{1, 1, 1}, Vec3{1.3, 1, 0.8}, Vec3{1, 1, 0.999}, Vec3{3, 2, 0.1}, Vec3{0.5, 0.5, 0.5}, Vec3{1.2, 0.9, 0},
        Vec3{0, 0, 0}, Vec3{1.2, 0.9, -0.3}, Vec3{2, -1.5, -0.2}, Vec3{-1, -1, -1}})
    result.push_back(with_principal_stretches(principal));
  test::Noise noise(5);
  for (int k = 0; k < 10; ++k) result.push_back(to_mandel(noise.matrix() * 2));
  return result;
}

TEST(MixedMaterials, GradientsAndHessiansAreTheDerivatives) {
  constexpr double step = 1e-5;
  for (const MixedMaterial material : all_materials)
    for (const double poisson : {-0.5, 0.0, 0.3, 0.49})
      for (const Mandel& s : stretches()) {
        SCOPED_TRACE(testing::Message() << "material " << static_cast<int>(material) << ", nu = " << poisson << ", S "
                                        << s[0] << " " << s[1] << " " << s[2]);
        const StretchEnergy& energy = stretch_energy(material);
        const LameModuli moduli = lame_moduli(3, poisson);
        const Mandel gradient = energy.gradient(s, moduli);
        const MandelMatrix hessian = energy.hessian(s, moduli);
        Mandel gradient_error;
        MandelMatrix hessian_error, asymmetry;
        for (std::size_t k = 0; k < 6; ++k) {
          Mandel left = s, right = s;
          left[k] -= step;
          right[k] += step;
          gradient_error[k] = gradient[k] - (energy.value(right, moduli) - energy.value(left, moduli)) / (2 * step);
          const Mandel column = (energy.gradient(right, moduli) - energy.gradient(left, moduli)) * (0.5 / step);
          for (std::size_t i = 0; i < 6; ++i) {
            hessian_error(i, k) = hessian(i, k) - column[i];
            asymmetry(i, k) = hessian(i, k) - hessian(k, i);
          }
        }
        // Central differences err by step^2 times the third derivative, and by rounding over the step.
        const double scale = magnitude(energy.hessian(Mandel::identity(), moduli)) * (1 + dot(s, s) * dot(s, s));
        EXPECT_LT(magnitude(gradient_error), 1e-8 * scale);
        EXPECT_LT(magnitude(hessian_error), 1e-8 * scale);
        EXPECT_LT(magnitude(asymmetry), 1e-14 * scale);
      }
}

TEST(MixedMaterials, AreLinearElasticityAtRestWithoutRounding) {
  for (const MixedMaterial material : all_materials)
    for (const double poisson : {-0.5, 0.0, 0.3, 0.49}) {
      const StretchEnergy& energy = stretch_energy(material);
      const LameModuli moduli = lame_moduli(3, poisson);
      EXPECT_EQ(energy.value(Mandel::identity(), moduli), 0);
      EXPECT_EQ(energy.gradient(Mandel::identity(), moduli), Mandel());
      const MandelMatrix hessian = energy.hessian(Mandel::identity(), moduli);
      const double lambda = material == MixedMaterial::arap ? 0 : moduli.lambda;
      for (std::size_t i = 0; i < 6; ++i)
        for (std::size_t j = 0; j < 6; ++j)
          EXPECT_NEAR(hessian(i, j), (i == j ? 2 * moduli.shear : 0) + (i < 3 && j < 3 ? lambda : 0),
                      1e-14 * magnitude(hessian));
    }
}

TEST(MixedMaterials, QuadraticOnesSayTheTruth) {
  for (const MixedMaterial material : all_materials) {
    const StretchEnergy& energy = stretch_energy(material);
    const LameModuli moduli = lame_moduli(3, 0.3);
    const bool constant =
        energy.hessian(Mandel::identity(), moduli) == energy.hessian(with_principal_stretches({1.3, 1, 0.8}), moduli);
    EXPECT_EQ(constant, energy.quadratic);
  }
}

// Turning the axes changes nothing.
TEST(MixedMaterials, AreIsotropic) {
  const Mat3 q = to_matrix(axis_angle(normalized(Vec3{-2, 1, 1}), 1.3));
  for (const MixedMaterial material : all_materials)
    for (const Mandel& s : stretches()) {
      const StretchEnergy& energy = stretch_energy(material);
      const LameModuli moduli = lame_moduli(3, 0.4);
      const Mandel turned = to_mandel(q * to_matrix(s) * transpose(q));
      const Mandel stress = to_mandel(q * to_matrix(energy.gradient(s, moduli)) * transpose(q));
      const double scale = 1 + std::pow(dot(s, s), 3);
      EXPECT_NEAR(energy.value(turned, moduli), energy.value(s, moduli), 1e-12 * scale);
      EXPECT_LT(magnitude(energy.gradient(turned, moduli) - stress), 1e-12 * scale);
    }
}

// Uniaxial and hydrostatic stretch, written out by hand.
TEST(MixedMaterials, KnownValues) {
  const LameModuli moduli{2, 5};
  const double a = 1.4;
  const Mandel uniaxial = with_principal_stretches({a, 1, 1}), hydrostatic = Mandel::identity() * a;
  const auto value = [&](MixedMaterial m, const Mandel& s) { return stretch_energy(m).value(s, moduli); };
  EXPECT_NEAR(value(MixedMaterial::arap, uniaxial), 2 * 0.16, 1e-14);
  EXPECT_NEAR(value(MixedMaterial::arap, hydrostatic), 2 * 3 * 0.16, 1e-14);
  EXPECT_NEAR(value(MixedMaterial::corotated, uniaxial), 2 * 0.16 + 2.5 * 0.16, 1e-14);
  EXPECT_NEAR(value(MixedMaterial::corotated, hydrostatic), 2 * 3 * 0.16 + 2.5 * 1.44, 1e-13);
  const double green = (a * a - 1) / 2;
  EXPECT_NEAR(value(MixedMaterial::st_venant_kirchhoff, uniaxial), (2 + 2.5) * green * green, 1e-14);
  EXPECT_NEAR(value(MixedMaterial::st_venant_kirchhoff, hydrostatic), (3 * 2 + 9 * 2.5) * green * green, 1e-13);
  // As published: l/2 (J - alpha)^2 with alpha = 1 + 3 m / (4 l), less its value at rest.
  const double m = 4.0 / 3 * 2, l = 5 + 5.0 / 6 * 2, alpha = 1 + 0.75 * m / l;
  const auto published = [&](double squared, double volume) {
    return m / 2 * (squared - 3) + l / 2 * (volume - alpha) * (volume - alpha) - m / 2 * std::log(squared + 1);
  };
  EXPECT_NEAR(value(MixedMaterial::stable_neo_hookean, uniaxial), published(a * a + 2, a) - published(3, 1), 1e-13);
  EXPECT_NEAR(value(MixedMaterial::stable_neo_hookean, hydrostatic), published(3 * a * a, a * a * a) - published(3, 1),
              1e-12);
}

}  // namespace
}  // namespace sinew
