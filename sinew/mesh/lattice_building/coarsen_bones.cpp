#include "sinew/mesh/lattice_building/coarsen_bones.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "sinew/base/index.h"
#include "sinew/mesh/barycentric.h"

namespace sinew {
namespace {

// A vertex moves onto a segment only if its tetrahedra keep this mean ratio; otherwise an element is split.
constexpr double snapped_mean_ratio = 0.05;
// Weight below which a point counts as on the opposite face or edge.
constexpr double near_face = 0.08;
constexpr int most_steps = 20000;
// Largest difference of weights that count as equal.
constexpr double tie_weight = 1e-3;

bool is_heavier(double weight, double other) {
  return std::round(weight / tie_weight) > std::round(other / tie_weight);
}

bool move_vertex(TetrahedralComplex& complex, int vertex, const Vec3& p, double least_ratio) {
  const Replacement replacement = moved_vertex(complex, vertex, p);
  std::vector<int> points, home;
  double before = HUGE_VAL;
  for (int t : replacement.removed) before = std::min(before, mean_ratio(complex.corners(t)));
  if (!(smallest_mean_ratio(replacement) >= std::min(before, least_ratio)) ||
      !distribute_points(complex, replacement, points, home))
    return false;
  replace(complex, replacement, points, home);
  return true;
}

struct Joint {
  int vertex = -1, owner = -1;
};

// The point where a ray from a vertex leaves the vertex's star.
struct Hit {
  int tetrahedron = -1;
  std::size_t corner = 0;           // index of the vertex in the tetrahedron
  std::array<double, 4> weights{};  // of the point on the opposite face; 0 at `corner`
  double scale = 0;                 // parameter of the ray at the face, in lengths of the ray
};

class Inserter {
 public:
  Inserter(TetrahedralComplex& complex, const std::function<double(int, int)>& affinity, const ChainOptions& options)
      : complex_(complex), affinity_(affinity), options_(options) {}

  InsertedSegment insert(const ChainSegment& segment) {
    InsertedSegment result;
    const double length = distance(segment.head, segment.tail);
    int start = head_vertex(segment);
    if (length < options_.shortest) {
      if (start < 0) start = insert_end(segment.head, segment.owner);
      if (start < 0) return result;
      joints_.push_back({start, segment.owner});
      add_chain(complex_, {start});
      result.chains.push_back(static_cast<int>(complex_.chains.size()) - 1);
      result.outcome = ChainOutcome::point;
      return result;
    }
    bool whole = start >= 0, doubled = false;
    if (start < 0) start = insert_end(segment.head, segment.owner);
    if (start >= 0) {
      whole = true;
      joints_.push_back({start, segment.owner});
    } else {
      start = enter(segment, segment.head);
    }
    while (start >= 0) {
      std::vector<int> chain{start};
      const std::optional<Vec3> exit = walk(segment, chain);
      if (exit) whole = false;
      if (!exit) joints_.push_back({chain.back(), segment.owner});
      doubled |= keep(chain, result);
      start = exit ? enter(segment, *exit) : -1;
    }
    result.outcome = !result.chains.empty() ? (whole ? ChainOutcome::followed : ChainOutcome::inside)
                     : doubled              ? ChainOutcome::doubled
                                            : ChainOutcome::outside;
    return result;
  }

 private:
  const Vec3& at(int vertex) const { return complex_.positions[index(vertex)]; }

  // The vertex at which other segments of this owner end or begin: its parent's first, then its own.
  int head_vertex(const ChainSegment& segment) const {
    int best = -1, best_rank = 3;
    double nearest = options_.shortest;
    for (const Joint& joint : joints_) {
      const double d = distance(at(joint.vertex), segment.head);
      const int rank = joint.owner == segment.owner ? 0 : joint.owner == segment.parent ? 1 : 2;
      if (d >= options_.shortest || rank > best_rank || (rank == best_rank && d >= nearest)) continue;
      best = joint.vertex;
      best_rank = rank;
      nearest = d;
    }
    return best;
  }

  // Adds a vertex at an end of a segment, in the copy with the highest affinity; -1 outside.
  int insert_end(const Vec3& p, int owner) {
    int best = -1;
    double best_value = -HUGE_VAL;
    for (std::size_t t = 0; t < complex_.tetrahedra.size(); ++t) {
      if (!complex_.is_alive(static_cast<int>(t))) continue;
      const double depth = planes_of(complex_.corners(static_cast<int>(t))).depth(p);
      if (depth < -tie_length) continue;
      const double value = affinity_(owner, static_cast<int>(t));
      if (coarse(value) <= coarse(best_value)) continue;
      best_value = value;
      best = static_cast<int>(t);
    }
    return best < 0 ? -1 : insert_point(best, p);
  }

  bool may_move(int vertex, const Vec3& p) const {
    const double d = distance(at(vertex), p);
    return !complex_.on_chain(vertex) && d <= (on_boundary(complex_, vertex) ? 0.05 : 1.0) * options_.snap;
  }

