#include "sinew/deform/surface_dynamics/fit_alone.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "sinew/skinning/linear_blend.h"

namespace sinew {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// What is searched for, as roots, so that soft and stiff get their share of it.
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
  std::vector<Vec3> goal, target;  // per frame, metres, world
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

Performance performance_of(const SurfaceModel& model, const SurfaceExample& example, const Turns& turns, std::size_t i) {
  Performance p;
  const std::size_t frames = example.motion.bones.size(), n = model.rest.size();
  const Influences& influences = model.influences[i];
  for (std::size_t t = 0; t < frames; ++t) {
    const float* d = &example.offset[3 * (t * n + i)];
    p.goal.push_back(blended_bone(influences, example.motion.bones[t]) * model.rest[i]);
    p.target.push_back(p.goal.back() + Vec3{d[0], d[1], d[2]});
    p.weight.push_back(example.weight.empty() ? 1 : static_cast<double>(example.weight[t * n + i]));
    if (!turns.empty())
      p.frame.push_back(influences.count > 0 ? turns[t][static_cast<std::size_t>(influences.joint[0])] : Mat3::identity());
  }
  return p;
}

// The sum of weighted squared distances; above `stop`, no more than that.
double performance_error(const Performance& p, const Oscillator& oscillator, double stop) {
  if (p.goal.size() < 2) return 0;
  const Mat3 stiffness = oscillator.stiffness();
  const double damping = oscillator.damping();
  Vec3 x = p.target[0], u = p.goal[1] - p.goal[0];
  double error = 0;
  for (std::size_t t = 0; t + 1 < p.goal.size() && error <= stop; ++t) {
    const Vec3 pull = p.goal[t] - x, along = p.goal[t + 1] - p.goal[t] - u;
    u += p.frame.empty() ? stiffness.m[0] * pull : p.frame[t] * (stiffness * transpose_times(p.frame[t], pull));
    u += damping * along;
    x += u;
    error += p.weight[t + 1] * squared_norm(x - p.target[t + 1]);
  }
  return error;
}

class Search {
 public:
  Search(std::span<const Performance> performances, const FitAloneOptions& options)
      : performances_(performances), options_(options) {}

  Oscillator best() {
    grid();
    // Its own step halves where no neighbour is better: 1/16 down to 1/2048 of the range.
    for (double step = 0.5 / grid_size; step > 1e-3 / 2;)
      if (!improve(step)) step /= 2;
    return best_;
  }

 private:
  static constexpr int grid_size = 16;

  double error(const Oscillator& o) const {
    // The largest eigenvalue is at most the trace, and for the stiffness that flesh has not far from it.
    const Mat3 a = o.stiffness();
    const double largest = options_.anisotropic ? std::min(trace(a), frobenius_norm(a)) : a.m[0];
    if (largest > 1 || largest + 2 * o.damping() > options_.stiffest) return infinite;
    double sum = 0;
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
        if (options_.anisotropic)  // the root of a matrix's norm is what the range is for
          for (const std::size_t k : {0u, 2u, 5u}) o.root[k] /= std::pow(3.0, 0.25);
        take(o);
      }
  }

  bool improve(double step) {
    bool better = false;
    for (std::size_t k = 0; k < unknowns; ++k) {
      if (k == 6 && !options_.damping) continue;
      if (k > 0 && k < 6 && !options_.anisotropic) continue;
      for (const double way : {step, -step}) {
        Oscillator o = best_;
        o.root[k] = std::clamp(o.root[k] + way, -1.0, 1.0);
        if (!options_.anisotropic) o.root[2] = o.root[5] = o.root[0];
        better = take(o) || better;
      }
    }
    return better;
  }

  std::span<const Performance> performances_;
  const FitAloneOptions& options_;
  Oscillator best_;
  double least_ = infinite;
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
  for (const SurfaceExample& example : examples) turns.push_back(options.anisotropic ? bone_turns(example.motion) : Turns{});
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
