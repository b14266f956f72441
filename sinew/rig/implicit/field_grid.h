// A field of distance on a regular grid, with its gradients: tens of nanoseconds a point, whatever it was fitted to.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "sinew/base/function_ref.h"
#include "sinew/rig/implicit/hermite_field.h"

namespace sinew {

class FieldGrid {
 public:
  // Samples `field` over a box, metres. Cells are cubes of about `cell` metres, larger where the box would need more
  // than 40 along a side. `reliability` tells where the field holds, from 1 to 0 where it does not: there it is
  // `outside` metres at least.
  FieldGrid(const HermiteField& field, const Vec3& least, const Vec3& most, double cell,
            FunctionRef<double(const Vec3& place, double value)> reliability, double outside);

  // Value and gradient, each interpolated between the eight nodes around the point. False outside of the box.
  bool at(const Vec3& x, FieldValue& result) const;
  bool value_at(const Vec3& x, double& result) const;

  // Where the field is negative lies within this box, metres; empty (least above most) where it is nowhere.
  const Vec3& inside_least() const { return inside_least_; }
  const Vec3& inside_most() const { return inside_most_; }

 private:
  struct Cell {
    std::size_t node = 0;                          // lowest corner
    std::array<std::array<double, 2>, 3> share{};  // per axis: weights of the lower and the higher side
  };
  bool find(const Vec3& x, Cell& cell) const;
  std::size_t neighbour(std::size_t node, std::size_t axis, bool higher) const;
  void find_inside();

  Vec3 least_, inside_least_, inside_most_;
  double per_cell_ = 1, cell_ = 1;  // cells a metre, metres
  std::array<std::size_t, 3> nodes_{};
  std::vector<std::array<float, 4>> node_;  // value, gradient; x fastest
  std::vector<float> value_;                // once more, close together for those who need no gradient
};

}  // namespace sinew
