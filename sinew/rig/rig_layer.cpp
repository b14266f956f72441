#include "sinew/rig/rig_layer.h"
#include "sinew/base/index.h"

#include <algorithm>

namespace sinew {
void SurfaceRates::clear() {
  for (const int v : vertices_) {
    rate_[index(v)] = {};
    touched_[index(v)] = 0;
  }
  vertices_.clear();
}

std::vector<int> SurfaceRates::ascending() const {
  std::vector<int> sorted;
  sorted.reserve(vertices_.size());
  // Where there are many, looking at all is quicker than sorting.
  if (16 * vertices_.size() < touched_.size()) {
    sorted = vertices_;
    std::sort(sorted.begin(), sorted.end());
    return sorted;
  }
  for (std::size_t v = 0; v < touched_.size(); ++v)
    if (touched_[v]) sorted.push_back(static_cast<int>(v));
  return sorted;
}

LayerReach::LayerReach(std::vector<int> vertices, std::span<const std::vector<int>> controls, std::size_t control_count,
                       std::size_t surface_vertices)
    : vertices_(std::move(vertices)), position_(surface_vertices, -1), of_control_(control_count) {
  for (std::size_t i = 0; i < vertices_.size(); ++i) {
    position_[index(vertices_[i])] = static_cast<int>(i);
    for (const int control : controls[i]) of_control_[index(control)].push_back(static_cast<int>(i));
  }
}

std::vector<int> LayerReach::with_controls(std::vector<int> positions, std::span<const int> moving) const {
  if (moving.empty()) return positions;
  std::vector<char> taken(vertices_.size(), 0);
  for (const int i : positions) taken[index(i)] = 1;
  for (const int control : moving)
    for (const int i : of_control_[index(control)]) {
      if (taken[index(i)]) continue;
      taken[index(i)] = 1;
      positions.push_back(i);
    }
  return positions;
}

std::vector<int> LayerReach::concerned(std::span<const int> moving, const SurfaceRates& surface) const {
  std::vector<int> positions;
  for (const int v : surface.vertices())
    if (position_[index(v)] >= 0) positions.push_back(position_[index(v)]);
  return with_controls(std::move(positions), moving);
}

std::vector<int> LayerReach::concerned(std::span<const int> moving, std::span<const char> vertex_changed) const {
  std::vector<int> positions;
  for (std::size_t i = 0; i < vertices_.size(); ++i)
    if (vertex_changed[index(vertices_[i])]) positions.push_back(static_cast<int>(i));
  return with_controls(std::move(positions), moving);
}

}  // namespace sinew
