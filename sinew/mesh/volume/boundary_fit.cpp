#include "sinew/mesh/volume/boundary_fit.h"

#include <algorithm>
#include <numeric>

#include "sinew/base/threads/parallel.h"
#include "sinew/mesh/clipping.h"
#include "sinew/mesh/quality.h"

namespace sinew {
namespace {

// Ranges over which the freedom of a node falls from 1 to 0. Wider ranges transfer less of the surface's rounding to
// the nodes, and restrict their motion more: 0.1 is the range from 15 to 30 degrees, and from 152 to 141.
constexpr double cosine_range = 0.1;
constexpr double smallest_volume = 1e-3, volume_range = 4e-3;  // in cubes of the lattice
constexpr int step_samples = 8;

Rows transposed(const Rows& rows, std::size_t columns) {
  Rows result;
  result.offsets.assign(columns + 1, 0);
  for (int item : rows.items) ++result.offsets[static_cast<std::size_t>(item) + 1];
  std::partial_sum(result.offsets.begin(), result.offsets.end(), result.offsets.begin());
  result.items.resize(rows.items.size());
  std::vector<int> next(result.offsets.begin(), result.offsets.end() - 1);
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (int item : rows[r])
      result.items[static_cast<std::size_t>(next[static_cast<std::size_t>(item)]++)] = static_cast<int>(r);
  return result;
}

Rows elements_around_nodes(const TetrahedralMesh& mesh) {
  Rows corners;
  corners.items.reserve(4 * mesh.tetrahedra.size());
  for (const Tetrahedron& t : mesh.tetrahedra) {
    corners.items.insert(corners.items.end(), t.begin(), t.end());
    corners.offsets.push_back(static_cast<int>(corners.items.size()));
  }
  return transposed(corners, mesh.positions.size());
}

// Adds points of a triangle, besides its corners, on rows along its longest side and at most `spacing` apart; none if
// the triangle is smaller.
void append_inner_points(const std::array<Vec3, 3>& v, double spacing, std::vector<Vec3>& out) {
  std::size_t longest = 0;
  for (std::size_t k = 1; k < 3; ++k)
    if (distance(v[k], v[(k + 1) % 3]) > distance(v[longest], v[(longest + 1) % 3])) longest = k;
  const Vec3 &a = v[longest], &b = v[(longest + 1) % 3], &c = v[(longest + 2) % 3];
  const double length = distance(a, b);
  if (!(length > spacing)) return;
  const double height = norm(cross(b - a, c - a)) / length;
  const int rows = std::max(1, static_cast<int>(std::ceil(height / spacing)));
  for (int i = 0; i < rows; ++i) {
    const double t = double(i) / rows;
    const Vec3 from = a + t * (c - a), to = b + t * (c - b);
    const int columns = std::max(1, static_cast<int>(std::ceil((1 - t) * length / spacing)));
    for (int j = i == 0 ? 1 : 0; j <= (i == 0 ? columns - 1 : columns); ++j)
      out.push_back(from + (double(j) / columns) * (to - from));
  }
}

class Fitter {
 public:
  Fitter(const SolidSampling& sampling, const CoveragePoints& points, JoinedPieces& joined, const FitOptions& options)
      : sampling_(sampling),
        points_(points),
        joined_(joined),
        options_(options),
        cell_(sampling.grid().cell),
        smallest_cosine_(std::cos(options.smallest_angle * radians_per_degree)),
        largest_cosine_(std::cos(options.largest_angle * radians_per_degree)),
        around_(elements_around_nodes(joined.mesh)) {}

  void run() {
    assign_points();
    const std::vector<int> nodes = outer_nodes();
    for (int sweep = 0; sweep < options_.sweeps; ++sweep)
      for (int node : nodes) draw_in(node);
  }

 private:
  std::array<Vec3, 4> corners(int element) const { return corners_of(joined_.mesh, static_cast<std::size_t>(element)); }

