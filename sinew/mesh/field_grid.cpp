#include "sinew/mesh/field_grid.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/threads/parallel.h"

namespace sinew {
namespace {

// Weights of a cell's nodes: along each axis the cubics of Hermite, which take values and slopes at both ends.
class CellCubics {
 public:
  explicit CellCubics(const std::array<std::array<double, 2>, 3>& share) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double low = share[axis][0], high = share[axis][1];
      value_[axis][1] = high * high * (1 + 2 * low);
      value_[axis][0] = 1 - value_[axis][1];
      slope_[axis][0] = high * low * low;
      slope_[axis][1] = -high * high * low;
    }
  }

  // The part of a node, at the corner i, j, k, in the value.
  double of(const std::array<float, 4>& node, std::size_t i, std::size_t j, std::size_t k, double cell) const {
    const double x = value_[0][i], y = value_[1][j], z = value_[2][k];
    return y * z * (x * static_cast<double>(node[0]) + cell * slope_[0][i] * static_cast<double>(node[1])) +
           cell * x *
               (slope_[1][j] * z * static_cast<double>(node[2]) + y * slope_[2][k] * static_cast<double>(node[3]));
  }

 private:
  std::array<std::array<double, 2>, 3> value_{}, slope_{};
};

}  // namespace

GridLayout grid_over(const Vec3& least, const Vec3& most, double cell, double most_cells) {
  const Vec3 size = most - least;
  GridLayout layout{least, std::max({cell, size.x / most_cells, size.y / most_cells, size.z / most_cells})};
  for (std::size_t axis = 0; axis < 3; ++axis)
    layout.nodes[axis] = static_cast<std::size_t>(std::max(1.0, std::ceil(size[axis] / layout.cell))) + 1;
  return layout;
}

FieldGrid::FieldGrid(const GridLayout& layout, FunctionRef<FieldSample(std::size_t)> sample)
    : layout_(layout), per_cell_(1 / layout.cell), node_(layout.size()) {
  std::vector<char> unknown(node_.size());
  parallel_for(node_.size(), 128, [&](std::size_t k) {
    const auto [field, known] = sample(k);
    unknown[k] = known ? 0 : 1;
    node_[k] = {static_cast<float>(field.value), static_cast<float>(field.gradient.x),
                static_cast<float>(field.gradient.y), static_cast<float>(field.gradient.z)};
  });
  parallel_for(node_.size(), 1024, [&](std::size_t k) {
    for (std::size_t axis = 0; unknown[k] != 0 && axis < 3; ++axis) {
      const std::size_t low = neighbour(k, axis, false), high = neighbour(k, axis, true);
      const double length = layout_.cell * ((low != k ? 1 : 0) + (high != k ? 1 : 0));
      node_[k][1 + axis] =
          static_cast<float>((static_cast<double>(node_[high][0]) - static_cast<double>(node_[low][0])) / length);
    }
  });
  find_inside();
}

// The node beside one along an axis; itself at the border.
std::size_t FieldGrid::neighbour(std::size_t node, std::size_t axis, bool higher) const {
  const std::size_t step = layout_.stride(axis), at = layout_.steps(node, axis);
  if (higher) return at + 1 < layout_.nodes[axis] ? node + step : node;
  return at > 0 ? node - step : node;
}

void FieldGrid::find_inside() {
  inside_least_ = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
  inside_most_ = -inside_least_;
  const double cell = layout_.cell;
  for (std::size_t k = 0; k < node_.size(); ++k) {
    if (!(node_[k][0] < 0)) continue;
    inside_least_ = min(inside_least_, layout_.place(k) - Vec3{cell, cell, cell});
    inside_most_ = max(inside_most_, layout_.place(k) + Vec3{cell, cell, cell});
  }
}

bool FieldGrid::find(const Vec3& x, Cell& cell) const {
  std::array<std::size_t, 3> corner{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double steps = (x[axis] - layout_.least[axis]) * per_cell_;
    if (!(steps >= 0) || !(steps <= static_cast<double>(layout_.nodes[axis] - 1))) return false;
    corner[axis] = std::min(static_cast<std::size_t>(steps), layout_.nodes[axis] - 2);
    cell.share[axis][1] = steps - static_cast<double>(corner[axis]);
    cell.share[axis][0] = 1 - cell.share[axis][1];
  }
  cell.node = (corner[2] * layout_.nodes[1] + corner[1]) * layout_.nodes[0] + corner[0];
  return true;
}

bool FieldGrid::at(const Vec3& x, FieldValue& result) const {
  Cell cell;
  if (!find(x, cell)) return false;
  double value = 0;
  std::array<double, 3> gradient{};
  const CellCubics cubic(cell.share);
  for (std::size_t k = 0; k < 2; ++k)
    for (std::size_t j = 0; j < 2; ++j) {
      const double across = cell.share[2][k] * cell.share[1][j];
      const std::array<float, 4>* node = nodes_of(cell, k, j);
      for (std::size_t i = 0; i < 2; ++i) {
        value += cubic.of(node[i], i, j, k, layout_.cell);
        const double by = across * cell.share[0][i];
        for (std::size_t n = 0; n < 3; ++n) gradient[n] += by * static_cast<double>(node[i][n + 1]);
      }
    }
  result = {value, {gradient[0], gradient[1], gradient[2]}};
  return true;
}

bool FieldGrid::value_at(const Vec3& x, double& result) const {
  Cell cell;
  if (!find(x, cell)) return false;
  result = 0;
  const CellCubics cubic(cell.share);
  for (std::size_t k = 0; k < 2; ++k)
    for (std::size_t j = 0; j < 2; ++j) {
      const std::array<float, 4>* node = nodes_of(cell, k, j);
      for (std::size_t i = 0; i < 2; ++i) result += cubic.of(node[i], i, j, k, layout_.cell);
    }
  return true;
}

}  // namespace sinew
