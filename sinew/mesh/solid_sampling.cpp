#include "sinew/mesh/solid_sampling.h"

#include <algorithm>
#include <numeric>

#include "sinew/base/parallel.h"
#include "sinew/mesh/clipping.h"

namespace sinew {
namespace {

// Per triangle, 1 where its shell has an edge around which the directed uses do not cancel: the
// winding number of the others is a whole number everywhere off the surface.
std::vector<char> open_triangles(const TriangleMesh& mesh, const MeshEdges& edges) {
  std::vector<int> shell;
  const int shells = edge_connected_components(edges, shell);
  std::vector<char> open_shell(static_cast<std::size_t>(shells), 0);
  for (std::size_t e = 0; e < edges.vertices.size(); ++e) {
    int balance = 0;
    for (int t : edges.triangles[e]) {
      const Triangle& v = mesh.triangles[static_cast<std::size_t>(t)];
      for (std::size_t k = 0; k < 3; ++k) {
        if (v[k] == edges.vertices[e][0] && v[(k + 1) % 3] == edges.vertices[e][1]) ++balance;
        if (v[k] == edges.vertices[e][1] && v[(k + 1) % 3] == edges.vertices[e][0]) --balance;
      }
    }
    if (balance != 0)
      open_shell[static_cast<std::size_t>(shell[static_cast<std::size_t>(edges.triangles[e].front())])] = 1;
  }
  std::vector<char> open(mesh.triangles.size());
  for (std::size_t t = 0; t < open.size(); ++t) open[t] = open_shell[static_cast<std::size_t>(shell[t])];
  return open;
}

TriangleMesh selected(const TriangleMesh& mesh, const std::vector<char>& keep) {
  TriangleMesh result;
  result.positions = mesh.positions;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    if (keep[t]) result.triangles.push_back(mesh.triangles[t]);
  return result;
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

struct PlacedCrossing {
  std::size_t fine_edge;
  Crossing crossing;
};

}  // namespace

SolidSurface::SolidSurface(TriangleMesh cleaned)
    : mesh(std::move(cleaned)),
      edges(mesh_edges(mesh)),
      tree(mesh),
      winding_number(tree),
      open(open_triangles(mesh, edges)),
      open_mesh(selected(mesh, open)),
      open_tree(open_mesh),
      open_winding_number(open_tree) {}

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
  const double slack = 1e-6 * grid_.cell, half = 0.5 * grid_.cell + slack;
  parallel_chunks(count, grain, [&](std::size_t begin, std::size_t end) {
    std::vector<Meeting>& found = chunks[begin / grain];
    for (std::size_t t = begin; t < end; ++t) {
      const std::array<Vec3, 3> v = surface_->corners(static_cast<int>(t));
      const Vec3 margin{slack, slack, slack};
      const CubeIndex low = grid_.cube_of(min(min(v[0], v[1]), v[2]) - margin);
      const CubeIndex high = grid_.cube_of(max(max(v[0], v[1]), v[2]) + margin);
      CubeIndex c;
      for (c[2] = low[2]; c[2] <= high[2]; ++c[2])
        for (c[1] = low[1]; c[1] <= high[1]; ++c[1])
          for (c[0] = low[0]; c[0] <= high[0]; ++c[0])
            if (low == high || triangle_meets_box(v, grid_.center(c), half))
              found.push_back({lattice_key(c), c, static_cast<int>(t)});
    }
  });
  for (const auto& chunk : chunks)
    for (const Meeting& m : chunk)
      if (map_.insert(m.key, static_cast<int>(cubes_.size())) == static_cast<int>(cubes_.size())) cubes_.push_back(m.cube);
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
  const double h = fine();
  parallel_chunks(count, grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t t = begin; t < end; ++t) {
      const Triangle& index = surface_->mesh.triangles[t];
      const std::array<Vec3, 3> v = surface_->corners(static_cast<int>(t));
      const Vec3 low = min(min(v[0], v[1]), v[2]), high = max(max(v[0], v[1]), v[2]);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::size_t a = (axis + 1) % 3, b = (axis + 2) % 3;
        const auto first_line = [&](std::size_t k) { return static_cast<int>(std::ceil((low[k] - grid_.origin[k]) / h - 1e-9)); };
        const auto last_line = [&](std::size_t k) { return static_cast<int>(std::floor((high[k] - grid_.origin[k]) / h + 1e-9)); };
        for (int j = first_line(a); j <= last_line(a); ++j)
          for (int k = first_line(b); k <= last_line(b); ++k) {
            // Spelled as sample_position spells it, so that lines and samples agree to the bit.
            const double pa = grid_.origin[a] + grid_.cell * (j / subdivisions) + h * (j % subdivisions);
            const double pb = grid_.origin[b] + grid_.cell * (k / subdivisions) + h * (k % subdivisions);
            const Side s0 = side_of(index[1], v[1], index[2], v[2], a, b, pa, pb);
            const Side s1 = side_of(index[2], v[2], index[0], v[0], a, b, pa, pb);
            const Side s2 = side_of(index[0], v[0], index[1], v[1], a, b, pa, pb);
            if (s0.sign == 0 || s0.sign != s1.sign || s1.sign != s2.sign) continue;
            const double sum = s0.area + s1.area + s2.area;
            double x = sum != 0 ? (s0.area * v[0][axis] + s1.area * v[1][axis] + s2.area * v[2][axis]) / sum
                                : 0.5 * (low[axis] + high[axis]);
            x = std::clamp(x, low[axis], high[axis]);
            CubeIndex cube;
            std::array<int, 3> u;
            cube[a] = j / subdivisions, u[a] = j % subdivisions, cube[b] = k / subdivisions, u[b] = k % subdivisions;
            const auto line_coordinate = [&](int n) {
              return grid_.origin[axis] + grid_.cell * (n / subdivisions) + h * (n % subdivisions);
            };
            int i = static_cast<int>(std::floor((x - grid_.origin[axis]) / h));
            if (x < line_coordinate(i)) --i;
            if (x >= line_coordinate(i + 1)) ++i;
            cube[axis] = i / subdivisions, u[axis] = i % subdivisions;
            const int near = map_.find(lattice_key(cube));
            if (near < 0) continue;
            // Counter-clockwise in the (a, b) plane: the normal points along +axis, out of the solid.
            chunks[begin / grain].push_back({3 * static_cast<std::size_t>(sample_node(near, sample_index(u))) + axis,
                                             {x, static_cast<int>(t), -s0.sign}});
          }
      }
    }
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
      // Where two sheets coincide, out of one comes before into the next: they only touch.
      std::sort(first, last, [](const Crossing& p, const Crossing& q) {
        if (p.coordinate != q.coordinate) return p.coordinate < q.coordinate;
        return p.sign != q.sign ? p.sign < q.sign : p.triangle < q.triangle;
      });
    }
  });
}

