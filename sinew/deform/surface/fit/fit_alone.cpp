#include "sinew/deform/surface/fit/fit_alone.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "sinew/deform/surface/fit/example_frames.h"
#include "sinew/linalg/bounded/box_quadratic.h"
#include "sinew/rig/linear_blend.h"

namespace sinew {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// The unknowns of the search, as roots, so that soft and stiff values are sampled evenly.
constexpr std::size_t unknowns = 7;
struct Oscillator {
  std::array<double, unknowns> root{};  // lower triangle of L with A = L L^T: xx, xy, yy, xz, yz, zz; then delta's
  Mat3 stiffness() const {
    const Mat3 l = {{root[0], 0, 0, root[1], root[2], 0, root[3], root[4], root[5]}};
    return l * transpose(l);
  }
  double damping() const { return root[6] * root[6]; }
};

Oscillator isotropic(double stiffness_root, double damping_root) {
  return {{stiffness_root, 0, stiffness_root, 0, 0, stiffness_root, damping_root}};
}

// One vertex over one example.
struct Performance {
  std::vector<Vec3> goal, offset;  // per frame, metres, world: the example's from the goal
  Vec3 begin;                      // of the simulation, from the goal
  double range = 0;                // inverse_squared_range()
  std::vector<double> weight;      // per frame
  std::vector<Mat3> frame;         // per frame: Q; empty: the same stiffness in all directions
};

using Turns = std::vector<std::vector<Mat3>>;  // per frame and bone

Turns bone_turns(const SurfaceMotion& motion) {
  Turns turns(motion.bones.size());
  parallel_for(turns.size(), 1, [&](std::size_t t) {
    for (const Affine& bone : motion.bones[t]) turns[t].push_back(closest_rotation(bone.linear));
  });
  return turns;
}

Performance performance_of(const SurfaceModel& model, const SurfaceExample& example, const Turns& turns,
                           std::size_t i) {
  Performance p;
  const ExampleFrames frames(model, example);
  const Influences& influences = model.influences[i];
  if (frames.count() > 0) p.begin = frames.offset_behind_it(0, i);
  p.range = inverse_squared_range(model, i);
  for (std::size_t t = 0; t < frames.count(); ++t) {
    p.goal.push_back(blended_bone(influences, frames.bones(t)) * model.rest[i]);
    p.offset.push_back(frames.offset(t, i));
    p.weight.push_back(frames.weight(t, i));
    if (!turns.empty())
      p.frame.push_back(influences.count > 0 ? turns[t][static_cast<std::size_t>(influences.joint[0])]
                                             : Mat3::identity());
  }
  return p;
}

// The sum of weighted squared distances; above `stop`, no more than that.
double performance_error(const Performance& p, const Oscillator& oscillator, double stop) {
  if (p.goal.size() < 2) return 0;
  const Mat3 stiffness = oscillator.stiffness();
  const double damping = oscillator.damping();
  Vec3 x = p.goal[0] + p.begin, u = p.goal[1] - p.goal[0];
  double error = 0;
  for (std::size_t t = 0; t + 1 < p.goal.size() && error <= stop; ++t) {
    const Vec3 pull = p.goal[t] - x, along = p.goal[t + 1] - p.goal[t] - u;
    u += p.frame.empty() ? stiffness.m[0] * pull : p.frame[t] * (stiffness * transpose_times(p.frame[t], pull));
    u += damping * along;
    x += u;
    error += p.weight[t + 1] * squared_norm(shown_offset(x - p.goal[t + 1], p.range) - p.offset[t + 1]);
  }
  return error;
}

// Normal equations of the residuals in the roots: J^T J and J^T r, r = target - x.
struct LeastSquares {
  std::array<std::array<double, unknowns>, unknowns> matrix{};
  std::array<double, unknowns> right_side{};
  double error = 0;
};

// Selection of the roots that are unknown.
struct VertexUnknowns {
  bool anisotropic = true, damping = true;
  bool holds(std::size_t k) const { return k == 6 ? damping : k == 0 || anisotropic; }
};

// How the pull A y of a displacement y, in the frame of A, changes with root k of its factor L: A = L L^T.
Vec3 pull_by_root(const Oscillator& o, const VertexUnknowns& unknown, const Vec3& y, std::size_t k) {
  if (!unknown.anisotropic) return 2 * o.root[0] * y;
  constexpr std::array<std::array<std::size_t, 2>, 6> entry = {{{0, 0}, {1, 0}, {1, 1}, {2, 0}, {2, 1}, {2, 2}}};
  const auto [i, j] = entry[k];
  const Mat3 l = {{o.root[0], 0, 0, o.root[1], o.root[2], 0, o.root[3], o.root[4], o.root[5]}};
  Vec3 change = l.column(j) * y[i];  // L e_j e_i^T y
  change[i] += dot(l.column(j), y);  // e_i e_j^T L^T y
  return change;
}

void add_performance(const Performance& p, const Oscillator& oscillator, const VertexUnknowns& unknown,
                     LeastSquares& sums) {
  if (p.goal.size() < 2) return;
  const Mat3 stiffness = oscillator.stiffness();
  const double damping = oscillator.damping();
  Vec3 x = p.goal[0] + p.begin, u = p.goal[1] - p.goal[0];
  std::array<Vec3, unknowns> dx{}, du{};  // by each root
  for (std::size_t t = 0; t + 1 < p.goal.size(); ++t) {
    const Mat3 q = p.frame.empty() ? Mat3::identity() : p.frame[t];
    const Mat3 in_world = p.frame.empty() ? stiffness : q * stiffness * transpose(q);
    const Vec3 pull = p.goal[t] - x, along = p.goal[t + 1] - p.goal[t] - u, local = transpose_times(q, pull);
    for (std::size_t k = 0; k < unknowns; ++k) {
      if (!unknown.holds(k)) continue;
      const Vec3 forced = k == 6 ? 2 * oscillator.root[6] * along : q * pull_by_root(oscillator, unknown, local, k);
      du[k] += forced - in_world * dx[k] - damping * du[k];
      dx[k] += du[k];
    }
    u += in_world * pull + damping * along;
    x += u;
    const Vec3 away = x - p.goal[t + 1], residual = p.offset[t + 1] - shown_offset(away, p.range);
    const double w = p.weight[t + 1];
    sums.error += w * squared_norm(residual);
    std::array<Vec3, unknowns> by = dx;
    if (p.range > 0)
      for (Vec3& v : by) v = shown_offset_derivative(away, p.range, v);
    for (std::size_t a = 0; a < unknowns; ++a) {
      sums.right_side[a] += w * dot(by[a], residual);
      for (std::size_t b = 0; b <= a; ++b) sums.matrix[a][b] += w * dot(by[a], by[b]);
    }
  }
}

class Search {
 public:
  Search(std::span<const Performance> performances, const FitAloneOptions& options)
      : performances_(performances), options_(options), unknown_{options.anisotropic, options.damping} {}

