#include "sinew/mesh/lattice_building/coarsen_collapse.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <queue>
#include <unordered_map>
#include <vector>

#include "sinew/base/index.h"
#include "sinew/mesh/lattice_building/coarsen_link.h"
#include "sinew/mesh/lattice_building/coarsen_star.h"

namespace sinew {
namespace {

// Mean ratio below which thin tetrahedra add to the cost of a collapse.
constexpr double good_mean_ratio = 0.5;
constexpr double thinness_weight = 0.6;
// First distance at which boundary vertices are tried outwards, in sizes; it is doubled each time.
constexpr double first_push = 0.04;
constexpr int pushes = 5, bisections = 3;
// A collapse that costs more than this factor times the estimate from its edge's length is queued again.
constexpr double patience = 1.05;
// Edges that could not collapse are tried again each time this fraction of the tetrahedra is left.
constexpr double again = 0.7;

const char* const coarsening = "coarsening the lattice";

struct Candidate {
  double cost = 0;  // coarse
  int a = -1, b = -1;
  int stamp_a = 0, stamp_b = 0;

  bool operator<(const Candidate& other) const {  // the top of the queue, its largest element, is the cheapest
    if (cost != other.cost) return cost > other.cost;
    if (a != other.a) return a > other.a;
    return b > other.b;
  }
};

// A way to collapse an edge.
struct Collapse {
  double cost = HUGE_VAL;
  int kept = -1, gone = -1;
  Vec3 position;  // of `kept` afterwards
};

// Result of an edge's evaluation, and Coarsening::changes_ at that time; 0: it was not evaluated yet.
struct Evaluation {
  int number = 0;
  Collapse collapse;
};

// Which of an edge's vertices stays, and which merges into it.
struct Merge {
  int kept = -1, gone = -1;

  bool operator==(const Merge&) const = default;
};

enum class Role { free, on_chain, fixed };

class Coarsening {
 public:
  Coarsening(TetrahedralComplex& complex, std::span<const double> size, const CoarsenOptions& options)
      : complex_(complex),
        size_(size),
        options_(options),
        link_(complex),
        star_(complex),
        touched_(complex.positions.size(), 0),
        stamp_(complex.positions.size(), 0) {
    boundary_.resize(complex.positions.size());
    for (std::size_t v = 0; v < boundary_.size(); ++v) boundary_[v] = on_boundary(complex, static_cast<int>(v));
  }

  int run(const Progress& progress) {
    const int begin = alive_tetrahedra(complex_);
    int alive = begin, collapses = 0;
    int enqueued_at = alive;
    enqueue_all();
    int collapses_before = 0;
    while (alive > options_.target_tetrahedra) {
      // Edges that could not collapse before may be able to now.
      if ((queue_.empty() && collapses > collapses_before) || alive < again * enqueued_at) {
        enqueue_all();
        enqueued_at = alive;
        collapses_before = collapses;
      }
      if (queue_.empty()) break;
      Candidate candidate = queue_.top();
      queue_.pop();
      if (stamp_[index(candidate.a)] != candidate.stamp_a || stamp_[index(candidate.b)] != candidate.stamp_b) continue;
      const Collapse collapse = known_or_evaluated(candidate.a, candidate.b);
      if (collapse.kept < 0 || collapse.cost > options_.highest_cost) continue;
      const double cost = coarse(collapse.cost);
      if (cost > patience * candidate.cost && !queue_.empty() && cost > queue_.top().cost) {
        candidate.cost = cost;
        queue_.push(candidate);
        continue;
      }
      const int fewer = apply(collapse);
      if (fewer == 0) continue;
      alive -= fewer;
      if (++collapses % 16 == 0)
        report_or_stop(progress, coarsening, double(begin - alive) / std::max(1, begin - options_.target_tetrahedra));
    }
    return collapses;
  }

 private:
  double size_of(int vertex) const { return size_[index(complex_.like[index(vertex)])]; }

  Role role(int vertex) const {
    const std::vector<int>& chains = complex_.chains_of[index(vertex)];
    if (chains.empty()) return Role::free;
    if (chains.size() > 1) return Role::fixed;
    const std::vector<int>& chain = complex_.chains[index(chains[0])];
    return chain.front() == vertex || chain.back() == vertex ? Role::fixed : Role::on_chain;
  }

