#include "sinew/mesh/lattice_building/coarsen_collapse.h"
#include "sinew/base/index.h"

#include <algorithm>
#include <cmath>
#include <queue>
#include <vector>

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

struct Collapse {
  double cost = HUGE_VAL;
  int kept = -1, gone = -1;
  Replacement replacement;
  std::vector<int> points, home;
};

enum class Role { free, on_chain, fixed };

class Coarsening {
 public:
  Coarsening(TetrahedralComplex& complex, std::span<const double> size, const CoarsenOptions& options)
      : complex_(complex), size_(size), options_(options), stamp_(complex.positions.size(), 0) {
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
      Collapse collapse = evaluate(candidate.a, candidate.b);
      if (collapse.kept < 0 || collapse.cost > options_.highest_cost) continue;
      const double cost = coarse(collapse.cost);
      if (cost > patience * candidate.cost && !queue_.empty() && cost > queue_.top().cost) {
        candidate.cost = cost;
        queue_.push(candidate);
        continue;
      }
      alive -=
          static_cast<int>(collapse.replacement.removed.size()) - static_cast<int>(collapse.replacement.added.size());
      apply(collapse);
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

  void apply(const Collapse& collapse) {
    const bool boundary = boundary_[index(collapse.kept)] || boundary_[index(collapse.gone)];
    remove_from_chains(complex_, collapse.gone);
    replace(complex_, collapse.replacement, collapse.points, collapse.home);
    boundary_[index(collapse.kept)] = boundary;
    ++stamp_[index(collapse.kept)];
    ++stamp_[index(collapse.gone)];
    for (int w : neighbours(complex_, collapse.kept)) enqueue(std::min(w, collapse.kept), std::max(w, collapse.kept));
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
    if (!collapse_keeps_topology(complex_, a, b)) return best;
    const Vec3 at_a = complex_.positions[index(a)], at_b = complex_.positions[index(b)];
    double before = HUGE_VAL;
    for (int v : {a, b})
      for (int t : complex_.star[index(v)]) before = std::min(before, mean_ratio(complex_.corners(t)));
    const double floor = std::min(before, options_.least_mean_ratio);
    if (role_a != Role::free || role_b != Role::free) {
      if (role_a != Role::free && (role_b == Role::free || role_b == Role::on_chain))
        consider(a, b, at_a, floor, boundary_b, best);
      if (role_b != Role::free && (role_a == Role::free || role_a == Role::on_chain))
        consider(b, a, at_b, floor, boundary_a, best);
      return best;
    }
    if (boundary_a != boundary_b) {
      if (boundary_a)
        consider(a, b, at_a, floor, false, best);
      else
        consider(b, a, at_b, floor, false, best);
      return best;
    }
    const Vec3 middle = 0.5 * (at_a + at_b);
    if (!boundary_a) {
      for (const Vec3& p : {middle, at_a, at_b}) consider(a, b, p, floor, false, best);
      return best;
    }
    const Vec3 outward = normal_of(a, b);
    for (const Vec3& p : {middle, at_a, at_b}) consider_pushed(a, b, p, outward, floor, best);
    return best;
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

  // Takes the collapse if it is possible and cheaper than `best`. `covers`: whether points might end up outside.
  bool consider(int kept, int gone, const Vec3& p, double floor, bool covers, Collapse& best) {
    Collapse collapse;
    collapse.kept = kept;
    collapse.gone = gone;
    collapse.replacement = collapsed_edge(complex_, kept, gone, p);
    const double ratio = smallest_mean_ratio(collapse.replacement);
    if (!(coarse(ratio) >= coarse(floor)) || !(ratio > 0)) return false;
    if (!distribute_points(complex_, collapse.replacement, collapse.points, collapse.home, &failed_)) return false;
    const double h = std::sqrt(size_of(kept) * size_of(gone));
    collapse.cost = length_cost(kept, gone) + thinness_weight * std::max(0.0, good_mean_ratio / ratio - 1);
    if (covers)
      collapse.cost +=
          options_.snugness * 8.5 * std::max(0.0, volume_added(complex_, collapse.replacement)) / (h * h * h);
    if (coarse(collapse.cost) < coarse(best.cost)) best = std::move(collapse);
    return true;
  }

  void consider_pushed(int kept, int gone, const Vec3& p, const Vec3& outward, double floor, Collapse& best) {
    if (consider(kept, gone, p, floor, true, best)) return;
    const double h = std::sqrt(size_of(kept) * size_of(gone));
    double low = 0, high = first_push * h;
    Collapse pushed;
    for (int k = 0; k < pushes && !consider(kept, gone, p + high * outward, floor, true, pushed); ++k) {
      low = high;
      high *= 2;
    }
    if (pushed.kept < 0) return;
    for (int k = 0; k < bisections; ++k) {
      const double middle = 0.5 * (low + high);
      (consider(kept, gone, p + middle * outward, floor, true, pushed) ? high : low) = middle;
    }
    if (coarse(pushed.cost) < coarse(best.cost)) best = std::move(pushed);
  }

  TetrahedralComplex& complex_;
  std::span<const double> size_;
  CoarsenOptions options_;
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
