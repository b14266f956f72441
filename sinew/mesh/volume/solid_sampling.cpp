#include "sinew/mesh/volume/solid_sampling.h"

#include <algorithm>
#include <numeric>

#include "sinew/base/threads/parallel.h"
#include "sinew/mesh/clipping.h"

namespace sinew {
namespace {

struct BoundaryEdge {
  int from, to;  // in the direction of the missing triangle
};

// The cycles formed by directed edges, as lists of vertices. If every vertex has as many incoming as outgoing edges, a
// walk along unused edges ends where it began.
std::vector<std::vector<int>> cycles_of(const std::vector<BoundaryEdge>& edges, std::size_t vertices) {
  std::vector<std::vector<int>> leaving(vertices);
  for (std::size_t e = edges.size(); e-- > 0;) leaving[static_cast<std::size_t>(edges[e].from)].push_back(edges[e].to);
  std::vector<std::vector<int>> cycles;
  for (const BoundaryEdge& edge : edges) {
    std::vector<int> cycle;
    for (int v = edge.from; !leaving[static_cast<std::size_t>(v)].empty();) {
      cycle.push_back(v);
      const int next = leaving[static_cast<std::size_t>(v)].back();
      leaving[static_cast<std::size_t>(v)].pop_back();
      v = next;
    }
    if (!cycle.empty()) cycles.push_back(std::move(cycle));
  }
  return cycles;
}

// Shortens long cycles: a cone over thousands of edges would be thousands of slivers that meet at one point, where no
// cluster of them is ever far away. Each round cuts off every other vertex by a triangle; any surface over the boundary
// is a valid cap.
void shorten_long_cycles(std::vector<BoundaryEdge>& boundary, std::size_t vertices, std::vector<Triangle>& triangles) {
  constexpr std::size_t long_cycle = 128, short_enough = 32;
  std::vector<BoundaryEdge> shortened;
  bool any = false;
  for (std::vector<int>& cycle : cycles_of(boundary, vertices)) {
    const bool is_long = cycle.size() > long_cycle;
    any = any || is_long;
    while (is_long && cycle.size() > short_enough) {
      std::vector<int> kept;
      for (std::size_t k = 0; k < cycle.size(); k += 2) {
        kept.push_back(cycle[k]);
        if (k + 1 < cycle.size()) triangles.push_back({cycle[k], cycle[k + 1], cycle[(k + 2) % cycle.size()]});
      }
      cycle = std::move(kept);
    }
    for (std::size_t k = 0; k < cycle.size(); ++k) shortened.push_back({cycle[k], cycle[(k + 1) % cycle.size()]});
  }
  if (any) boundary = std::move(shortened);
}

// Triangles that complete the surface so that the directed uses of every edge cancel.
TriangleMesh boundary_caps(const TriangleMesh& mesh, const MeshEdges& edges) {
  std::vector<BoundaryEdge> boundary;
  for (std::size_t e = 0; e < edges.vertices.size(); ++e) {
    const auto [a, b] = edges.vertices[e];
    int balance = 0;
    for (int t : edges.triangles[e]) {
      const Triangle& v = mesh.triangles[static_cast<std::size_t>(t)];
      for (std::size_t k = 0; k < 3; ++k) {
        if (v[k] == a && v[(k + 1) % 3] == b) ++balance;
        if (v[k] == b && v[(k + 1) % 3] == a) --balance;
      }
    }
    for (; balance > 0; --balance) boundary.push_back({b, a});
    for (; balance < 0; ++balance) boundary.push_back({a, b});
  }
  TriangleMesh caps;
  if (boundary.empty()) return caps;
  shorten_long_cycles(boundary, mesh.positions.size(), caps.triangles);
  DisjointSets stretches(mesh.positions.size());
  for (const BoundaryEdge& e : boundary) stretches.unite(e.from, e.to);
  // The middle of each connected part, weighted by the number of edge ends.
  std::vector<int> apex(mesh.positions.size(), -1), ends;
  caps.positions = mesh.positions;
  for (const BoundaryEdge& e : boundary)
    for (int v : {e.from, e.to}) {
      int& a = apex[static_cast<std::size_t>(stretches.find(v))];
      if (a < 0) {
        a = static_cast<int>(caps.positions.size());
        caps.positions.push_back({});
        ends.push_back(0);
      }
      caps.positions[static_cast<std::size_t>(a)] += mesh.positions[static_cast<std::size_t>(v)];
      ++ends[static_cast<std::size_t>(a) - mesh.positions.size()];
    }
  for (std::size_t i = 0; i < ends.size(); ++i) {
    Vec3& middle = caps.positions[mesh.positions.size() + i];
    middle = middle / ends[i];
  }
  for (const BoundaryEdge& e : boundary)
    caps.triangles.push_back({e.from, e.to, apex[static_cast<std::size_t>(stretches.find(e.from))]});
  return caps;
}

// Which side of the directed line a -> b in the plane (u, v) the point (pu, pv) lies on: the doubled
// area, and for points exactly on the line the area's sign after moving the point by (e, e^2).
// Evaluated in one order for both directions, so that two triangles along an edge never disagree.
struct Side {
  double area;
  int sign;
};
Side side_of(int ia, const Vec3& a, int ib, const Vec3& b, std::size_t u, std::size_t v, double pu, double pv) {
  const bool swap = ia > ib;
  const Vec3 &p = swap ? b : a, &q = swap ? a : b;
  double area = (q[u] - p[u]) * (pv - p[v]) - (q[v] - p[v]) * (pu - p[u]);
  double sign = area;
  if (sign == 0) sign = p[v] - q[v];  // derivative along u
  if (sign == 0) sign = q[u] - p[u];  // derivative along v
  if (swap) {
    area = -area;
    sign = -sign;
  }
  return {area, sign > 0 ? 1 : sign < 0 ? -1 : 0};
}

// The lines of the fine grid.
struct GridLines {
  const CubeGrid& grid;
  double fine;