  // Adds a vertex at p in the tetrahedron; -1 if it is not possible.
  int insert_point(int tetrahedron, const Vec3& p) {
    const Tetrahedron t = complex_.tetrahedra[index(tetrahedron)];
    const std::array<double, 4> weights = barycentric_weights(complex_.corners(tetrahedron), p);
    std::array<std::size_t, 4> order{0, 1, 2, 3};
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return is_heavier(weights[a], weights[b]); });
    for (std::size_t k : order)
      if (complex_.on_chain(t[k]) && distance(at(t[k]), p) < options_.shortest) return t[k];
    for (std::size_t k : order)
      if (may_move(t[k], p) && move_vertex(complex_, t[k], p, snapped_mean_ratio)) return t[k];
    int vertex = -1;
    if (weights[order[2]] < near_face) {
      const int a = t[order[0]], b = t[order[1]];
      const Vec3 along = at(b) - at(a);
      const double s = dot(p - at(a), along) / squared_norm(along);
      const Vec3 on_edge = at(a) + s * along;
      // A joint in the middle of a bone (a twist bone) belongs to that bone's chain.
      if (is_chain_edge(complex_, a, b)) {
        if (distance(on_edge, p) < options_.snap && s > 0 && s < 1) vertex = split_edge(complex_, a, b, on_edge);
      } else {
        vertex = split_edge(complex_, a, b, p);
      }
      if (vertex >= 0) return vertex;
    }
    if (weights[order[3]] < near_face) vertex = split_face(complex_, tetrahedron, order[3], p);
    return vertex >= 0 ? vertex : split_tetrahedron(complex_, tetrahedron, p);
  }

  Hit find_hit(int vertex, const Vec3& ray) const {
    Hit best;
    double best_inside = -2 * tie_weight;
    for (int t : complex_.star[index(vertex)]) {
      const Tetrahedron& corners = complex_.tetrahedra[index(t)];
      const std::array<Vec3, 4> x = complex_.corners(t);
      const auto k = static_cast<std::size_t>(std::find(corners.begin(), corners.end(), vertex) - corners.begin());
      std::array<double, 4> w = barycentric_weights(x, at(vertex) + ray);
      w[k] = 0;
      double sum = 0, least = HUGE_VAL;
      for (std::size_t i = 0; i < 4; ++i)
        if (i != k) sum += w[i];
      if (!(sum > 0)) continue;
      for (std::size_t i = 0; i < 4; ++i)
        if (i != k) least = std::min(least, w[i] /= sum);
      if (least <= best_inside + tie_weight) continue;
      best_inside = least;
      best = {t, k, w, 1 / sum};
    }
    return best;
  }

  // Extends the chain from its last vertex to the segment's tail. If the segment leaves the complex first, the chain
  // ends a little before the exit point, which is returned.
  std::optional<Vec3> walk(const ChainSegment& segment, std::vector<int>& chain) {
    for (int step = 0; step < most_steps; ++step) {
      const int v = chain.back();
      const Vec3 ray = segment.tail - at(v);
      if (norm(ray) < 1e-9 * distance(segment.head, segment.tail)) return std::nullopt;
      for (const Joint& joint : joints_)
        if (distance(at(joint.vertex), segment.tail) < options_.shortest &&
            (joint.vertex == v || !around_edge(complex_, v, joint.vertex).empty())) {
          if (joint.vertex != v) chain.push_back(joint.vertex);
          return std::nullopt;
        }
      const Hit hit = find_hit(v, ray);
      if (hit.tetrahedron < 0) return at(v);
      if (hit.scale >= 1) {
        const int end = insert_point(hit.tetrahedron, segment.tail);
        if (end < 0 || end == v) return end < 0 ? std::optional<Vec3>(at(v)) : std::nullopt;
        // An inserted vertex is a corner of a part of the tetrahedron, or one of its corners that moved.
        if (around_edge(complex_, v, end).empty()) return at(v);
        chain.push_back(end);
        return std::nullopt;
      }
      const Vec3 p = at(v) + hit.scale * ray;
      const bool leaves = across(complex_, hit.tetrahedron, hit.corner) < 0;
      const int next = leaves ? -1 : step_to(hit, p, v, ray);
      if (next < 0) {
        end_before(p, hit, chain);
        return p;
      }
      chain.push_back(next);
    }
    return at(chain.back());
  }

