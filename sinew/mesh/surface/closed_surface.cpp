#include "sinew/mesh/surface/closed_surface.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/base/index.h"
#include "sinew/mesh/topology.h"

namespace sinew {
namespace {

// The ray, in no direction in which edges of a mesh are likely to lie.
const Vec3 ray_axis{0.3571, 0.8437, 0.4008};
constexpr double triangles_per_cell = 1, most_crossing_cells = 1 << 20;

Mat3 turned_onto_z() {
  const Vec3 z = normalized(ray_axis), x = normalized(cross(Vec3{0.62, -0.11, 0.73}, z));
  return transpose(Mat3::from_columns(x, cross(z, x), z));
}

}  // namespace

std::vector<Triangle> closed_off(const TriangleMesh& mesh) {
  std::vector<Triangle> triangles;
  for (const Triangle& t : mesh.triangles)
    if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) triangles.push_back(t);
  const MeshEdges edges = mesh_edges({mesh.positions, triangles});
  std::vector<std::array<int, 2>> open;
  for (std::size_t e = 0; e < edges.vertices.size(); ++e) {
    if (edges.triangles[e].size() != 1) continue;
    const Triangle& t = triangles[index(edges.triangles[e][0])];
    for (std::size_t k = 0; k < 3; ++k)
      if (edges.edge_of_triangle[index(edges.triangles[e][0])][k] == static_cast<int>(e))
        open.push_back({t[k], t[(k + 1) % 3]});
  }
  DisjointSets holes(mesh.positions.size());
  for (const auto& [a, b] : open) holes.unite(a, b);
  for (const auto& [a, b] : open)
    if (const int apex = holes.find(a); apex != a && apex != b) triangles.push_back({apex, b, a});
  return triangles;
}

Crossings::Crossings(std::span<const Vec3> positions, std::span<const Triangle> triangles) : triangles_(triangles) {
  static const Mat3 turn = turned_onto_z();
  double right = -HUGE_VAL, top = -HUGE_VAL;
  left_ = low_ = HUGE_VAL;
  positions_.reserve(positions.size());
  for (const Vec3& place : positions) {
    const Vec3& x = positions_.emplace_back(turn * place);
    left_ = std::min(left_, x.x), right = std::max(right, x.x);
    low_ = std::min(low_, x.y), top = std::max(top, x.y);
  }
  const double width = right - left_, height = top - low_;
  if (triangles.empty() || !(width > 0) || !(height > 0)) return;
  const double cells = std::min(most_crossing_cells, 1 + static_cast<double>(triangles.size()) / triangles_per_cell);
  per_cell_ = std::sqrt(cells / (width * height));
  columns_ = static_cast<std::size_t>(width * per_cell_) + 1;
  rows_ = static_cast<std::size_t>(height * per_cell_) + 1;
  const auto each_cell = [&](const auto& visit) {
    for (std::size_t t = 0; t < triangles.size(); ++t) {
      const Vec3 &a = positions_[index(triangles[t][0])], &b = positions_[index(triangles[t][1])],
                 &c = positions_[index(triangles[t][2])];
      const auto cell = [&](double at, double from) { return static_cast<std::size_t>((at - from) * per_cell_); };
      const std::size_t first = cell(std::min({a.x, b.x, c.x}), left_), last = cell(std::max({a.x, b.x, c.x}), left_),
                        bottom = cell(std::min({a.y, b.y, c.y}), low_), up = cell(std::max({a.y, b.y, c.y}), low_);
      for (std::size_t row = bottom; row <= up; ++row)
        for (std::size_t column = first; column <= last; ++column) visit(row * columns_ + column, static_cast<int>(t));
    }
  };
  start_.assign(rows_ * columns_ + 1, 0);
  each_cell([&](std::size_t cell, int) { ++start_[cell + 1]; });
  for (std::size_t k = 0; k + 1 < start_.size(); ++k) start_[k + 1] += start_[k];
  entries_.resize(index(start_.back()));
  std::vector<int> next(start_.begin(), start_.end() - 1);
  each_cell([&](std::size_t cell, int t) { entries_[index(next[cell]++)] = t; });
}

bool Crossings::inside(const Vec3& place) const {
  static const Mat3 turn = turned_onto_z();
  const Vec3 from = turn * place;
  const double column = (from.x - left_) * per_cell_, row = (from.y - low_) * per_cell_;
  if (!(column >= 0) || !(row >= 0) || !(column < static_cast<double>(columns_)) || !(row < static_cast<double>(rows_)))
    return false;
  const std::size_t cell = static_cast<std::size_t>(row) * columns_ + static_cast<std::size_t>(column);
  int leaves = 0;
  for (int k = start_[cell]; k < start_[cell + 1]; ++k) {
    const Triangle& t = triangles_[index(entries_[index(k)])];
    const Vec3 a = positions_[index(t[0])] - from, b = positions_[index(t[1])] - from,
               c = positions_[index(t[2])] - from;
    const double of_a = b.x * c.y - b.y * c.x, of_b = c.x * a.y - c.y * a.x, of_c = a.x * b.y - a.y * b.x;
    const bool faces_up = of_a > 0 && of_b > 0 && of_c > 0;
    if (!faces_up && !(of_a < 0 && of_b < 0 && of_c < 0)) continue;
    if ((of_a * a.z + of_b * b.z + of_c * c.z) / (of_a + of_b + of_c) > 0) leaves += faces_up ? 1 : -1;
  }
  return leaves > 0;
}

}  // namespace sinew