  double length_cost(int a, int b) const {
    return squared_norm(complex_.positions[index(a)] - complex_.positions[index(b)]) / (size_of(a) * size_of(b));
  }

  void enqueue(int a, int b) {
    const double cost = length_cost(a, b);
    if (cost <= options_.highest_cost) queue_.push({coarse(cost), a, b, stamp_[index(a)], stamp_[index(b)]});
  }

  void enqueue_all() {
    queue_ = {};
    for (std::size_t v = 0; v < complex_.positions.size(); ++v)
      for (int w : neighbours(complex_, static_cast<int>(v)))
        if (static_cast<int>(v) < w) enqueue(static_cast<int>(v), w);
  }

  // Carries out the collapse. Returns by how many tetrahedra there are fewer: 0 if rounding forbids it.
  int apply(const Collapse& collapse) {
    const Replacement replacement = collapsed_edge(complex_, collapse.kept, collapse.gone, collapse.position);
    if (!(smallest_mean_ratio(replacement) > 0) || !distribute_points(complex_, replacement, points_, home_)) return 0;
    ++changes_;
    for (const int t : replacement.removed)
      for (const int v : complex_.tetrahedra[index(t)]) touched_[index(v)] = changes_;
    const bool boundary = boundary_[index(collapse.kept)] || boundary_[index(collapse.gone)];
    remove_from_chains(complex_, collapse.gone);
    replace(complex_, replacement, points_, home_);
    boundary_[index(collapse.kept)] = boundary;
    ++stamp_[index(collapse.kept)];
    ++stamp_[index(collapse.gone)];
    for (int w : neighbours(complex_, collapse.kept)) enqueue(std::min(w, collapse.kept), std::max(w, collapse.kept));
    return static_cast<int>(replacement.removed.size()) - static_cast<int>(replacement.added.size());
  }

  // evaluate(), unless nothing around the edge changed since it was evaluated last.
  const Collapse& known_or_evaluated(int a, int b) {
    Evaluation& last = evaluations_[static_cast<std::uint64_t>(a) << 32 | static_cast<std::uint64_t>(b)];
    if (last.number < std::max({1, touched_[index(a)], touched_[index(b)]})) last = {changes_, evaluate(a, b)};
    return last.collapse;
  }

  // The best way to collapse the edge; kept < 0 if there is none.
  Collapse evaluate(int a, int b) {
    Collapse best;
    Role role_a = role(a), role_b = role(b);
    if (role_a != Role::free && role_b != Role::free) {
      if (!is_chain_edge(complex_, a, b)) return best;
      if (role_a == Role::fixed && role_b == Role::fixed) return best;
    }
    // A boundary vertex is not moved inwards to a chain.
    const bool boundary_a = boundary_[index(a)] != 0, boundary_b = boundary_[index(b)] != 0;
    if (role_a != Role::free && boundary_b && !boundary_a) return best;
    if (role_b != Role::free && boundary_a && !boundary_b) return best;
    if (!link_.holds(a, b)) return best;
    const Vec3 at_a = complex_.positions[index(a)], at_b = complex_.positions[index(b)];
    begin_edge(a, b);
    if (role_a != Role::free || role_b != Role::free) {
      if (role_a != Role::free && (role_b == Role::free || role_b == Role::on_chain))
        consider({a, b}, at_a, boundary_b, best);
      if (role_b != Role::free && (role_a == Role::free || role_a == Role::on_chain))
        consider({b, a}, at_b, boundary_a, best);
      return best;
    }
    if (boundary_a != boundary_b) {
      if (boundary_a)
        consider({a, b}, at_a, false, best);
      else
        consider({b, a}, at_b, false, best);
      return best;
    }
    const Vec3 middle = 0.5 * (at_a + at_b);
    if (!boundary_a) {
      for (const Vec3& p : {middle, at_a, at_b}) consider({a, b}, p, false, best);
      return best;
    }
    const Vec3 outward = normal_of(a, b);
    for (const Vec3& p : {middle, at_a, at_b}) consider_pushed({a, b}, p, outward, best);
    return best;
  }

  // Computes what all ways to collapse this edge share.
  void begin_edge(int a, int b) {
    floor_ = std::min(
        {smallest_mean_ratio_around(complex_, a), smallest_mean_ratio_around(complex_, b), options_.least_mean_ratio});
    length_cost_ = length_cost(a, b);
    const double h = std::sqrt(size_of(a) * size_of(b));
    volume_weight_ = options_.snugness * 8.5 / (h * h * h);
    size_here_ = h;
    star_of_ = {-1, -1};
  }

