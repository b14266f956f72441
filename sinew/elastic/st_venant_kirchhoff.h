// St. Venant-Kirchhoff material: linear elasticity in Green's strain E = (F^T F - I) / 2.
#pragma once

#include "sinew/elastic/material.h"
#include "sinew/linalg/small.h"

namespace sinew {

// Green's strain for the deformation gradient F = I + D, computed from D so that small strains are not lost to
// rounding.
inline Mat3 green_strain(const Mat3& displacement_gradient) {
  const Mat3 quadratic = transpose(displacement_gradient) * displacement_gradient;
  return (displacement_gradient + transpose(displacement_gradient) + quadratic) * 0.5;
}

// Energy density mu |E|^2 + lambda/2 tr(E)^2, joules per cubic metre.
inline double st_venant_kirchhoff_density(const Mat3& e, const LameModuli& moduli) {
  double squared = 0;
  for (const double v : e.m) squared += v * v;
  return moduli.shear * squared + 0.5 * moduli.lambda * trace(e) * trace(e);
}

// Second Piola-Kirchhoff stress 2 mu E + lambda tr(E) I, pascals.
inline Mat3 st_venant_kirchhoff_stress(const Mat3& e, const LameModuli& moduli) {
  return e * (2 * moduli.shear) + Mat3::identity() * (moduli.lambda * trace(e));
}

}  // namespace sinew
