// A field of distance on a regular grid, with its gradients: tens of nanoseconds a point, whatever it was fitted to.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "sinew/rig/implicit/hermite_field.h"

namespace sinew {

class FieldGrid {
 public:
  // Samples `field` over a box, metres. Cells are cubes of about `cell` metres, larger where the box would need more
  // than 40 along a side.
  FieldGrid(const HermiteField& field, const Vec3& least, const Vec3& most, double cell);

  // Value and gradient, each interpolated between the eight nodes around the point. False outside of the box.
  bool at(const Vec3& x, FieldValue& result) const;

  const Vec3& least() const { return least_; }
  const Vec3& most() const { return most_; }

 private:
  Vec3 least_, most_;
  double cell_ = 1;
  std::array<std::size_t, 3> nodes_{};
  std::vector<std::array<float, 4>> node_;  // value, gradient; x fastest
};

}  // namespace sinew
