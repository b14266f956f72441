// A scalar field on a regular grid, with its gradients: tens of nanoseconds a point, whatever it was sampled from.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "sinew/base/function_ref.h"
#include "sinew/linalg/small.h"

namespace sinew {

// A field at a place. A distance's value is in metres, its gradient has no unit.
struct FieldValue {
  double value = 0;
  Vec3 gradient;
};

// The sample that a grid keeps at one of its nodes.
struct FieldSample {
  FieldValue field;
  bool gradient_is_known = true;  // false: it becomes that of the differences to the nodes around
};

// The nodes of a regular grid, numbered with x fastest.
struct GridLayout {
  Vec3 least;                          // the lowest node, metres
  double cell = 1;                     // side of a cell, metres
  std::array<std::size_t, 3> nodes{};  // along each axis, two at least

  std::size_t size() const { return nodes[0] * nodes[1] * nodes[2]; }
  // The difference between the numbers of neighbours along an axis.
  std::size_t stride(std::size_t axis) const { return axis == 0 ? 1 : axis == 1 ? nodes[0] : nodes[0] * nodes[1]; }
  std::size_t steps(std::size_t node, std::size_t axis) const { return node / stride(axis) % nodes[axis]; }
  Vec3 place(std::size_t node) const {
    return least + cell * Vec3{static_cast<double>(steps(node, 0)), static_cast<double>(steps(node, 1)),
                               static_cast<double>(steps(node, 2))};
  }
  Vec3 most() const { return place(size() - 1); }
};

// A grid over a box, metres. Its cells are cubes of about `cell` metres, larger where the box would need more than
// `most_cells` along a side.
GridLayout grid_over(const Vec3& least, const Vec3& most, double cell, double most_cells);

class FieldGrid {
 public:
  // `sample` is called once for every node, by several threads.
  FieldGrid(const GridLayout& layout, FunctionRef<FieldSample(std::size_t node)> sample);

  // Value and gradient, each interpolated between the eight nodes around the point. The value has no kink between
  // cells: it is a cubic along each axis, by the gradients at the nodes. False outside of the box.
  bool at(const Vec3& x, FieldValue& result) const;
  bool value_at(const Vec3& x, double& result) const;

  const GridLayout& layout() const { return layout_; }

  // Where the field is negative lies within this box, metres; empty (least above most) where it is nowhere.
  const Vec3& inside_least() const { return inside_least_; }
  const Vec3& inside_most() const { return inside_most_; }

 private:
  struct Cell {
    std::size_t node = 0;                          // lowest corner
    std::array<std::array<double, 2>, 3> share{};  // per axis: weights of the lower and the higher side
  };
  bool find(const Vec3& x, Cell& cell) const;
  // The two nodes along x at the corner j, k of a cell.
  const std::array<float, 4>* nodes_of(const Cell& cell, std::size_t k, std::size_t j) const {
    return node_.data() + cell.node + (k * layout_.nodes[1] + j) * layout_.nodes[0];
  }
  std::size_t neighbour(std::size_t node, std::size_t axis, bool higher) const;
  void find_inside();

  GridLayout layout_;
  double per_cell_ = 1;  // cells a metre
  Vec3 inside_least_, inside_most_;
  std::vector<std::array<float, 4>> node_;  // value, gradient; x fastest
};

}  // namespace sinew