void SolidSampling::sample_winding_number() {
  // The closed shells' part is counted along lines of the x axis, from outside; exact, and free.
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
        if (!surface_->open[static_cast<std::size_t>(crossing.triangle)])
          rows.push_back({c[1] * subdivisions + sample / subdivisions % subdivisions,
                          c[2] * subdivisions + sample / (subdivisions * subdivisions), crossing.coordinate,
                          crossing.sign});
  }
  // Cubes are sorted by z, y, x, but rows within a cube are not: sort by row.
  std::sort(rows.begin(), rows.end(), [](const RowCrossing& p, const RowCrossing& q) {
    if (p.z != q.z) return p.z < q.z;
    return p.y != q.y ? p.y < q.y : p.x < q.x;
  });
  winding_.resize(static_cast<std::size_t>(near_count_) * samples_per_cube);
  const bool any_open = !surface_->open_mesh.triangles.empty();
  parallel_for(static_cast<std::size_t>(near_count_), 8, [&](std::size_t cube) {
    const CubeIndex& c = cubes_[cube];
    for (int z = 0; z < subdivisions; ++z)
      for (int y = 0; y < subdivisions; ++y) {
        const int row_y = c[1] * subdivisions + y, row_z = c[2] * subdivisions + z;
        auto crossing = std::partition_point(rows.begin(), rows.end(), [&](const RowCrossing& r) {
          return r.z != row_z ? r.z < row_z : r.y < row_y;
        });
        const auto in_row = [&](auto it) { return it != rows.end() && it->y == row_y && it->z == row_z; };
        int level = 0, total = 0;
        for (auto it = crossing; in_row(it); ++it) total += it->sign;
        for (int x = 0; x < subdivisions; ++x) {
          const Vec3 p = sample_position(c, {x, y, z});
          while (in_row(crossing) && crossing->x < p.x) level += (crossing++)->sign;
          double w = level;
          if (total != 0) w = surface_->winding_number(p);  // a line through a vertex, lost to rounding
          else if (any_open) w += surface_->open_winding_number(p);
          winding_[cube * samples_per_cube + static_cast<std::size_t>(sample_index({x, y, z}))] = static_cast<float>(w);
        }
      }
  });
}

void SolidSampling::find_deep_cubes() {
  // Flood from the near cubes through cubes that the surface does not meet, as long as they are inside.
  std::vector<CubeIndex> deep;
  LatticeMap visited;
  int visited_count = 0;
  const auto consider = [&](const CubeIndex& cube) {
    const std::uint64_t key = lattice_key(cube);
    if (map_.find(key) >= 0 || visited.insert(key, visited_count) != visited_count)
      return;
    ++visited_count;
    if (surface_->winding_number(grid_.center(cube)) > 0.5) deep.push_back(cube);
  };
  const auto consider_neighbours = [&](const CubeIndex& cube) {
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (int step = -1; step <= 1; step += 2) consider(neighbour(cube, axis, step));
  };
  for (int cube = 0; cube < near_count_; ++cube) consider_neighbours(cubes_[static_cast<std::size_t>(cube)]);
  for (std::size_t next = 0; next < deep.size(); ++next) consider_neighbours(CubeIndex(deep[next]));
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