  // A vertex at or near p, on the face opposite `v` in the tetrahedron.
  int step_to(const Hit& hit, const Vec3& p, int v, const Vec3& ray) {
    const Tetrahedron t = complex_.tetrahedra[index(hit.tetrahedron)];
    std::array<std::size_t, 3> order{(hit.corner + 1) % 4, (hit.corner + 2) % 4, (hit.corner + 3) % 4};
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return is_heavier(hit.weights[a], hit.weights[b]); });
    const double length = norm(ray);
    const auto offset = [&](int w) { return norm(cross(at(w) - at(v), ray)) / length; };
    const auto is_forward = [&](int w) { return dot(at(w) - at(v), ray) > 1e-6 * length * length; };
    for (std::size_t k : order)
      if (complex_.on_chain(t[k]) && is_forward(t[k]) && offset(t[k]) <= options_.snap) return t[k];
    for (std::size_t k : order)
      if (may_move(t[k], p) && move_vertex(complex_, t[k], p, snapped_mean_ratio)) return t[k];
    int vertex = -1;
    const int a = t[order[0]], b = t[order[1]];
    if (hit.weights[order[2]] < near_face && !is_chain_edge(complex_, a, b)) vertex = split_edge(complex_, a, b, p);
    if (vertex < 0) vertex = split_face(complex_, hit.tetrahedron, hit.corner, p);
    if (vertex < 0 && !is_chain_edge(complex_, a, b)) vertex = split_edge(complex_, a, b, p);
    if (vertex < 0 && is_forward(a) && offset(a) <= 2 * options_.snap && !on_boundary(complex_, a)) return a;
    return vertex;
  }

  // Ends the chain where the segment leaves the complex at p, on a face of the tetrahedron, or cannot be followed
  // further.
  void end_before(const Vec3& p, const Hit& hit, std::vector<int>& chain) {
    const Vec3 v = at(chain.back());
    const double left = distance(v, p) - options_.inset;
    if (left < options_.inset) return;
    const int end = split_tetrahedron(complex_, hit.tetrahedron, v + left * normalized(p - v));
    if (end >= 0) chain.push_back(end);
  }

  // Finds where the segment enters the complex after `from`: returns a vertex a little inside, or -1.
  int enter(const ChainSegment& segment, const Vec3& from) {
    const Vec3 ray = segment.tail - segment.head;
    const double length = norm(ray), begin = dot(from - segment.head, ray) / (length * length) + 1e-6;
    int best = -1;
    double best_from = HUGE_VAL, best_to = 0, best_affinity = 0;
    for (std::size_t i = 0; i < complex_.tetrahedra.size(); ++i) {
      const int t = static_cast<int>(i);
      if (!complex_.is_alive(t)) continue;
      const TetrahedronPlanes planes = planes_of(complex_.corners(t));
      double enters = 0, leaves = 1;
      std::size_t face = 4;
      for (std::size_t k = 0; k < 4; ++k) {
        const double a = dot(planes.normal(k), segment.head) - planes.offset[k], slope = dot(planes.normal(k), ray);
        if (slope > 0 && -a / slope > enters) {
          enters = -a / slope;
          face = k;
        }
        if (slope < 0) leaves = std::min(leaves, -a / slope);
        if (slope == 0 && a < 0) leaves = -1;
      }
      if (face == 4 || enters >= leaves || enters <= begin || across(complex_, t, face) >= 0) continue;
      const double value = affinity_(segment.owner, t), tie = options_.snap / length;
      if (enters > best_from + tie || (enters > best_from - tie && coarse(value) <= coarse(best_affinity))) continue;
      best = t;
      best_from = enters;
      best_to = leaves;
      best_affinity = value;
    }
    if (best < 0) return -1;
    const double inset = std::min(options_.inset / length, 0.5 * (best_to - best_from));
    return split_tetrahedron(complex_, best, segment.head + (best_from + inset) * ray);
  }

  // Keeps the parts of the path that are not on chains already. Returns true if there are no others.
  bool keep(std::vector<int> chain, InsertedSegment& result) {
    // A vertex that occurs twice was left and entered again at once.
    for (std::size_t i = 0; i < chain.size(); ++i) {
      const auto again = std::find(chain.rbegin(), chain.rend(), chain[i]).base() - 1;
      chain.erase(chain.begin() + static_cast<std::ptrdiff_t>(i), again);
    }
    bool doubled = false;
    std::vector<int> stretch;
    const auto finish = [&] {
      double length = 0;
      for (std::size_t i = 0; i + 1 < stretch.size(); ++i) length += distance(at(stretch[i]), at(stretch[i + 1]));
      if (stretch.size() > 1 && length >= options_.shortest) {
        add_chain(complex_, stretch);
        result.chains.push_back(static_cast<int>(complex_.chains.size()) - 1);
      }
      stretch.clear();
    };
    for (std::size_t i = 0; i < chain.size(); ++i) {
      if (i > 0 && is_chain_edge(complex_, chain[i - 1], chain[i])) {
        finish();
        doubled = true;
      }
      stretch.push_back(chain[i]);
    }
    finish();
    return doubled;
  }

  TetrahedralComplex& complex_;
  const std::function<double(int, int)>& affinity_;
  ChainOptions options_;
  std::vector<Joint> joints_;
};

}  // namespace

std::vector<InsertedSegment> insert_segments(TetrahedralComplex& complex, std::span<const ChainSegment> segments,
                                             const std::function<double(int, int)>& affinity,
                                             const ChainOptions& options) {
  Inserter inserter(complex, affinity, options);
  std::vector<InsertedSegment> results;
  results.reserve(segments.size());
  for (const ChainSegment& segment : segments) results.push_back(inserter.insert(segment));
  return results;
}

}  // namespace sinew
