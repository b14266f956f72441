// Hyperelastic laws as functions of the deformation gradient F: density, stress and stiffness of one sample.
//
//   modified St. Venant-Kirchhoff (Martin et al. 2011):  psi = mu |E|^2 + lambda/2 (det F - 1)^2
//   St. Venant-Kirchhoff:                                psi = mu |E|^2 + lambda/2 tr(E)^2
//   co-rotated:                                          psi = mu |S - I|^2 + lambda/2 tr(S - I)^2,   F = R S
//
// with Green's strain E = (F^T F - I) / 2 and Lame's moduli. Hahn (2013), equation 2, prints the first as mu/2 |E| +
// lambda (1 - V/V0): without squares the norm has no stiffness at rest and the volume term rewards collapse. With
// squares, mu/2 |E|^2 + lambda (1 - V/V0)^2, it is the law above with a shear modulus of mu/2 and Lame's first modulus
// 2 lambda. Sinew's moduli are the physical ones, so that all three laws agree for small strain.
//
// The first law is a polynomial of F: finite under inversion, where its volume term drives det F back to 1. The second
// is a polynomial too, but does not distinguish a body from its mirror image.
#pragma once

#include <array>

#include "sinew/elastic/material.h"
#include "sinew/linalg/rotation.h"
#include "sinew/linalg/small.h"

namespace sinew {

enum class HyperelasticLaw { modified_st_venant_kirchhoff, st_venant_kirchhoff, corotated };

enum class HyperelasticTangent {
  exact,     // second derivative of the density; may be indefinite
  definite,  // positive semi-definite: terms of compressive stress, cofactor change and rotation change are left out
};

// All laws take `d` = F - I, so that small strains are not lost to rounding.
double density(HyperelasticLaw law, const Mat3& d, const LameModuli& moduli);  // joules per cubic metre
Mat3 stress(HyperelasticLaw law, const Mat3& d, const LameModuli& moduli);  // first Piola-Kirchhoff, dpsi/dF, pascals

// Second derivative of the density at one F, contracted with gradients of shape functions.
class HyperelasticStiffness {
 public:
  HyperelasticStiffness(HyperelasticLaw law, HyperelasticTangent form, const Mat3& d, const LameModuli& moduli);

  // d^2 psi / dp_a dp_b where F changes by dp_a g_a^T and dp_b g_b^T: a block of the Hessian per unit volume, Pa/m^2.
  Mat3 block(const Vec3& a, const Vec3& b) const;

 private:
  Mat3 corotated_block(const Vec3& a, const Vec3& b) const;

  HyperelasticLaw law_;
  HyperelasticTangent form_;
  LameModuli moduli_;
  Mat3 f_, left_, second_, cofactor_;         // F, F F^T, second Piola-Kirchhoff stress of the strain term, cof F
  double pressure_ = 0;                       // lambda (det F - 1)
  Mat3 rotation_;                             // co-rotated: R
  RotationDerivative rotation_derivative_{};  // co-rotated: of R
};

// det(I + d) - 1 without cancellation.
double volume_change(const Mat3& d);

// The cofactor matrix det F F^-T, which maps area vectors of the rest shape to those of the deformed shape.
Mat3 cofactor(const Mat3& f);

}  // namespace sinew
