#include <cmath>
#include <unordered_map>

#include "exact_math.h"
#include "surface.h"

namespace sinew::samples {
namespace {

// Each cube of the grid is split by the six monotone paths from its corner 000 to 111, so that
// neighbouring cubes agree on the diagonals of their common face.
constexpr std::array<std::array<unsigned, 4>, 6> tetrahedra{
    {{0, 1, 3, 7}, {0, 5, 1, 7}, {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 6, 4, 7}}};
// All six are listed with positive orientation: det(b - a, c - a, d - a) > 0.

struct Grid {
  Vec3 origin;
  double cell;
  std::array<std::uint64_t, 3> points;

  std::uint64_t id(std::uint64_t i, std::uint64_t j, std::uint64_t k) const {
    return (k * points[1] + j) * points[0] + i;
  }
  Vec3 at(std::uint64_t point) const {
    const std::uint64_t i = point % points[0], j = point / points[0] % points[1], k = point / points[0] / points[1];
    return origin + Vec3{static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)} * cell;
  }
};

class Marcher {
 public:
  Marcher(const Solid& solid, double cell) : solid_(solid) {
    const Box box = solid.bounds();
    grid_.cell = cell;
    // Half a cell off the axes: a symmetric solid then never puts the surface on grid points.
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double first = std::floor(box.low[axis] / cell) - 1;
      grid_.origin[axis] = (first + 0.47) * cell;
      grid_.points[axis] = static_cast<std::uint64_t>(std::ceil(box.high[axis] / cell) - first) + 3;
    }
  }

  Surface run() {
    constexpr std::uint64_t block = 8;
    const double reach = 0.5 * block * grid_.cell * std::sqrt(3.0) * 1.6;
    for (std::uint64_t k = 0; k + 1 < grid_.points[2]; k += block)
      for (std::uint64_t j = 0; j + 1 < grid_.points[1]; j += block)
        for (std::uint64_t i = 0; i + 1 < grid_.points[0]; i += block) {
          const Vec3 centre = grid_.at(grid_.id(i, j, k)) + Vec3{4, 4, 4} * grid_.cell;
          if (std::fabs(solid_(centre)) < reach) march_block(i, j, k, block);
        }
    surface_.region.assign(surface_.triangle.size(), 0);
    return std::move(surface_);
  }

 private:
  void march_block(std::uint64_t i0, std::uint64_t j0, std::uint64_t k0, std::uint64_t block) {
    for (std::uint64_t k = k0; k < std::min(k0 + block, grid_.points[2] - 1); ++k)
      for (std::uint64_t j = j0; j < std::min(j0 + block, grid_.points[1] - 1); ++j)
        for (std::uint64_t i = i0; i < std::min(i0 + block, grid_.points[0] - 1); ++i) march_cube(i, j, k);
  }

  void march_cube(std::uint64_t i, std::uint64_t j, std::uint64_t k) {
    std::array<std::uint64_t, 8> point;
    std::array<double, 8> value;
    bool any_inside = false, any_outside = false;
    for (unsigned c = 0; c < 8; ++c) {
      point[c] = grid_.id(i + (c & 1), j + (c >> 1 & 1), k + (c >> 2));
      value[c] = value_at(point[c]);
      (value[c] < 0 ? any_inside : any_outside) = true;
    }
    if (!any_inside || !any_outside) return;
    for (const auto& corners : tetrahedra) {
      std::array<unsigned, 4> inside{}, outside{};
      unsigned insides = 0, outsides = 0;
      std::array<unsigned, 4> order{};
      for (unsigned c = 0; c < 4; ++c)
        if (value[corners[c]] < 0)
          inside[insides++] = c;
        else
          outside[outsides++] = c;
      if (insides == 0 || outsides == 0) continue;
      for (unsigned c = 0; c < insides; ++c) order[c] = inside[c];
      for (unsigned c = 0; c < outsides; ++c) order[insides + c] = outside[c];
      const bool even = is_even(order);
      const auto edge = [&](unsigned a, unsigned b) {
        const unsigned u = corners[order[a]], v = corners[order[b]];
        return crossing(point[u], value[u], point[v], value[v]);
      };
      // Vertices are numbered in the order of these calls, which an argument list would leave open.
      if (insides == 1 || insides == 3) {
        const unsigned apex = insides == 1 ? 0 : 3, first = insides == 1 ? 1 : 0;
        const Index a = edge(apex, first);
        const Index b = edge(apex, first + 1);
        const Index c = edge(apex, first + 2);
        add(a, b, c, even);
      } else {
        const Index a = edge(0, 2), b = edge(0, 3), c = edge(1, 3), d = edge(1, 2);
        add(a, b, c, even);
        add(a, c, d, even);
      }
    }
  }

  static bool is_even(const std::array<unsigned, 4>& order) {
    unsigned inversions = 0;
    for (unsigned a = 0; a < 4; ++a)
      for (unsigned b = a + 1; b < 4; ++b) inversions += order[a] > order[b];
    return inversions % 2 == 0;
  }

  double value_at(std::uint64_t point) {
    const auto [entry, is_new] = values_.try_emplace(point, 0.0);
    if (is_new) {
      const double value = solid_(grid_.at(point));
      entry->second = std::fabs(value) < 1e-9 ? 1e-9 : value;
    }
    return entry->second;
  }

  Index crossing(std::uint64_t u, double value_u, std::uint64_t v, double value_v) {
    if (u > v) {
      std::swap(u, v);
      std::swap(value_u, value_v);
    }
    // The difference of the two ids is one of seven numbers; a point has at most one edge for each.
    const std::uint64_t step = v - u;
    const std::uint64_t row = grid_.points[0], slab = row * grid_.points[1];
    const std::uint64_t direction =
        (step >= slab ? 4u : 0u) + (step % slab >= row ? 2u : 0u) + (step % row != 0 ? 1u : 0u);
    const auto [entry, is_new] = crossings_.try_emplace(u * 8 + direction, 0u);
    if (is_new) {
      entry->second = static_cast<Index>(surface_.position.size());
      const double t = std::clamp(value_u / (value_u - value_v), 0.03, 0.97);
      surface_.position.push_back(mix(grid_.at(u), grid_.at(v), t));
    }
    return entry->second;
  }

  void add(Index a, Index b, Index c, bool even) {
    surface_.triangle.push_back(even ? Triangle{a, b, c} : Triangle{a, c, b});
  }

  const Solid& solid_;
  Grid grid_;
  Surface surface_;
  std::unordered_map<std::uint64_t, double> values_;
  std::unordered_map<std::uint64_t, Index> crossings_;
};

}  // namespace

Surface isosurface(const Solid& solid, double cell) { return Marcher(solid, cell).run(); }

}  // namespace sinew::samples
