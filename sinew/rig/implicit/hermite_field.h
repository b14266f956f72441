// Hermite radial basis functions (Macedo, Gois and Velho 2011): a smooth function that is zero at oriented points and
// rises along their normals, about as the signed distance from the surface that they are taken from.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sinew/linalg/small.h"

namespace sinew {

struct OrientedPoint {
  Vec3 place;   // metres
  Vec3 normal;  // unit, outwards
};

struct FieldValue {
  double value = 0;
  Vec3 gradient;
};

class HermiteField {
 public:
  // Metres; negative inside. Nothing where the points do not determine a function: fewer than four, two in one place,
  // or numbers that are not finite. Time grows with the cube of their number.
  static std::optional<HermiteField> through(std::span<const OrientedPoint> points);

  FieldValue at(const Vec3& x) const;

 private:
  struct Centre {
    Vec3 place;     // p_k, in units of `size` from `origin`
    double value;   // a_k
    Vec3 gradient;  // b_k
  };
  Vec3 origin_;
  double size_ = 1;  // metres
  std::vector<Centre> centres_;
  double constant_ = 0;  // c_0 and c, of the linear polynomial
  Vec3 slope_;
};

}  // namespace sinew
