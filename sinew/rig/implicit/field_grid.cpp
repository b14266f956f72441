#include "sinew/rig/implicit/field_grid.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/threads/parallel.h"

namespace sinew {
namespace {

constexpr double most_cells = 40;  // along the longest side

}  // namespace

FieldGrid::FieldGrid(const HermiteField& field, const Vec3& least, const Vec3& most, double cell,
                     FunctionRef<double(const Vec3&, double)> reliability, double outside)
    : least_(least) {
  const Vec3 size = most - least;
  cell_ = std::max({cell, size.x / most_cells, size.y / most_cells, size.z / most_cells});
  per_cell_ = 1 / cell_;
  for (std::size_t axis = 0; axis < 3; ++axis)
    nodes_[axis] = static_cast<std::size_t>(std::max(1.0, std::ceil(size[axis] / cell_))) + 1;
  node_.resize(nodes_[0] * nodes_[1] * nodes_[2]);
  std::vector<char> changed(node_.size());
  parallel_for(nodes_[1] * nodes_[2], 8, [&](std::size_t row) {
    for (std::size_t i = 0; i < nodes_[0]; ++i) {
      const Vec3 steps{static_cast<double>(i), static_cast<double>(row % nodes_[1]),
                       static_cast<double>(row / nodes_[1])};
      const Vec3 at = least_ + cell_ * steps;
      FieldValue value = field.at(at);
      const double share = value.value < outside ? reliability(at, value.value) : 1;
      changed[row * nodes_[0] + i] = share < 1 ? 1 : 0;
      value.value = share * value.value + (1 - share) * std::max(value.value, outside);
      node_[row * nodes_[0] + i] = {static_cast<float>(value.value), static_cast<float>(value.gradient.x),
                                    static_cast<float>(value.gradient.y), static_cast<float>(value.gradient.z)};
    }
  });
  // Where the field was changed its gradient is that of differences.
  parallel_for(node_.size(), 1024, [&](std::size_t k) {
    for (std::size_t axis = 0; changed[k] != 0 && axis < 3; ++axis) {
      const std::size_t low = neighbour(k, axis, false), high = neighbour(k, axis, true);
      const double length = cell_ * ((low != k ? 1 : 0) + (high != k ? 1 : 0));
      node_[k][1 + axis] =
          static_cast<float>((static_cast<double>(node_[high][0]) - static_cast<double>(node_[low][0])) / length);
    }
  });
  for (const std::array<float, 4>& node : node_) value_.push_back(node[0]);
  find_inside();
}

// The node beside one along an axis; itself at the border.
std::size_t FieldGrid::neighbour(std::size_t node, std::size_t axis, bool higher) const {
  const std::size_t step = axis == 0 ? 1 : axis == 1 ? nodes_[0] : nodes_[0] * nodes_[1];
  const std::size_t at = node / step % nodes_[axis];
  if (higher) return at + 1 < nodes_[axis] ? node + step : node;
  return at > 0 ? node - step : node;
}

void FieldGrid::find_inside() {
  inside_least_ = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
  inside_most_ = -inside_least_;
  for (std::size_t k = 0; k < node_.size(); ++k) {
    if (!(node_[k][0] < 0)) continue;
    const Vec3 at =
        least_ + cell_ * Vec3{static_cast<double>(k % nodes_[0]), static_cast<double>(k / nodes_[0] % nodes_[1]),
                              static_cast<double>(k / (nodes_[0] * nodes_[1]))};
    inside_least_ = min(inside_least_, at - Vec3{cell_, cell_, cell_});
    inside_most_ = max(inside_most_, at + Vec3{cell_, cell_, cell_});
  }
}

bool FieldGrid::find(const Vec3& x, Cell& cell) const {
  std::array<std::size_t, 3> corner{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double steps = (x[axis] - least_[axis]) * per_cell_;
    if (!(steps >= 0) || !(steps <= static_cast<double>(nodes_[axis] - 1))) return false;
    corner[axis] = std::min(static_cast<std::size_t>(steps), nodes_[axis] - 2);
    cell.share[axis][1] = steps - static_cast<double>(corner[axis]);
    cell.share[axis][0] = 1 - cell.share[axis][1];
  }
  cell.node = (corner[2] * nodes_[1] + corner[1]) * nodes_[0] + corner[0];
  return true;
}

bool FieldGrid::at(const Vec3& x, FieldValue& result) const {
  Cell cell;
  if (!find(x, cell)) return false;
  std::array<double, 4> sum{};
  for (std::size_t k = 0; k < 2; ++k)
    for (std::size_t j = 0; j < 2; ++j) {
      const double across = cell.share[2][k] * cell.share[1][j];
      const auto* node = node_.data() + cell.node + (k * nodes_[1] + j) * nodes_[0];
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
      const float* value = value_.data() + cell.node + (k * nodes_[1] + j) * nodes_[0];
      result += cell.share[2][k] * cell.share[1][j] *
                (cell.share[0][0] * static_cast<double>(value[0]) + cell.share[0][1] * static_cast<double>(value[1]));
    }
  return true;
}

}  // namespace sinew
