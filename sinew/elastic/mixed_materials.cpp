#include "sinew/elastic/mixed_materials.h"

#include <cmath>

#include "sinew/elastic/st_venant_kirchhoff.h"

namespace sinew {
namespace {

namespace arap {

double value(const Mandel& s, const LameModuli& moduli) {
  const Mandel e = s - Mandel::identity();
  return moduli.shear * dot(e, e);
}
Mandel gradient(const Mandel& s, const LameModuli& moduli) { return (s - Mandel::identity()) * (2 * moduli.shear); }
MandelMatrix hessian(const Mandel&, const LameModuli& moduli) { return MandelMatrix::diagonal(2 * moduli.shear); }

}  // namespace arap

namespace corotated {

double value(const Mandel& s, const LameModuli& moduli) {
  const double change = trace(s - Mandel::identity());
  return arap::value(s, moduli) + 0.5 * moduli.lambda * change * change;
}
Mandel gradient(const Mandel& s, const LameModuli& moduli) {
  return arap::gradient(s, moduli) + Mandel::identity() * (moduli.lambda * trace(s - Mandel::identity()));
}
MandelMatrix hessian(const Mandel& s, const LameModuli& moduli) {
  MandelMatrix h = arap::hessian(s, moduli);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) h(i, j) += moduli.lambda;
  return h;
}

}  // namespace corotated

// With I_C = |S|^2, J = det S and the model's own moduli m and l,
//
//   Psi = m/2 (I_C - 3) - m/2 log((I_C + 1) / 4) - 3/4 m (J - 1) + l/2 (J - 1)^2,
//
// the published l/2 (J - alpha)^2 multiplied out with l (1 - alpha) = -3/4 m, so that value and gradient at rest are
// zero without rounding.
namespace stable_neo_hookean {

struct OwnModuli {
  double m, l;
};
// So that the Hessian at rest is that of linear elasticity.
OwnModuli own(const LameModuli& moduli) { return {4.0 / 3.0 * moduli.shear, moduli.lambda + 5.0 / 6.0 * moduli.shear}; }

// dJ/dS = S^2 - tr(S) S + (tr(S)^2 - |S|^2)/2 I, by Cayley and Hamilton.
Mat3 cofactor_of_stretch(const Mat3& s) {
  return Mat3::from_columns(cross(s.column(1), s.column(2)), cross(s.column(2), s.column(0)),
                            cross(s.column(0), s.column(1)));
}
Mat3 cofactor_change(const Mat3& s, const Mat3& ds) {
  const Mat3 product = s * ds;
  return product + transpose(product) - s * trace(ds) - ds * trace(s) +
         Mat3::identity() * (trace(s) * trace(ds) - trace(product));
}

double value(const Mandel& stretch, const LameModuli& moduli) {
  const OwnModuli a = own(moduli);
  const double squared = dot(stretch, stretch), change = determinant(to_matrix(stretch)) - 1;
  return 0.5 * a.m * (squared - 3) - 0.5 * a.m * std::log((squared + 1) / 4) - 0.75 * a.m * change +
         0.5 * a.l * change * change;
}
Mandel gradient(const Mandel& stretch, const LameModuli& moduli) {
  const OwnModuli a = own(moduli);
  const Mat3 s = to_matrix(stretch);
  return stretch * (a.m * (1 - 1 / (dot(stretch, stretch) + 1))) +
         to_mandel(cofactor_of_stretch(s)) * (a.l * (determinant(s) - 1) - 0.75 * a.m);
}
MandelMatrix hessian(const Mandel& stretch, const LameModuli& moduli) {
  const OwnModuli a = own(moduli);
  const Mat3 s = to_matrix(stretch);
  const double above = dot(stretch, stretch) + 1;
  const Mandel cof = to_mandel(cofactor_of_stretch(s));
  const double pressure = a.l * (determinant(s) - 1) - 0.75 * a.m;
  MandelMatrix h = mandel_matrix([&](const Mat3& ds) { return cofactor_change(s, ds) * pressure; });
  for (std::size_t i = 0; i < 6; ++i) {
    h(i, i) += a.m * (1 - 1 / above);
    for (std::size_t j = 0; j < 6; ++j)
      h(i, j) += 2 * a.m / (above * above) * stretch[i] * stretch[j] + a.l * cof[i] * cof[j];
  }
  return h;
}

}  // namespace stable_neo_hookean

namespace st_venant_kirchhoff {

struct GreenStrain {
  Mat3 s, stress;  // stress: second Piola-Kirchhoff, 2 mu E + lambda tr(E) I
  Mat3 e;
};
GreenStrain at_stretch(const Mandel& stretch, const LameModuli& moduli) {
  const Mat3 s = to_matrix(stretch);
  const Mat3 e = (s * s - Mat3::identity()) * 0.5;
  return {s, st_venant_kirchhoff_stress(e, moduli), e};
}

double value(const Mandel& stretch, const LameModuli& moduli) {
  const Mandel e = to_mandel(at_stretch(stretch, moduli).e);
  return moduli.shear * dot(e, e) + 0.5 * moduli.lambda * trace(e) * trace(e);
}
// dPsi = stress : (S dS + dS S) / 2, and S and stress commute.
Mandel gradient(const Mandel& stretch, const LameModuli& moduli) {
  const GreenStrain at = at_stretch(stretch, moduli);
  return to_mandel(at.s * at.stress);
}
MandelMatrix hessian(const Mandel& stretch, const LameModuli& moduli) {
  const GreenStrain at = at_stretch(stretch, moduli);
  return mandel_matrix([&](const Mat3& ds) {
    const Mat3 half = at.s * ds;
    const Mat3 de = (half + transpose(half)) * 0.5;
    return ds * at.stress + at.s * st_venant_kirchhoff_stress(de, moduli);  // to_mandel() takes the symmetric part
  });
}

}  // namespace st_venant_kirchhoff

constexpr StretchEnergy arap_energy{arap::value, arap::gradient, arap::hessian, true};
constexpr StretchEnergy corotated_stretch_energy{corotated::value, corotated::gradient, corotated::hessian, true};
constexpr StretchEnergy stable_neo_hookean_energy{stable_neo_hookean::value, stable_neo_hookean::gradient,
                                                  stable_neo_hookean::hessian, false};
constexpr StretchEnergy st_venant_kirchhoff_energy{st_venant_kirchhoff::value, st_venant_kirchhoff::gradient,
                                                   st_venant_kirchhoff::hessian, false};

}  // namespace

const StretchEnergy& stretch_energy(MixedMaterial material) {
  switch (material) {
    case MixedMaterial::arap:
      return arap_energy;
    case MixedMaterial::corotated:
      return corotated_stretch_energy;
    case MixedMaterial::stable_neo_hookean:
      return stable_neo_hookean_energy;
    case MixedMaterial::st_venant_kirchhoff:
      break;
  }
  return st_venant_kirchhoff_energy;
}

}  // namespace sinew