  Vec3 normal_of(int a, int b) const {
    Vec3 sum;
    for (int v : {a, b})
      for (const auto& t : boundary_triangles(complex_, v)) {
        const Vec3 &x = complex_.positions[index(t[0])], &y = complex_.positions[index(t[1])],
                   &z = complex_.positions[index(t[2])];
        sum += cross(y - x, z - x);
      }
    return normalized(sum);
  }

  double cost_of_volume(const Vec3& p) const {
    return volume_weight_ * std::max(0.0, star_.volume_at(p) - star_.volume_before());
  }

  void turn_to(const Merge& merge) {
    if (merge == star_of_) return;
    star_.around_collapsed_edge(merge.kept, merge.gone);
    star_of_ = merge;
  }

  // Takes the collapse if it is possible and cheaper than `best`. `grows`: whether added volume costs. Returns whether
  // it is possible; if only `whether_cheaper` is of interest, maybe false for one that is not.
  bool consider(const Merge& merge, const Vec3& p, bool grows, Collapse& best, bool whether_cheaper = true) {
    turn_to(merge);
    const double ratio = star_.mean_ratio_from(p, floor_);
    if (!(ratio > 0)) return false;
    double cost = length_cost_ + thinness_weight * std::max(0.0, good_mean_ratio / ratio - 1);
    if (grows) cost += cost_of_volume(p);
    const bool cheaper = coarse(cost) < coarse(best.cost);
    if ((!cheaper && whether_cheaper) || !star_.covers(p, failed_)) return false;
    if (cheaper) best = {cost, merge.kept, merge.gone, p};
    return true;
  }

  // True if no collapse to `p`, or farther along `outward`, can cost less than `best` or be allowed.
  bool is_too_dear(const Vec3& p, const Vec3& outward, const Collapse& best) const {
    if (star_.volume_slope(outward) < 0) return false;
    const double least = length_cost_ + cost_of_volume(p);
    return coarse(least) >= coarse(best.cost) || least > options_.highest_cost * (1 + 1e-9);
  }

  // Considers the collapse to `p`, or, where that is not possible, to the nearest possible position along `outward`.
  void consider_pushed(const Merge& merge, const Vec3& p, const Vec3& outward, Collapse& best) {
    turn_to(merge);
    if (is_too_dear(p, outward, best) || consider(merge, p, true, best, false)) return;
    double low = 0, high = first_push * size_here_;
    Collapse pushed;
    pushed.cost = best.cost;
    bool possible = false;
    for (int k = 0; k < pushes && !possible; ++k) {
      if (is_too_dear(p + low * outward, outward, best)) return;
      possible = consider(merge, p + high * outward, true, pushed, false);
      if (possible) break;
      low = high;
      high *= 2;
    }
    for (int k = 0; possible && k < bisections; ++k) {
      if (is_too_dear(p + low * outward, outward, pushed)) break;
      const double middle = 0.5 * (low + high);
      (consider(merge, p + middle * outward, true, pushed, false) ? high : low) = middle;
    }
    if (pushed.kept >= 0) best = pushed;
  }

  TetrahedralComplex& complex_;
  std::span<const double> size_;
  CoarsenOptions options_;
  LinkCondition link_;
  TrialStar star_;
  Merge star_of_;  // the merge that `star_` is about
  // Bounds of the edge that is evaluated: the least mean ratio that is allowed, cost of its length, cost per added
  // volume, and wanted length.
  double floor_ = 0, length_cost_ = 0, volume_weight_ = 0, size_here_ = 0;
  std::vector<int> points_, home_;                             // of apply()
  std::unordered_map<std::uint64_t, Evaluation> evaluations_;  // by edge
  int changes_ = 1;                                            // rises with every collapse
  std::vector<int> touched_;  // per vertex, `changes_` when a tetrahedron around it changed last
  std::vector<int> stamp_;
  std::vector<char> boundary_;
  std::priority_queue<Candidate> queue_;
  int failed_ = -1;  // the point at which the last attempt failed; it is likely to fail again
};

}  // namespace

int coarsen(TetrahedralComplex& complex, std::span<const double> size, const CoarsenOptions& options,
            const Progress& progress) {
  return Coarsening(complex, size, options).run(progress);
}

}  // namespace sinew
