// The nonlinear elastic energy of Capell (2004), section 3.3, by direct quadrature over strain samples: Green's strain
// with a linear stress law, for any deformation and any basis.
//
//   U(q) = sum_s V_s (mu |E_s|^2 + lambda/2 tr(E_s)^2),  E = (D + D^T + D^T D) / 2,  D_s = sum_i q_i (x) g_si
//
// The thesis's strain has no factor 1/2, e = 2 E (its equation 3.9), and its energy with the moduli G and nu (3.10),
//
//   G (nu / (1 - 2 nu) tr(e)^2 + |e|^2) = 4 (G |E|^2 + G nu / (1 - 2 nu) tr(E)^2),
//
// is four times the physical energy with shear modulus mu = G and lambda = 2 G nu / (1 - 2 nu). Poisson's ratio is the
// usual one; the thesis's G corresponds to mu = 4 G. Moduli here are physical, as everywhere in Sinew.
#pragma once

#include <span>
#include <vector>

#include "sinew/elastic/elastic_potential.h"
#include "sinew/elastic/sample_entries.h"
#include "sinew/elastic/strain_samples.h"

namespace sinew {

enum class GreenHessian {
  exact,     // may be indefinite under compression
  definite,  // positive semi-definite: leaves out compressive principal stresses; equal to `exact` without them
};

class GreenStrainEnergy : public ElasticPotential {
 public:
  // Keeps a reference to the samples. Throws usage_error for a sample of a function that does not exist.
  GreenStrainEnergy(const StrainSamples& samples, int functions);

  int functions() const override { return functions_; }
  double energy(std::span<const Vec3> q) override;
  void gradient(std::span<const Vec3> q, std::span<Vec3> gradient) override;
  BlockMatrix hessian_pattern() const override;
  void hessian(std::span<const Vec3> q, BlockMatrix& hessian) override {
    this->hessian(q, GreenHessian::exact, hessian);
  }
  void hessian(std::span<const Vec3> q, GreenHessian form, BlockMatrix& hessian);

  // Products with the Hessian at q without forming it: call linearize(), then compute y = H x with 3 numbers per
  // function.
  void linearize(std::span<const Vec3> q, GreenHessian form);
  void multiply(std::span<const double> x, std::span<double> y);

 private:
  struct SampleState {
    Mat3 f, stress;  // deformation gradient; second Piola-Kirchhoff, Pa
  };
  void check(std::size_t length) const;
  Mat3 displacement_gradient(std::size_t s, std::span<const Vec3> q) const {
    return deformation_gradient(*samples_, s, q);
  }
  LameModuli moduli(std::size_t s) const { return {samples_->shear[s], samples_->lambda[s]}; }

  const StrainSamples* samples_;
  int functions_;
  SampleEntries entries_;
  std::vector<SampleState> state_;
  std::vector<Mat3> stress_;     // per sample: volume times first Piola-Kirchhoff stress, or its change
  std::vector<Vec3> deformed_;   // per entry: F g
  std::vector<Vec3> traction_;   // per entry: S g
  std::vector<Vec3> from_, to_;  // work vectors of multiply()
};

}  // namespace sinew