  Oscillator best() {
    grid();
    centre_ = best_;
    for (const Performance& p : performances_)
      for (std::size_t t = 1; t < p.goal.size(); ++t) prior_ += p.weight[t] * squared_norm(p.offset[t]);
    prior_ *= options_.caution;
    refine();
    return best_;
  }

 private:
  static constexpr int grid_size = 12;
  static constexpr int most_refinements = 30;

  bool is_stable(const Oscillator& o) const {
    // No eigenvalue is above the matrix's norm.
    const Mat3 a = o.stiffness();
    const double largest = options_.anisotropic ? frobenius_norm(a) : a.m[0];
    return largest <= 1 && largest + 2 * o.damping() <= options_.stiffest && o.damping() <= 1;
  }

  double error(const Oscillator& o) const {
    if (!is_stable(o)) return infinite;
    double sum = 0;
    for (std::size_t k = 0; k < 6; ++k) sum += prior_ * (o.root[k] - centre_.root[k]) * (o.root[k] - centre_.root[k]);
    for (const Performance& p : performances_) sum += performance_error(p, o, least_ - sum);
    return sum;
  }

  bool take(const Oscillator& o) {
    const double e = error(o);
    if (!(e < least_)) return false;
    least_ = e;
    best_ = o;
    return true;
  }

