// Hermite radial basis functions (Macedo, Gois and Velho 2011): a smooth function that is zero at oriented points and
// rises along their normals, about as the signed distance from the surface that they are taken from.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sinew/mesh/field_grid.h"

namespace sinew {

struct OrientedPoint {
  Vec3 place;   // metres
  Vec3 normal;  // unit, outwards
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

// The field on a grid over a box, metres (grid_over()). `reliability` tells where it holds, from 1 to 0 where it does
// not: there it is `outside` metres at least.
FieldGrid grid_of(const HermiteField& field, const Vec3& least, const Vec3& most, double cell,
                  FunctionRef<double(const Vec3& place, double value)> reliability, double outside);

}  // namespace sinew
