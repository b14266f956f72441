// Isotropic elastic material and its moduli.
#pragma once

namespace sinew {

struct Material {
  double young = 2e4;     // Young's modulus E, pascals
  double poisson = 0.45;  // Poisson's ratio nu, in (-1, 0.5)
  double density = 1000;  // kilograms per cubic metre
};

struct LameModuli {
  double shear = 0;   // mu = G, pascals
  double lambda = 0;  // Lame's first modulus, pascals
};

inline LameModuli lame_moduli(double young, double poisson) {
  return {young / (2 * (1 + poisson)), young * poisson / ((1 + poisson) * (1 - 2 * poisson))};
}

// Bulk modulus, pascals: K = lambda + 2/3 mu.
inline double bulk_modulus(const LameModuli& moduli) { return moduli.lambda + 2.0 / 3.0 * moduli.shear; }

}  // namespace sinew
