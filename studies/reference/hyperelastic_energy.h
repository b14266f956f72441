// The energy of a body under one of the laws of elastic/hyperelastic.h, by quadrature over strain samples.
#pragma once

#include <span>
#include <vector>

#include "sinew/elastic/elastic_potential.h"
#include "sinew/elastic/hyperelastic.h"
#include "sinew/elastic/sample_entries.h"
#include "sinew/elastic/strain_samples.h"

namespace sinew {

class HyperelasticEnergy : public ElasticPotential {
 public:
  // Keeps a reference to the samples. Throws usage_error for a sample of a function that does not exist.
  HyperelasticEnergy(const StrainSamples& samples, int functions, HyperelasticLaw law);

  // Selects the Hessian that hessian() computes; the default is the exact one.
  void use(HyperelasticTangent form) { form_ = form; }

  int functions() const override { return functions_; }
  double energy(std::span<const Vec3> q) override;
  void gradient(std::span<const Vec3> q, std::span<Vec3> gradient) override;
  BlockMatrix hessian_pattern() const override;
  void hessian(std::span<const Vec3> q, BlockMatrix& hessian) override;

 private:
  Mat3 displacement_gradient(std::size_t s, std::span<const Vec3> q) const {
    return deformation_gradient(*samples_, s, q);
  }
  LameModuli moduli(std::size_t s) const { return {samples_->shear[s], samples_->lambda[s]}; }

  const StrainSamples* samples_;
  int functions_;
  HyperelasticLaw law_;
  HyperelasticTangent form_ = HyperelasticTangent::exact;
  SampleEntries entries_;
  std::vector<Mat3> stress_;                      // per sample: volume times first Piola-Kirchhoff
  std::vector<HyperelasticStiffness> stiffness_;  // per sample
};

}  // namespace sinew