  void assign_points() {
    holder_.assign(points_.positions.size(), -1);
    slack_.assign(points_.positions.size(), 0);
    held_.resize(joined_.mesh.tetrahedra.size());
    for (std::size_t p = 0; p < holder_.size(); ++p) {
      double best = HUGE_VAL;
      for (int e : points_.elements[p]) {
        const double d = distance_outside(corners(e), points_.positions[p]);
        if (d < best) {
          best = d;
          holder_[p] = e;
        }
      }
      if (holder_[p] < 0) continue;
      held_[static_cast<std::size_t>(holder_[p])].push_back(static_cast<int>(p));
      // A point that is slightly outside from the beginning (by less than counts as touching) may move as far again as
      // the others.
      slack_[p] = options_.tolerance * cell_ + std::max(0.0, best);
    }
  }

  // Nodes of boundary faces, outside the solid.
  std::vector<int> outer_nodes() const {
    const TetrahedronFaces faces = tetrahedron_faces(joined_.mesh.tetrahedra, joined_.mesh.positions.size());
    std::vector<char> outer(joined_.mesh.positions.size(), 0);
    for (std::size_t f = 0; f < faces.vertices.size(); ++f)
      if (faces.elements[f].size() == 1)
        for (int v : faces.vertices[f]) outer[static_cast<std::size_t>(v)] = 1;
    std::vector<int> nodes;
    for (std::size_t v = 0; v < outer.size(); ++v)
      if (outer[v]) nodes.push_back(static_cast<int>(v));
    std::vector<char> inside(nodes.size());
    parallel_for(nodes.size(), 64, [&](std::size_t i) {
      inside[i] = sampling_.surface().winding_number(joined_.mesh.positions[static_cast<std::size_t>(nodes[i])]) > 0.5;
    });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i)
      if (!inside[i]) nodes[kept++] = nodes[i];
    nodes.resize(kept);
    return nodes;
  }

  // The closest point of the surface that the elements around `node` carry.
  ClosestPoint closest_carried_point(int node, const Vec3& p) const {
    const auto around = around_[static_cast<std::size_t>(node)];
    bool duplicated = false;
    for (int e : around) duplicated = duplicated || joined_.duplicated[static_cast<std::size_t>(e)];
    if (!duplicated) return sampling_.surface().tree.closest_point(p, 2 * cell_);
    ClosestPoint best;
    best.squared_distance = HUGE_VAL;
    const int first = sampling_.triangle_node(0);
    for (int e : around)
      for (int graph_node : joined_.nodes[static_cast<std::size_t>(e)]) {
        if (graph_node < first) continue;
        const auto v = sampling_.surface().corners(graph_node - first);
        const ClosestPoint c = closest_point_on_triangle(p, v[0], v[1], v[2]);
        if (c.squared_distance < best.squared_distance) {
          best = c;
          best.triangle = graph_node - first;
        }
      }
    return best;
  }

  // Moves a node towards the surface. A yes-or-no decision about a step would depend on rounding in close cases; the
  // length of the step is therefore a continuous function of the surface.
  void draw_in(int node) {
    Vec3& position = joined_.mesh.positions[static_cast<std::size_t>(node)];
    const Vec3 old = position;
    const ClosestPoint closest = closest_carried_point(node, old);
    if (closest.triangle < 0) return;
    const double length = std::sqrt(closest.squared_distance) - options_.margin * cell_;
    if (!(length > options_.shortest_step * cell_)) return;
    const Vec3 step = length * normalized(closest.point - old);
    const auto freedom_at = [&](double fraction) {
      position = old + fraction * step;
      return std::min(shape_freedom(node), cover_freedom(node));
    };
    const double fraction = options_.in_few_lengths ? first_allowed(freedom_at) : mean_freedom(freedom_at);
    if (fraction > 0 && freedom_at(fraction) > 0)
      hand_over();
    else
      position = old;
  }

  // Mean freedom along the step, which ends where the freedom is 0.
  template <class Freedom>
  static double mean_freedom(const Freedom& freedom_at) {
    double freedom = freedom_at(0), mean = 0;
    for (int k = 1; k <= step_samples && freedom > 0; ++k) {
      freedom = std::min(freedom, freedom_at(double(k) / step_samples));
      mean += freedom / step_samples;
    }
    return mean;
  }

