#include "sinew/contact/solid_mesh.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/mesh/bounding_volume_hierarchy.h"
#include "sinew/mesh/surface/winding_number.h"

namespace sinew {
namespace {

constexpr double most_nodes = 250'000, most_cells_of_side = 256;
constexpr double margin_of_size = 0.03;  // of the longest side, by which the grid reaches beyond the surface
constexpr std::size_t distance_grain = 256;

GridLayout layout_around(const Box& box) {
  const Vec3 size = box.upper - box.lower;
  const double longest = std::max({size.x, size.y, size.z}), margin = margin_of_size * longest;
  const Vec3 least = box.lower - margin * Vec3{1, 1, 1}, most = box.upper + margin * Vec3{1, 1, 1};
  const Vec3 sides = most - least;
  return grid_over(least, most, std::cbrt(sides.x * sides.y * sides.z / most_nodes), most_cells_of_side);
}

// Distances from a surface at the nodes of a grid.
class SignedDistances {
 public:
  SignedDistances(const TriangleMesh& surface, const GridLayout& layout)
      : tree_(surface),
        layout_(layout),
        inside_(layout.size()),
        near_(layout.size()),
        distance_(layout.size(), HUGE_VAL) {
    find_inside();
    find_near();
    for (int sweep = 0; sweep < 8; ++sweep) spread(sweep);
  }

  bool encloses() const { return std::find(inside_.begin(), inside_.end(), 1) != inside_.end(); }
  double at(std::size_t node) const { return inside_[node] != 0 ? -distance_[node] : distance_[node]; }

 private:
  void find_inside() {
    const WindingNumber winding(tree_);
    parallel_for(inside_.size(), distance_grain,
                 [&](std::size_t k) { inside_[k] = std::abs(winding(layout_.place(k))) > 0.5 ? 1 : 0; });
  }

  // Nodes beside the boundary between inside and outside. Faces within the solid are no part of it.
  void find_near() {
    parallel_for(inside_.size(), distance_grain, [&](std::size_t k) {
      if (!at_boundary(k)) return;
      near_[k] = 1;
      distance_[k] = std::sqrt(tree_.closest_point(layout_.place(k)).squared_distance);
    });
  }

  bool at_boundary(std::size_t node) const {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::size_t at = layout_.steps(node, axis), stride = layout_.stride(axis);
      if ((at > 0 && inside_[node - stride] != inside_[node]) ||
          (at + 1 < layout_.nodes[axis] && inside_[node + stride] != inside_[node]))
        return true;
    }
    return false;
  }

  // One sweep of fast sweeping (Zhao 2005) for |grad d| = 1, in one of the eight orders of the axes' directions.
  void spread(int sweep) {
    std::array<std::size_t, 3> at{};
    const auto step = [&](std::size_t axis, std::size_t k) {
      at[axis] = (sweep >> axis & 1) != 0 ? layout_.nodes[axis] - 1 - k : k;
    };
    for (std::size_t z = 0; z < layout_.nodes[2]; ++z)
      for (std::size_t y = 0; y < layout_.nodes[1]; ++y)
        for (std::size_t x = 0; x < layout_.nodes[0]; ++x) {
          step(0, x), step(1, y), step(2, z);
          update(at);
        }
  }

  void update(const std::array<std::size_t, 3>& at) {
    const std::size_t node = at[0] + at[1] * layout_.stride(1) + at[2] * layout_.stride(2);
    if (near_[node] != 0) return;
    std::array<double, 3> least{};  // of the two neighbours along each axis
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::size_t stride = layout_.stride(axis);
      least[axis] = std::min(at[axis] > 0 ? distance_[node - stride] : HUGE_VAL,
                             at[axis] + 1 < layout_.nodes[axis] ? distance_[node + stride] : HUGE_VAL);
    }
    std::sort(least.begin(), least.end());
    distance_[node] = std::min(distance_[node], from_neighbours(least));
  }

  // The solution d of sum_k max(0, d - least_k)^2 = cell^2.
  double from_neighbours(const std::array<double, 3>& least) const {
    double sum = least[0], squares = least[0] * least[0], result = least[0] + layout_.cell;
    for (std::size_t count = 1; count < 3 && result > least[count]; ++count) {
      sum += least[count];
      squares += least[count] * least[count];
      const double n = static_cast<double>(count + 1);
      result = (sum + std::sqrt(std::max(0.0, sum * sum - n * (squares - layout_.cell * layout_.cell)))) / n;
    }
    return result;
  }

  const BoundingVolumeHierarchy tree_;
  const GridLayout layout_;
  std::vector<char> inside_;      // per node
  std::vector<char> near_;        // per node: 1 beside the boundary, where distances are exact
  std::vector<double> distance_;  // per node, metres, without sign
};

// Share of the area whose triangles lie more than a cell outside by the grid.
double lost_share(const TriangleMesh& surface, const FieldGrid& distance) {
  double lost = 0, whole = 0, value = 0;
  for (const Triangle& t : surface.triangles) {
    const Vec3 &a = surface.positions[index(t[0])], &b = surface.positions[index(t[1])],
               &c = surface.positions[index(t[2])];
    const double area = norm(cross(b - a, c - a));
    whole += area;
    if (distance.value_at((a + b + c) / 3, value) && value > distance.layout().cell) lost += area;
  }
  return whole > 0 ? lost / whole : 1;
}

}  // namespace

std::shared_ptr<const SolidMesh> solid_mesh(TriangleMesh surface) {
  if (surface.triangles.empty()) return nullptr;
  Box box;
  for (const Triangle& t : surface.triangles)
    for (const int corner : t) box.include(surface.positions[index(corner)]);
  const Vec3 size = box.upper - box.lower;
  if (!is_finite(size) || !(std::max({size.x, size.y, size.z}) > 0)) return nullptr;
  const GridLayout layout = layout_around(box);
  const SignedDistances distances(surface, layout);
  if (!distances.encloses()) return nullptr;
  FieldGrid grid(layout, [&](std::size_t node) { return FieldSample{{distances.at(node), {}}, false}; });
  const double lost = lost_share(surface, grid);
  return std::make_shared<const SolidMesh>(SolidMesh{std::move(surface), std::move(grid), lost});
}

FieldValue distance_from(const SolidMesh& solid, const Vec3& place) {
  FieldValue at;
  const GridLayout& layout = solid.distance.layout();
  const Vec3 rounding = 1e-6 * layout.cell * Vec3{1, 1, 1};  // so that the place is on the grid after rounding
  const Vec3 within = min(max(place, layout.least + rounding), layout.most() - rounding);
  solid.distance.at(within, at);
  const double beyond = distance(place, within);
  if (!(beyond > 0)) return at;
  return {at.value + beyond, (place - within + at.value * at.gradient) / (at.value + beyond)};
}

}  // namespace sinew