  // This repeats the expression of SolidSampling::sample_position, so that lines and samples agree to the bit.
  double coordinate(int n, std::size_t axis) const {
    return grid.origin[axis] + grid.cell * (n / subdivisions) + fine * (n % subdivisions);
  }

  // Calls visit(j, k, coordinate, sign) for every line along `axis` that triangle t crosses, numbered by
  // its fine coordinates along the two next axes. Along a closed surface each line's signs sum to zero.
  template <class Visit>
  void for_each_crossing(const TriangleMesh& mesh, std::size_t t, std::size_t axis, const Visit& visit) const {
    const Triangle& index = mesh.triangles[t];
    const Vec3 &v0 = mesh.positions[static_cast<std::size_t>(index[0])],
               &v1 = mesh.positions[static_cast<std::size_t>(index[1])],
               &v2 = mesh.positions[static_cast<std::size_t>(index[2])];
    const Vec3 low = min(min(v0, v1), v2), high = max(max(v0, v1), v2);
    const std::size_t a = (axis + 1) % 3, b = (axis + 2) % 3;
    const auto first = [&](std::size_t k) {
      return static_cast<int>(std::ceil((low[k] - grid.origin[k]) / fine - 1e-9));
    };
    const auto last = [&](std::size_t k) {
      return static_cast<int>(std::floor((high[k] - grid.origin[k]) / fine + 1e-9));
    };
    const Vec3* corner[3] = {&v0, &v1, &v2};
    for (int j = first(a); j <= last(a); ++j) {
      // Range of this row of lines within the triangle, slightly widened against rounding.
      const double row = coordinate(j, a);
      double from = HUGE_VAL, to = -HUGE_VAL;
      for (std::size_t i = 0; i < 3; ++i) {
        const Vec3 &p = *corner[i], &q = *corner[(i + 1) % 3];
        const double lower = std::fmin(p[a], q[a]), upper = std::fmax(p[a], q[a]);
        if (row < lower - 1e-9 * fine || row > upper + 1e-9 * fine) continue;
        // The crossing is anywhere on an edge that is nearly parallel to the row.
        const double s = (row - p[a]) / (q[a] - p[a]);
        const bool along = !(upper - lower > 1e-6 * fine);
        const double x = along ? p[b] : p[b] + std::clamp(s, 0.0, 1.0) * (q[b] - p[b]), y = along ? q[b] : x;
        from = std::fmin(from, std::fmin(x, y));
        to = std::fmax(to, std::fmax(x, y));
      }
      if (!(to >= from)) continue;
      const int first_k = std::max(first(b), static_cast<int>(std::ceil((from - grid.origin[b]) / fine - 1e-3)));
      const int last_k = std::min(last(b), static_cast<int>(std::floor((to - grid.origin[b]) / fine + 1e-3)));
      for (int k = first_k; k <= last_k; ++k) {
        const double pa = coordinate(j, a), pb = coordinate(k, b);
        const Side s0 = side_of(index[1], v1, index[2], v2, a, b, pa, pb);
        const Side s1 = side_of(index[2], v2, index[0], v0, a, b, pa, pb);
        if (s0.sign == 0 || s0.sign != s1.sign) continue;
        const Side s2 = side_of(index[0], v0, index[1], v1, a, b, pa, pb);
        if (s1.sign != s2.sign) continue;
        const double sum = s0.area + s1.area + s2.area;
        const double x = sum != 0 ? (s0.area * v0[axis] + s1.area * v1[axis] + s2.area * v2[axis]) / sum
                                  : 0.5 * (low[axis] + high[axis]);
        // Counter-clockwise in the (a, b) plane: the normal points along +axis, out of the solid.
        visit(j, k, std::clamp(x, low[axis], high[axis]), -s0.sign);
      }
    }
  }
};

// Calls visit(cube) for the cubes of [low, high] that the triangle meets, by bisection: the cost for a thin triangle
// across the whole grid is proportional to its length, not to the volume of its box.
template <class Visit>
void for_each_cube_met(const CubeGrid& grid, const std::array<Vec3, 3>& triangle, double slack, const CubeIndex& low,
                       const CubeIndex& high, const Visit& visit) {
  const CubeIndex beyond{high[0] + 1, high[1] + 1, high[2] + 1};
  const Vec3 from = grid.corner(low), to = grid.corner(beyond);
  if (!triangle_meets_box(triangle, 0.5 * (from + to), 0.5 * (to - from) + Vec3{slack, slack, slack})) return;
  std::size_t axis = 0;
  for (std::size_t k = 1; k < 3; ++k)
    if (high[k] - low[k] > high[axis] - low[axis]) axis = k;
  if (high[axis] == low[axis]) {
    visit(low);
    return;
  }
  CubeIndex middle = high, next = low;
  middle[axis] = low[axis] + (high[axis] - low[axis]) / 2;
  next[axis] = middle[axis] + 1;
  for_each_cube_met(grid, triangle, slack, low, middle, visit);
  for_each_cube_met(grid, triangle, slack, next, high, visit);
}

struct PlacedCrossing {
  std::size_t fine_edge;
  Crossing crossing;
};

}  // namespace

SolidSurface::SolidSurface(TriangleMesh cleaned)
    : mesh(std::move(cleaned)),
      edges(mesh_edges(mesh)),
      boxes(triangle_boxes(mesh)),
      tree(mesh),
      winding_number(tree),
      caps(boundary_caps(mesh, edges)),
      caps_tree(caps),
      caps_winding_number(caps_tree) {}

SolidSampling::SolidSampling(const SolidSurface& surface, const CubeGrid& grid) : surface_(&surface), grid_(grid) {
  find_near_cubes();
  find_crossings();
  sample_winding_number();
  find_deep_cubes();
  first_triangle_node_ = near_count_ * samples_per_cube + static_cast<int>(cubes_.size()) - near_count_;
}

void SolidSampling::find_near_cubes() {
  struct Meeting {
    std::uint64_t key;
    CubeIndex cube;
    int triangle;
  };
  const std::size_t count = surface_->mesh.triangles.size(), grain = 1024;
  std::vector<std::vector<Meeting>> chunks((count + grain - 1) / grain);
  // Boxes are grown a little so that rounding never leaves a crossing without its cube.
  const double slack = 1e-6 * grid_.cell;
  parallel_chunks(count, grain, [&](std::size_t begin, std::size_t end) {
    std::vector<Meeting>& found = chunks[begin / grain];
    for (std::size_t t = begin; t < end; ++t) {
      const std::array<Vec3, 3> v = surface_->corners(static_cast<int>(t));
      const Vec3 margin{slack, slack, slack};
      const CubeIndex low = grid_.cube_of(min(min(v[0], v[1]), v[2]) - margin);
      const CubeIndex high = grid_.cube_of(max(max(v[0], v[1]), v[2]) + margin);
      for_each_cube_met(grid_, v, slack, low, high, [&](const CubeIndex& c) {
        found.push_back({lattice_key(c), c, static_cast<int>(t)});
      });
    }
  });
  for (const auto& chunk : chunks)
    for (const Meeting& m : chunk)
      if (map_.insert(m.key, static_cast<int>(cubes_.size())) == static_cast<int>(cubes_.size()))
        cubes_.push_back(m.cube);
  std::sort(cubes_.begin(), cubes_.end(),
            [](const CubeIndex& a, const CubeIndex& b) { return lattice_key(a) < lattice_key(b); });
  near_count_ = static_cast<int>(cubes_.size());
  map_ = LatticeMap(2 * cubes_.size());
  for (std::size_t i = 0; i < cubes_.size(); ++i) map_.insert(lattice_key(cubes_[i]), static_cast<int>(i));
  triangles_.offsets.assign(cubes_.size() + 1, 0);
  for (const auto& chunk : chunks)
    for (const Meeting& m : chunk) ++triangles_.offsets[static_cast<std::size_t>(map_.find(m.key)) + 1];
  std::partial_sum(triangles_.offsets.begin(), triangles_.offsets.end(), triangles_.offsets.begin());
  triangles_.items.resize(static_cast<std::size_t>(triangles_.offsets.back()));
  std::vector<int> next(triangles_.offsets.begin(), triangles_.offsets.end() - 1);
  for (const auto& chunk : chunks)
    for (const Meeting& m : chunk)
      triangles_.items[static_cast<std::size_t>(next[static_cast<std::size_t>(map_.find(m.key))]++)] = m.triangle;
}

void SolidSampling::find_crossings() {
  const std::size_t count = surface_->mesh.triangles.size(), grain = 1024;
  std::vector<std::vector<PlacedCrossing>> chunks((count + grain - 1) / grain);
  const GridLines lines{grid_, fine()};
  parallel_chunks(count, grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t t = begin; t < end; ++t)
      for (std::size_t axis = 0; axis < 3; ++axis)
        lines.for_each_crossing(surface_->mesh, t, axis, [&](int j, int k, double x, int sign) {
          const std::size_t a = (axis + 1) % 3, b = (axis + 2) % 3;
          int i = static_cast<int>(std::floor((x - grid_.origin[axis]) / fine()));
          if (x < lines.coordinate(i, axis)) --i;
          if (x >= lines.coordinate(i + 1, axis)) ++i;
          CubeIndex cube;
          std::array<int, 3> u;
          cube[axis] = i / subdivisions, u[axis] = i % subdivisions;
          cube[a] = j / subdivisions, u[a] = j % subdivisions;
          cube[b] = k / subdivisions, u[b] = k % subdivisions;
          const int near = map_.find(lattice_key(cube));
          if (near < 0) return;
          chunks[begin / grain].push_back({3 * static_cast<std::size_t>(sample_node(near, sample_index(u))) + axis,
                                           {x, static_cast<int>(t), sign}});
        });
  });
  crossing_offsets_.assign(3 * static_cast<std::size_t>(near_count_) * samples_per_cube + 2, 0);
  for (const auto& chunk : chunks)
    for (const PlacedCrossing& c : chunk) ++crossing_offsets_[c.fine_edge + 1];
  std::partial_sum(crossing_offsets_.begin(), crossing_offsets_.end(), crossing_offsets_.begin());
  crossings_.resize(crossing_offsets_.back());
  std::vector<std::size_t> next(crossing_offsets_.begin(), crossing_offsets_.end() - 1);
  for (const auto& chunk : chunks)
    for (const PlacedCrossing& c : chunk) crossings_[next[c.fine_edge]++] = c.crossing;
  parallel_for(static_cast<std::size_t>(near_count_), 64, [&](std::size_t cube) {
    for (std::size_t e = 3 * cube * samples_per_cube; e < 3 * (cube + 1) * samples_per_cube; ++e) {
      const auto first = crossings_.begin() + static_cast<std::ptrdiff_t>(crossing_offsets_[e]);
      const auto last = crossings_.begin() + static_cast<std::ptrdiff_t>(crossing_offsets_[e + 1]);
      // Where two sheets coincide, the exit from one comes before the entry into the next: they only touch.
      std::sort(first, last, [](const Crossing& p, const Crossing& q) {
        if (p.coordinate != q.coordinate) return p.coordinate < q.coordinate;
        return p.sign != q.sign ? p.sign < q.sign : p.triangle < q.triangle;
      });
    }
  });
}

