#include "sinew/deform/display/skin_separation.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/mesh/surface/vertex_areas.h"

namespace sinew {
namespace {

constexpr std::size_t separation_grain = 64;
constexpr int rounds = 4;
// Shares of the height: how far outside of its vertex skin is tested, the depth at which an overlap counts half, and
// those from which it counts less, and no longer, since the nearest way out tells nothing there.
constexpr double tested_above = 1e-4, half_depth = 5e-4, deep = 0.08, deepest = 0.15;
// Distances at rest between the two sides of an overlap, in depths: up to the first it is the bottom of a fold, which
// is turned inside out and has no way out; from the second on it counts fully.
constexpr double bottom_of_fold = 2, beyond_bottom = 4;
constexpr double parted = 1.05;  // multiple of the depth by which sides part in a round
// Stiffness of the skin against its neighbours and against moving at all, relative to that of an overlap.
constexpr double to_neighbours = 0.05, to_place = 3e-3;
// Rings around overlaps within which skin gives way, and within which later rounds look for overlaps.
constexpr int rings = 16, rings_tested = 4;
constexpr int smoothings = 8;
constexpr int searches = 6;   // for the overlaps that hold their sides apart
constexpr int products = 40;  // of a search, which need not be exact: the next one sees what it left

double falls(double from, double to, double value) {
  const double t = std::clamp((value - from) / (to - from), 0.0, 1.0);
  return 1 - t * t * (3 - 2 * t);
}

// The nearest place on triangles that face against `normal`, within a distance. `tree`: of these triangles. `guess`: a
// triangle that may be near, or -1, which decides only how long the search takes.
ClosestPoint nearest_facing(const BoxTree& tree, std::span<const Vec3> x, std::span<const Triangle> triangles,
                            const Vec3& place, const Vec3& normal, double reach, int guess) {
  ClosestPoint found;
  found.squared_distance = reach * reach;
  if (tree.nodes().empty()) return found;
  const auto look_at = [&](int t) {
    const Vec3 &a = x[index(triangles[index(t)][0])], &b = x[index(triangles[index(t)][1])],
               &c = x[index(triangles[index(t)][2])];
    if (!(dot(area_vector(a, b, c), normal) < 0)) return;
    ClosestPoint here = closest_point_on_triangle(place, a, b, c);
    here.triangle = t;
    if (here.squared_distance < found.squared_distance ||
        (here.squared_distance == found.squared_distance && t < found.triangle))
      found = here;
  };
  if (guess >= 0) look_at(guess);
  int stack[128], top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const int number = stack[--top];
    const BoxTree::Node& node = tree.nodes()[index(number)];
    if (!(squared_distance(place, node.box) <= found.squared_distance)) continue;
    if (node.right >= 0) {
      const auto far = [&](int child) { return squared_distance(place, tree.nodes()[index(child)].box); };
      int near = number + 1, other = node.right;
      if (far(other) < far(near)) std::swap(near, other);
      stack[top++] = other;
      stack[top++] = near;
      continue;
    }
    for (int k = node.first; k < node.first + node.count; ++k)
      if (squared_distance(place, tree.boxes()[index(k)]) <= found.squared_distance) look_at(tree.order()[index(k)]);
  }
  return found;
}

std::vector<Box> boxes_of(std::span<const Triangle> triangles, std::span<const Vec3> positions) {
  std::vector<Box> boxes(triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (const int v : triangles[t]) boxes[t].include(positions[index(v)]);
  return boxes;
}

// Neighbours along edges, per vertex.
Rows vertex_neighbours(const TriangleMesh& mesh) {
  std::vector<std::vector<int>> beside(mesh.positions.size());
  for (const auto& [a, b] : mesh_edges(mesh).vertices) {
    beside[index(a)].push_back(b);
    beside[index(b)].push_back(a);
  }
  Rows rows;
  for (const std::vector<int>& of_vertex : beside) {
    rows.items.insert(rows.items.end(), of_vertex.begin(), of_vertex.end());
    rows.offsets.push_back(static_cast<int>(rows.items.size()));
  }
  return rows;
}

double sum_of_products(std::span<const Vec3> a, std::span<const Vec3> b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += dot(a[k], b[k]);
  return sum;
}

}  // namespace

SkinSeparation::SkinSeparation(const TriangleMesh& rest, std::vector<char> fixed)
    : rest_(rest.positions),
      closed_(closed_off(rest)),
      seen_(rest.triangles),
      neighbours_(vertex_neighbours(rest)),
      around_(triangles_around_vertices(rest)),
      tree_(boxes_of(rest.triangles, rest.positions)),
      last_(rest.positions.size(), -1),
      fixed_(std::move(fixed)),
      is_near_(rest.positions.size(), 0),
      number_(rest.positions.size(), -1) {
  fixed_.resize(rest.positions.size(), 0);
  const Box box = bounds(rest.positions);
  const Vec3 sides = rest.positions.empty() ? Vec3{} : box.upper - box.lower;
  size_ = std::max(sides.y, 0.3 * std::max(sides.x, sides.z));
  const std::vector<Vec3> normals = vertex_area_vectors(rest.positions, seen_);
  const Crossings crossings(rest.positions, closed_);
  for (std::size_t v = 0; v < rest.positions.size(); ++v) {
    const double length = norm(normals[v]);
    if (length > 0 && !crossings.inside(rest.positions[v] + (tested_above * size_ / length) * normals[v]))
      tested_.push_back(static_cast<int>(v));
  }
}

std::vector<SkinSeparation::Overlap> SkinSeparation::find_overlaps(std::span<const Vec3> positions,
                                                                   std::span<const int> vertices) {
  const Crossings crossings(positions, closed_);
  std::vector<Vec3> normal(vertices.size());
  parallel_for(vertices.size(), separation_grain, [&](std::size_t k) {
    Vec3 sum;
    for (const int t : around_[index(vertices[k])])
      sum += area_vector(positions[index(seen_[index(t)][0])], positions[index(seen_[index(t)][1])],
                         positions[index(seen_[index(t)][2])]);
    const double length = norm(sum);
    if (!(length > 0)) return;
    const Vec3 unit = sum / length;
    if (crossings.inside(positions[index(vertices[k])] + (tested_above * size_) * unit)) normal[k] = unit;
  });
  std::vector<std::size_t> inside;
  for (std::size_t k = 0; k < vertices.size(); ++k)
    if (squared_norm(normal[k]) > 0) inside.push_back(k);
  if (inside.empty()) return {};
  tree_.refit(boxes_of(seen_, positions));
  std::vector<Overlap> overlaps(inside.size());
  parallel_for(inside.size(), separation_grain, [&](std::size_t k) {
    const int v = vertices[inside[k]];
    const Vec3& place = positions[index(v)];
    const ClosestPoint nearest =
        nearest_facing(tree_, positions, seen_, place, normal[inside[k]], deepest * size_, last_[index(v)]);
    if (nearest.triangle < 0) return;
    last_[index(v)] = nearest.triangle;
    const double depth = std::sqrt(nearest.squared_distance);
    const Triangle& there = seen_[index(nearest.triangle)];
    Vec3 apart = rest_[index(v)];
    for (std::size_t c = 0; c < 3; ++c) apart -= nearest.barycentric[c] * rest_[index(there[c])];
    const double sure = (1 - falls(bottom_of_fold * depth, beyond_bottom * depth, norm(apart))) *
                        falls(deep * size_, deepest * size_, depth);
    overlaps[k] = {v, there, nearest.barycentric, nearest.point - place, sure * depth / (depth + half_depth * size_)};
  });
  std::erase_if(overlaps, [](const Overlap& overlap) { return !(overlap.weight > 0); });
  return overlaps;
}

// One direction for each overlap from those around it, weighted by depth.
void SkinSeparation::smooth_directions(std::vector<Overlap>& overlaps) const {
  std::vector<int> of_vertex(number_.size(), -1);
  for (std::size_t k = 0; k < overlaps.size(); ++k) of_vertex[index(overlaps[k].vertex)] = static_cast<int>(k);
  std::vector<Vec3> way(overlaps.size()), next(overlaps.size());
  for (std::size_t k = 0; k < overlaps.size(); ++k) way[k] = overlaps[k].weight * overlaps[k].out;
  for (int round = 0; round < smoothings; ++round) {
    for (std::size_t k = 0; k < overlaps.size(); ++k) {
      const std::span<const int> beside = neighbours_[index(overlaps[k].vertex)];
      next[k] = way[k];
      for (const int v : beside)
        if (of_vertex[index(v)] >= 0) next[k] += way[index(of_vertex[index(v)])];
      next[k] *= 1.0 / static_cast<double>(1 + beside.size());
    }
    std::swap(way, next);
  }
  for (std::size_t k = 0; k < overlaps.size(); ++k) {
    Overlap& overlap = overlaps[k];
    const double length = norm(way[k]), depth = norm(overlap.out);
    const Vec3 unit = length > 0 ? way[k] / length : overlap.out / depth;
    overlap.wanted = parted * std::max(0.0, dot(unit, overlap.out));
    overlap.out = unit;
  }
}

// Vertices within some rings of the overlaps, in the order in which they are reached.
void SkinSeparation::find_region(std::span<const Overlap> overlaps) {
  for (const int v : near_) number_[index(v)] = -1, is_near_[index(v)] = 0;
  near_.clear();
  region_.clear();
  const auto add = [&](int v) {
    if (is_near_[index(v)]) return;
    is_near_[index(v)] = 1;
    near_.push_back(v);
    if (fixed_[index(v)]) return;
    number_[index(v)] = static_cast<int>(region_.size());
    region_.push_back(v);
  };
  for (const Overlap& overlap : overlaps) {
    add(overlap.vertex);
    for (const int v : overlap.triangle) add(v);
  }
  std::size_t begin = 0;
  for (int ring = 0; ring < rings; ++ring) {
    if (ring == rings_tested) tested_near_ = near_.size();
    const std::size_t end = near_.size();
    for (; begin < end; ++begin)
      for (const int v : neighbours_[index(near_[begin])]) add(v);
  }
}

Vec3 SkinSeparation::apart(const Overlap& overlap, std::span<const Vec3> moved) const {
  const auto at = [&](int v) { return number_[index(v)] < 0 ? Vec3{} : moved[index(number_[index(v)])]; };
  Vec3 sum = at(overlap.vertex);
  for (std::size_t c = 0; c < 3; ++c) sum -= overlap.barycentric[c] * at(overlap.triangle[c]);
  return sum;
}

void SkinSeparation::add_force(const Overlap& overlap, const Vec3& force, std::span<Vec3> to) const {
  if (const int n = number_[index(overlap.vertex)]; n >= 0) to[index(n)] += force;
  for (std::size_t c = 0; c < 3; ++c)
    if (const int n = number_[index(overlap.triangle[c])]; n >= 0) to[index(n)] -= overlap.barycentric[c] * force;
}

// The gradient of half the energy, whose minimum solve() finds, without its constant part.
void SkinSeparation::apply(std::span<const Overlap> overlaps, std::span<const Vec3> from, std::span<Vec3> to) const {
  parallel_for(region_.size(), separation_grain, [&](std::size_t k) {
    Vec3 sum = to_place * from[k];
    for (const int v : neighbours_[index(region_[k])])
      sum += to_neighbours * (from[k] - (number_[index(v)] < 0 ? Vec3{} : from[index(number_[index(v)])]));
    to[k] = sum;
  });
  for (const Overlap& overlap : overlaps)
    if (overlap.holds) add_force(overlap, (overlap.weight * dot(overlap.out, apart(overlap, from))) * overlap.out, to);
}

// The inverses of the gradient's own rates.
void SkinSeparation::find_scale(std::span<const Overlap> overlaps) {
  scale_.assign(region_.size(), 0.0);
  for (std::size_t k = 0; k < region_.size(); ++k)
    scale_[k] = to_place + to_neighbours * static_cast<double>(neighbours_[index(region_[k])].size());
  for (const Overlap& overlap : overlaps) {
    if (!overlap.holds) continue;
    const auto add = [&](int v, double share) {
      if (const int n = number_[index(v)]; n >= 0) scale_[index(n)] += overlap.weight * share * share;
    };
    add(overlap.vertex, 1);
    for (std::size_t c = 0; c < 3; ++c) add(overlap.triangle[c], overlap.barycentric[c]);
  }
  for (double& scale : scale_) scale = 1 / scale;
}

// Conjugate gradients from `moved_` on, for the overlaps that hold: a fixed number.
void SkinSeparation::solve_held(std::span<const Overlap> overlaps) {
  const std::size_t count = region_.size();
  const auto scaled_square = [&] {
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += scale_[i] * squared_norm(residual_[i]);
    return sum;
  };
  find_scale(overlaps);
  residual_.assign(count, Vec3{});
  image_.assign(count, Vec3{});
  for (const Overlap& overlap : overlaps)
    if (overlap.holds) add_force(overlap, (overlap.weight * overlap.wanted) * overlap.out, residual_);
  apply(overlaps, moved_, image_);
  for (std::size_t i = 0; i < count; ++i) residual_[i] -= image_[i];
  direction_.assign(count, Vec3{});
  double square = scaled_square(), before = square;
  for (int k = 0; k < products && square > 0; ++k) {
    const double kept = k == 0 ? 0 : square / before;
    for (std::size_t i = 0; i < count; ++i) direction_[i] = scale_[i] * residual_[i] + kept * direction_[i];
    apply(overlaps, direction_, image_);
    const double step = square / sum_of_products(direction_, image_);
    for (std::size_t i = 0; i < count; ++i) {
      moved_[i] += step * direction_[i];
      residual_[i] -= step * image_[i];
    }
    before = square;
    square = scaled_square();
  }
}

// Minimises the sum of weight max(0, wanted - out . (vertex - place))^2 over the overlaps and of squared differences
// between neighbours, nearly.
void SkinSeparation::solve(std::span<Overlap> overlaps) {
  moved_.assign(region_.size(), Vec3{});
  for (int search = 0; search < searches; ++search) {
    solve_held(overlaps);
    bool changes = false;
    for (Overlap& overlap : overlaps) {
      const bool holds = dot(overlap.out, apart(overlap, moved_)) < overlap.wanted;
      changes |= holds != overlap.holds;
      overlap.holds = holds;
    }
    if (!changes) return;
  }
}

// Later rounds look at what is near the overlaps of those before.
std::size_t SkinSeparation::operator()(std::span<Vec3> positions) {
  std::vector<char> moved(positions.size(), 0), is_tested(positions.size(), 0);
  for (const int v : tested_) is_tested[index(v)] = 1;
  std::vector<int> tested = tested_;
  for (int round = 0; round < rounds; ++round) {
    std::vector<Overlap> overlaps = find_overlaps(positions, tested);
    if (overlaps.empty()) break;
    smooth_directions(overlaps);
    find_region(overlaps);
    solve(overlaps);
    for (std::size_t k = 0; k < region_.size(); ++k) {
      positions[index(region_[k])] += moved_[k];
      moved[index(region_[k])] = 1;
    }
    tested.clear();
    std::copy_if(near_.begin(), near_.begin() + static_cast<std::ptrdiff_t>(tested_near_), std::back_inserter(tested),
                 [&](int v) { return is_tested[index(v)] != 0; });
  }
  return static_cast<std::size_t>(std::count(moved.begin(), moved.end(), 1));
}

}  // namespace sinew
