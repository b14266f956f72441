#include "sinew/mesh/field_grid.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/threads/parallel.h"

namespace sinew {

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
  for (const std::array<float, 4>& node : node_) value_.push_back(node[0]);
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
  std::array<double, 4> sum{};
  for (std::size_t k = 0; k < 2; ++k)
    for (std::size_t j = 0; j < 2; ++j) {
      const double across = cell.share[2][k] * cell.share[1][j];
      const auto* node = node_.data() + cell.node + (k * layout_.nodes[1] + j) * layout_.nodes[0];
      for (std::size_t i = 0; i < 2; ++i) {
        const double by = across * cell.share[0][i];
        for (std::size_t n = 0; n < 4; ++n) sum[n] += by * static_cast<double>(node[i][n]);
      }
    }
  result = {sum[0], {sum[1], sum[2], sum[3]}};
  return true;
}

bool FieldGrid::value_at(const Vec3& x, double& result) const {
  Cell cell;
  if (!find(x, cell)) return false;
  result = 0;
  for (std::size_t k = 0; k < 2; ++k)
    for (std::size_t j = 0; j < 2; ++j) {
      const float* value = value_.data() + cell.node + (k * layout_.nodes[1] + j) * layout_.nodes[0];
      result += cell.share[2][k] * cell.share[1][j] *
                (cell.share[0][0] * static_cast<double>(value[0]) + cell.share[0][1] * static_cast<double>(value[1]));
    }
  return true;
}

}  // namespace sinew