  void grid() {
    best_ = isotropic(0.5, options_.damping ? 0.5 : 0);
    for (int a = 0; a < grid_size; ++a)
      for (int d = 0; d < (options_.damping ? grid_size : 1); ++d) {
        Oscillator o = isotropic((a + 0.5) / grid_size, options_.damping ? (d + 1.0) / grid_size : 0);
        if (options_.anisotropic)  // the norm of the identity is sqrt(3)
          for (const std::size_t k : {0u, 2u, 5u}) o.root[k] /= std::pow(3.0, 0.25);
        take(o);
      }
  }

  // Levenberg and Marquardt.
  void refine() {
    double damping = 1e-3;
    for (int round = 0; round < most_refinements && damping < 1e8; ++round) {
      LeastSquares sums;
      for (const Performance& p : performances_) add_performance(p, best_, unknown_, sums);
      const double before = least_;
      bool better = false;
      while (!better && damping < 1e8) {
        better = take(stepped(sums, damping));
        damping *= better ? 0.2 : 8;
      }
      if (!better || before - least_ < options_.tolerance * before) return;
    }
  }

  Oscillator stepped(const LeastSquares& sums, double damping) const {
    BoxQuadratic<unknowns> step;
    for (std::size_t a = 0; a < unknowns; ++a) {
      step.b[a] = sums.right_side[a];
      for (std::size_t b = 0; b < unknowns; ++b) step.a[a][b] = a >= b ? sums.matrix[a][b] : sums.matrix[b][a];
      if (a < 6) {
        step.b[a] += prior_ * (centre_.root[a] - best_.root[a]);
        step.a[a][a] += prior_;
      }
      step.a[a][a] = step.a[a][a] * (1 + damping) + 1e-30;
      const bool free = unknown_.holds(a);
      step.lower[a] = free ? -1 - best_.root[a] : 0;
      step.upper[a] = free ? 1 - best_.root[a] : 0;
    }
    const std::array<double, unknowns> by = minimize(step, {});
    Oscillator o = best_;
    for (std::size_t a = 0; a < unknowns; ++a) o.root[a] += by[a];
    if (!unknown_.anisotropic) o.root[2] = o.root[5] = o.root[0];
    return o;
  }

  std::span<const Performance> performances_;
  const FitAloneOptions& options_;
  VertexUnknowns unknown_;
  Oscillator best_;
  double least_ = infinite;
  // Regularisation towards the best isotropic value: prior_ |roots - centre's|^2 is added to the error. Without it
  // flesh that an example moves in one direction only is left limp in the others.
  Oscillator centre_;
  double prior_ = 0;
};

}  // namespace

void set_restoration(SurfaceModel& model, std::size_t vertex, const Mat3& stiffness) {
  const double mean = trace(stiffness) / 3;
  model.parameters[vertex].alpha = mean;
  if (model.shape.empty()) return;
  const Mat3 s = mean > 0 ? stiffness * (1 / mean) : Mat3::identity();
  model.shape[vertex] = {s(0, 0), s(1, 1), s(2, 2), s(0, 1), s(0, 2), s(1, 2)};
}

void fit_alone(SurfaceModel& model, std::span<const SurfaceExample> examples, const FitAloneOptions& options,
               const std::function<void(double)>& report) {
  const std::size_t n = model.rest.size();
  model.parameters.assign(n, {.alpha = 1, .delta = 1});
  model.shape.assign(options.anisotropic ? n : 0, {});
  std::vector<Turns> turns;
  for (const SurfaceExample& example : examples)
    turns.push_back(options.anisotropic ? bone_turns(example.motion) : Turns{});
  constexpr std::size_t vertices_between_reports = 2048;
  for (std::size_t first = 0; first < n; first += vertices_between_reports) {
    const std::size_t count = std::min(vertices_between_reports, n - first);
    parallel_for(count, 8, [&](std::size_t k) {
      const std::size_t i = first + k;
      std::vector<Performance> performances;
      for (std::size_t e = 0; e < examples.size(); ++e)
        performances.push_back(performance_of(model, examples[e], turns[e], i));
      const Oscillator o = Search(performances, options).best();
      model.parameters[i] = {.delta = o.damping()};
      set_restoration(model, i, o.stiffness());
    });
    if (report) report(static_cast<double>(first + count) / static_cast<double>(n));
  }
}

}  // namespace sinew
