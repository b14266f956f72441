#include "sinew/elastic/hyperelastic.h"

#include "sinew/elastic/st_venant_kirchhoff.h"
#include "sinew/linalg/positive_part.h"
#include "sinew/linalg/turns.h"

namespace sinew {
namespace {

// F = R S, S - I.
struct Stretch {
  Mat3 rotation, strain;
};

Stretch stretch(const Mat3& f) {
  const Mat3 rotation = closest_rotation(f);
  const Mat3 strain = transpose(rotation) * f - Mat3::identity();
  return {rotation, (strain + transpose(strain)) * 0.5};
}

double squared(const Mat3& a) {
  double sum = 0;
  for (const double v : a.m) sum += v * v;
  return sum;
}

}  // namespace

double volume_change(const Mat3& d) {
  const double minors = d(0, 0) * d(1, 1) - d(0, 1) * d(1, 0) + d(1, 1) * d(2, 2) - d(1, 2) * d(2, 1) +
                        d(0, 0) * d(2, 2) - d(0, 2) * d(2, 0);
  return trace(d) + minors + determinant(d);
}

Mat3 cofactor(const Mat3& f) {
  const Vec3 a = cross(f.row(1), f.row(2)), b = cross(f.row(2), f.row(0)), c = cross(f.row(0), f.row(1));
  return {{a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z}};
}

double density(HyperelasticLaw law, const Mat3& d, const LameModuli& moduli) {
  switch (law) {
    case HyperelasticLaw::modified_st_venant_kirchhoff: {
      const double volume = volume_change(d);
      return moduli.shear * squared(green_strain(d)) + 0.5 * moduli.lambda * volume * volume;
    }
    case HyperelasticLaw::st_venant_kirchhoff:
      return st_venant_kirchhoff_density(green_strain(d), moduli);
    case HyperelasticLaw::corotated:
      break;
  }
  return st_venant_kirchhoff_density(stretch(Mat3::identity() + d).strain, moduli);
}

Mat3 stress(HyperelasticLaw law, const Mat3& d, const LameModuli& moduli) {
  const Mat3 f = Mat3::identity() + d;
  switch (law) {
    case HyperelasticLaw::modified_st_venant_kirchhoff:
      return f * green_strain(d) * (2 * moduli.shear) + cofactor(f) * (moduli.lambda * volume_change(d));
    case HyperelasticLaw::st_venant_kirchhoff:
      return f * st_venant_kirchhoff_stress(green_strain(d), moduli);
    case HyperelasticLaw::corotated:
      break;
  }
  const Stretch at = stretch(f);
  return at.rotation * st_venant_kirchhoff_stress(at.strain, moduli);
}

HyperelasticStiffness::HyperelasticStiffness(HyperelasticLaw law, HyperelasticTangent form, const Mat3& d,
                                             const LameModuli& moduli)
    : law_(law), form_(form), moduli_(moduli), f_(Mat3::identity() + d) {
  if (law == HyperelasticLaw::corotated) {
    const Stretch at = stretch(f_);
    rotation_ = at.rotation;
    pressure_ = moduli.lambda * trace(at.strain);
    rotation_derivative_ = rotation_derivative(f_, rotation_);
    return;
  }
  const bool modified = law == HyperelasticLaw::modified_st_venant_kirchhoff;
  const Mat3 strain = green_strain(d);
  second_ = modified ? strain * (2 * moduli.shear) : st_venant_kirchhoff_stress(strain, moduli);
  if (form == HyperelasticTangent::definite) second_ = positive_part(second_);
  left_ = f_ * transpose(f_);
  if (!modified) return;
  cofactor_ = cofactor(f_);
  pressure_ = moduli.lambda * volume_change(d);
}

// From P = F S + p cof F, S = 2 mu E, p = lambda (det F - 1):
//   (a . S b) I + mu ((a . b) F F^T + (F b) (F a)^T) + lambda (cof F a) (cof F b)^T - p [F (a x b)],
// the last term since the second derivative of det F in the directions u a^T and v b^T is (u x v) . F (a x b). The
// plain law has lambda (F a) (F b)^T in place of both terms of volume, and S = 2 mu E + lambda tr(E) I.
Mat3 HyperelasticStiffness::block(const Vec3& a, const Vec3& b) const {
  if (law_ == HyperelasticLaw::corotated) return corotated_block(a, b);
  const Vec3 fa = f_ * a, fb = f_ * b;
  Mat3 result = left_ * (moduli_.shear * dot(a, b)) + outer(fb, fa) * moduli_.shear;
  const double normal = dot(a, second_ * b);
  for (std::size_t i = 0; i < 3; ++i) result(i, i) += normal;
  if (law_ == HyperelasticLaw::st_venant_kirchhoff) return result + outer(fa, fb) * moduli_.lambda;
  result += outer(cofactor_ * a, cofactor_ * b) * moduli_.lambda;
  if (form_ == HyperelasticTangent::exact) result -= cross_matrix(f_ * cross(a, b)) * pressure_;
  return result;
}

// P = 2 mu (F - R) + lambda tr(S - I) R. Rotations held, what strain there is changes as R sym(R^T dF).
Mat3 HyperelasticStiffness::corotated_block(const Vec3& a, const Vec3& b) const {
  Mat3 result;
  for (std::size_t column = 0; column < 3; ++column) {
    const Vec3 axis{column == 0 ? 1.0 : 0.0, column == 1 ? 1.0 : 0.0, column == 2 ? 1.0 : 0.0};
    const Mat3 change = outer(axis, b), turned = transpose(rotation_) * change;
    Mat3 stress_change;
    if (form_ == HyperelasticTangent::definite) {
      stress_change = rotation_ * ((turned + transpose(turned)) * moduli_.shear +
                                   Mat3::identity() * (moduli_.lambda * trace(turned)));
    } else {
      const Mat3 rotation_change = rotation_derivative_(change);
      stress_change = (change - rotation_change) * (2 * moduli_.shear) + rotation_ * (moduli_.lambda * trace(turned)) +
                      rotation_change * pressure_;
    }
    const Vec3 force = stress_change * a;
    for (std::size_t row = 0; row < 3; ++row) result(row, column) = force[row];
  }
  return result;
}

}  // namespace sinew