  template <class Freedom>
  static double first_allowed(const Freedom& freedom_at) {
    for (double fraction = 1; fraction > 0.2; fraction *= 0.6)
      if (freedom_at(fraction) > 0) return fraction;
    return 0;
  }

  // Freedom of `node` at its position with respect to the shapes of its elements, 0 to 1: 0 if one of them is at a
  // limit.
  double shape_freedom(int node) const {
    double freedom = 1;
    for (int e : around_[static_cast<std::size_t>(node)]) {
      const std::array<Vec3, 4> p = corners(e);
      const double cubes = volume(p[0], p[1], p[2], p[3]) / (cell_ * cell_ * cell_);
      if (!(cubes > smallest_volume)) return 0;
      const AngleRange cosines = dihedral_cosines(p);
      freedom = std::min({freedom, (cubes - smallest_volume) / volume_range,
                          (smallest_cosine_ - cosines.smallest) / cosine_range,
                          (cosines.largest - largest_cosine_) / cosine_range});
      if (!(freedom > 0)) return 0;
    }
    return freedom;
  }

  // Freedom of `node` at its position with respect to the points in its elements, 0 to 1: 0 if one of them is as far
  // outside all elements as permitted. `changes_` receives points that change elements.
  double cover_freedom(int node) {
    double freedom = 1;
    changes_.clear();
    for (int e : around_[static_cast<std::size_t>(node)]) {
      const std::array<Vec3, 4> own = corners(e);
      for (int p : held_[static_cast<std::size_t>(e)]) {
        const auto index = static_cast<std::size_t>(p);
        const Vec3 x = points_.positions[index];
        if (distance_outside(own, x) <= 0) continue;
        int best = -1;
        double best_distance = HUGE_VAL;
        for (int other : points_.elements[index]) {
          const double d = distance_outside(corners(other), x);
          if (d < best_distance) {
            best_distance = d;
            best = other;
          }
        }
        freedom = std::min(freedom, 1 - std::max(0.0, best_distance) / slack_[index]);
        if (!(freedom > 0)) return 0;
        if (best != e) changes_.push_back({p, best});
      }
    }
    return freedom;
  }

  void hand_over() {
    for (const auto& [p, e] : changes_) {
      auto& from = held_[static_cast<std::size_t>(holder_[static_cast<std::size_t>(p)])];
      from.erase(std::find(from.begin(), from.end(), p));
      held_[static_cast<std::size_t>(e)].push_back(p);
      holder_[static_cast<std::size_t>(p)] = e;
    }
  }

  const SolidSampling& sampling_;
  const CoveragePoints& points_;
  JoinedPieces& joined_;
  const FitOptions& options_;
  double cell_, smallest_cosine_, largest_cosine_;
  Rows around_;
  std::vector<int> holder_;             // per point, the element that contains it
  std::vector<double> slack_;           // per point, permitted distance outside
  std::vector<std::vector<int>> held_;  // per element, the points it holds
  std::vector<std::pair<int, int>> changes_;
};

}  // namespace

