// Isotropic elastic energy densities as functions of the stretch S, a symmetric matrix that is an independent unknown
// in mixed finite elements (docs/mixed_fem.md): F = R S with a given rotation R. Zero at S = I with the moduli of
// linear elasticity there; defined for every symmetric S, also singular and inverted ones.
//
// Any other energy can be used by filling a StretchEnergy.
#pragma once

#include "sinew/elastic/material.h"
#include "sinew/linalg/mandel.h"

namespace sinew {

// An energy density with its derivatives, as plain functions.
struct StretchEnergy {
  // Joules per cubic metre, pascals, pascals: Psi, dPsi/dS and d^2 Psi / dS dS in Mandel's notation.
  double (*value)(const Mandel& stretch, const LameModuli& moduli);
  Mandel (*gradient)(const Mandel& stretch, const LameModuli& moduli);
  MandelMatrix (*hessian)(const Mandel& stretch, const LameModuli& moduli);
  bool quadratic;  // true if the Hessian is constant
};

enum class MixedMaterial {
  arap,                 // mu |S - I|^2
  corotated,            // mu |S - I|^2 + lambda/2 tr(S - I)^2
  stable_neo_hookean,   // Smith, de Goes and Kim 2018, equation 14
  st_venant_kirchhoff,  // mu |E|^2 + lambda/2 tr(E)^2, E = (S^2 - I) / 2
};

const StretchEnergy& stretch_energy(MixedMaterial material);

}  // namespace sinew