void SolidSampling::sample_winding_number() {
  // Crossings with surface and caps along lines of the x axis are counted from outside, which is exact and cheap.
  struct RowCrossing {
    int y, z;
    double x;
    int sign;
  };
  std::vector<RowCrossing> rows;
  for (int cube = 0; cube < near_count_; ++cube) {
    const CubeIndex& c = cubes_[static_cast<std::size_t>(cube)];
    for (int sample = 0; sample < samples_per_cube; ++sample)
      for (const Crossing& crossing : crossings(cube, sample, 0))
        rows.push_back({c[1] * subdivisions + sample / subdivisions % subdivisions,
                        c[2] * subdivisions + sample / (subdivisions * subdivisions), crossing.coordinate,
                        crossing.sign});
  }
  const GridLines lines{grid_, fine()};
  const TriangleMesh& caps = surface_->caps;
  for (std::size_t t = 0; t < caps.triangles.size(); ++t)
    lines.for_each_crossing(caps, t, 0, [&](int j, int k, double x, int sign) { rows.push_back({j, k, x, sign}); });
  std::sort(rows.begin(), rows.end(), [](const RowCrossing& p, const RowCrossing& q) {
    if (p.z != q.z) return p.z < q.z;
    return p.y != q.y ? p.y < q.y : p.x < q.x;
  });
  winding_.resize(static_cast<std::size_t>(near_count_) * samples_per_cube);
  parallel_for(static_cast<std::size_t>(near_count_), 8, [&](std::size_t cube) {
    const CubeIndex& c = cubes_[cube];
    for (int z = 0; z < subdivisions; ++z)
      for (int y = 0; y < subdivisions; ++y) {
        const int row_y = c[1] * subdivisions + y, row_z = c[2] * subdivisions + z;
        auto crossing = std::partition_point(
            rows.begin(), rows.end(), [&](const RowCrossing& r) { return r.z != row_z ? r.z < row_z : r.y < row_y; });
        const auto in_row = [&](auto it) { return it != rows.end() && it->y == row_y && it->z == row_z; };
        int level = 0, total = 0;
        for (auto it = crossing; in_row(it); ++it) total += it->sign;
        for (int x = 0; x < subdivisions; ++x) {
          const Vec3 p = sample_position(c, {x, y, z});
          while (in_row(crossing) && crossing->x < p.x) level += (crossing++)->sign;
          // If rounding lost a line through a vertex, the winding number is summed instead.
          const double w = total == 0 ? level - surface_->caps_winding_number(p) : surface_->winding_number(p);
          winding_[cube * samples_per_cube + static_cast<std::size_t>(sample_index({x, y, z}))] = static_cast<float>(w);
        }
      }
  });
}

