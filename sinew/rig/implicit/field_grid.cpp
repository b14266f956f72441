#include "sinew/rig/implicit/field_grid.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/threads/parallel.h"

namespace sinew {
namespace {

constexpr double most_cells = 40;  // along the longest side

}  // namespace

FieldGrid::FieldGrid(const HermiteField& field, const Vec3& least, const Vec3& most, double cell) : least_(least) {
  const Vec3 size = most - least;
  cell_ = std::max({cell, size.x / most_cells, size.y / most_cells, size.z / most_cells});
  for (std::size_t axis = 0; axis < 3; ++axis) {
    nodes_[axis] = static_cast<std::size_t>(std::max(1.0, std::ceil(size[axis] / cell_))) + 1;
    most_[axis] = least[axis] + static_cast<double>(nodes_[axis] - 1) * cell_;
  }
  node_.resize(nodes_[0] * nodes_[1] * nodes_[2]);
  parallel_for(nodes_[1] * nodes_[2], 8, [&](std::size_t row) {
    for (std::size_t i = 0; i < nodes_[0]; ++i) {
      const Vec3 steps{static_cast<double>(i), static_cast<double>(row % nodes_[1]), static_cast<double>(row / nodes_[1])};
      const FieldValue value = field.at(least_ + cell_ * steps);
      node_[row * nodes_[0] + i] = {static_cast<float>(value.value), static_cast<float>(value.gradient.x),
                                    static_cast<float>(value.gradient.y), static_cast<float>(value.gradient.z)};
    }
  });
}

bool FieldGrid::at(const Vec3& x, FieldValue& result) const {
  std::array<std::size_t, 3> corner{};
  std::array<std::array<double, 2>, 3> share{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double steps = (x[axis] - least_[axis]) / cell_;
    if (!(steps >= 0) || !(steps <= static_cast<double>(nodes_[axis] - 1))) return false;
    corner[axis] = std::min(static_cast<std::size_t>(steps), nodes_[axis] - 2);
    share[axis][1] = steps - static_cast<double>(corner[axis]);
    share[axis][0] = 1 - share[axis][1];
  }
  result = {};
  for (std::size_t k = 0; k < 2; ++k)
    for (std::size_t j = 0; j < 2; ++j) {
      const double across = share[2][k] * share[1][j];
      const auto* node = node_.data() + ((corner[2] + k) * nodes_[1] + corner[1] + j) * nodes_[0] + corner[0];
      for (std::size_t i = 0; i < 2; ++i) {
        const double by = across * share[0][i];
        result.value += by * node[i][0];
        result.gradient += by * Vec3{node[i][1], node[i][2], node[i][3]};
      }
    }
  return true;
}

}  // namespace sinew