CoveragePoints coverage_points(const SolidSampling& sampling, const LatticeMesh& lattice, const JoinedPieces& joined,
                               double growth) {
  const SolidSurface& surface = sampling.surface();
  CoveragePoints points;
  points.positions = surface.mesh.positions;
  Rows inner;  // per triangle, its points besides the corners
  for (std::size_t t = 0; t < surface.mesh.triangles.size(); ++t) {
    const std::size_t before = points.positions.size();
    append_inner_points(surface.corners(static_cast<int>(t)), 0.5 * sampling.grid().cell, points.positions);
    for (std::size_t i = before; i < points.positions.size(); ++i) inner.items.push_back(static_cast<int>(i));
    inner.offsets.push_back(static_cast<int>(inner.items.size()));
  }
  const std::size_t elements = joined.mesh.tetrahedra.size(), grain = 256;
  std::vector<Rows> chunks((elements + grain - 1) / grain);
  parallel_chunks(elements, grain, [&](std::size_t begin, std::size_t end) {
    std::vector<int> found;
    for (std::size_t e = begin; e < end; ++e) {
      Rows& rows = chunks[begin / grain];
      found.clear();
      const auto& corners = lattice.tetrahedra[static_cast<std::size_t>(joined.lattice_tetrahedron[e])];
      std::array<Vec3, 4> p;
      for (std::size_t k = 0; k < 4; ++k) p[k] = lattice.positions[static_cast<std::size_t>(corners[k])];
      const ConvexCell cell = tetrahedron_cell(p);
      const int first = sampling.triangle_node(0);
      for (int graph_node : joined.nodes[e]) {
        if (graph_node < first) continue;
        const auto t = static_cast<std::size_t>(graph_node - first);
        for (int v : surface.mesh.triangles[t])
          if (cell.contains(points.positions[static_cast<std::size_t>(v)], growth)) found.push_back(v);
        for (int i : inner[t])
          if (cell.contains(points.positions[static_cast<std::size_t>(i)], growth)) found.push_back(i);
      }
      std::sort(found.begin(), found.end());
      found.erase(std::unique(found.begin(), found.end()), found.end());
      rows.items.insert(rows.items.end(), found.begin(), found.end());
      rows.offsets.push_back(static_cast<int>(rows.items.size()));
    }
  });
  Rows points_in_element;
  for (const Rows& chunk : chunks) {
    const int offset = static_cast<int>(points_in_element.items.size());
    points_in_element.items.insert(points_in_element.items.end(), chunk.items.begin(), chunk.items.end());
    for (std::size_t i = 1; i < chunk.offsets.size(); ++i)
      points_in_element.offsets.push_back(offset + chunk.offsets[i]);
  }
  points.elements = transposed(points_in_element, points.positions.size());
  return points;
}

std::vector<char> elements_with_purpose(const JoinedPieces& joined, const CoveragePoints& points, double tolerance) {
  std::vector<int> component;
  const MeshQuality quality = measure_quality(joined.mesh, &component);
  std::vector<char> keep(joined.mesh.tetrahedra.size(), 1);
  if (quality.components == 1) return keep;
  const auto components = static_cast<std::size_t>(quality.components);
  std::vector<std::size_t> size(components, 0), order(components);
  for (int c : component) ++size[static_cast<std::size_t>(c)];
  // Smaller bodies come first, so that they yield to larger ones.
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return size[a] < size[b]; });
  std::vector<std::vector<int>> points_of(components);
  for (std::size_t p = 0; p < points.elements.size(); ++p)
    for (int e : points.elements[p]) {
      auto& list = points_of[static_cast<std::size_t>(component[static_cast<std::size_t>(e)])];
      if (list.empty() || list.back() != static_cast<int>(p)) list.push_back(static_cast<int>(p));
    }
  std::vector<char> dropped(components, 0);
  for (std::size_t c : order) {
    bool needed = false;
    for (int p : points_of[c]) {
      const Vec3& x = points.positions[static_cast<std::size_t>(p)];
      double own = HUGE_VAL, others = HUGE_VAL;
      for (int e : points.elements[static_cast<std::size_t>(p)]) {
        const auto body = static_cast<std::size_t>(component[static_cast<std::size_t>(e)]);
        if (dropped[body]) continue;
        double& best = body == c ? own : others;
        best = std::min(best, distance_outside(corners_of(joined.mesh, static_cast<std::size_t>(e)), x));
      }
      if (others > tolerance && own < others) {
        needed = true;
        break;
      }
    }
    dropped[c] = !needed;
  }
  for (std::size_t e = 0; e < keep.size(); ++e) keep[e] = !dropped[static_cast<std::size_t>(component[e])];
  return keep;
}

void fit_boundary(const SolidSampling& sampling, const CoveragePoints& points, JoinedPieces& joined,
                  const FitOptions& options) {
  Fitter(sampling, points, joined, options).run();
}

}  // namespace sinew