void SolidSampling::find_deep_cubes() {
  // Fills inner cubes from the near cubes, through cubes that the surface does not meet.
  std::vector<CubeIndex> deep, from(cubes_), candidates;
  LatticeMap visited;
  int visited_count = 0;
  std::vector<char> solid;
  while (!from.empty()) {
    candidates.clear();
    for (const CubeIndex& cube : from)
      for (std::size_t axis = 0; axis < 3; ++axis)
        for (int step = -1; step <= 1; step += 2) {
          const CubeIndex next = neighbour(cube, axis, step);
          const std::uint64_t key = lattice_key(next);
          if (map_.find(key) >= 0 || visited.insert(key, visited_count) != visited_count) continue;
          ++visited_count;
          candidates.push_back(next);
        }
    solid.resize(candidates.size());
    parallel_for(candidates.size(), 32,
                 [&](std::size_t i) { solid[i] = surface_->winding_number(grid_.center(candidates[i])) > 0.5; });
    from.clear();
    for (std::size_t i = 0; i < candidates.size(); ++i)
      if (solid[i]) from.push_back(candidates[i]);
    deep.insert(deep.end(), from.begin(), from.end());
  }
  std::sort(deep.begin(), deep.end(),
            [](const CubeIndex& a, const CubeIndex& b) { return lattice_key(a) < lattice_key(b); });
  for (const CubeIndex& cube : deep) {
    map_.insert(lattice_key(cube), static_cast<int>(cubes_.size()));
    cubes_.push_back(cube);
  }
}

int SolidSampling::inside_node(const CubeIndex& cube, std::array<int, 3> u) const {
  CubeIndex c = cube;
  for (std::size_t k = 0; k < 3; ++k) {
    if (u[k] < 0) --c[k], u[k] += subdivisions;
    if (u[k] >= subdivisions) ++c[k], u[k] -= subdivisions;
  }
  const int index = find(c);
  if (index < 0) return -1;
  if (!is_near(index)) return deep_node(index);
  const int sample = sample_index(u);
  return inside(index, sample) ? sample_node(index, sample) : -1;
}

}  // namespace sinew
