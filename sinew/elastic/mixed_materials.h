// Isotropic elastic energy densities as functions of the stretch S, a symmetric matrix that is an unknown of its own
// in mixed finite elements (docs/mixed_fem.md): F = R S with a rotation R that is given. Zero at S = I, with the
// moduli of linear elasticity there; defined for every symmetric S, singular and inverted ones included.
//
// Any other energy plugs in by filling a StretchEnergy.
#pragma once

#include "sinew/elastic/material.h"
#include "sinew/linalg/mandel.h"

namespace sinew {

struct StretchEnergy {
  // Joules per cubic metre, pascals, pascals: Psi, dPsi/dS and d^2 Psi / dS dS in Mandel's notation.
  double (*value)(const Mandel& stretch, const LameModuli& moduli);
  Mandel (*gradient)(const Mandel& stretch, const LameModuli& moduli);
  MandelMatrix (*hessian)(const Mandel& stretch, const LameModuli& moduli);
  bool quadratic;  // in S: the Hessian is the same everywhere
};

enum class MixedMaterial {
  arap,                 // mu |S - I|^2
  corotated,            // mu |S - I|^2 + lambda/2 tr(S - I)^2
  stable_neo_hookean,   // Smith, de Goes and Kim 2018, equation 14
  st_venant_kirchhoff,  // mu |E|^2 + lambda/2 tr(E)^2, E = (S^2 - I) / 2
};

const StretchEnergy& stretch_energy(MixedMaterial material);

}  // namespace sinew
