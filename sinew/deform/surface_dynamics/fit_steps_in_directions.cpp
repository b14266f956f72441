#include "sinew/deform/surface_dynamics/fit_steps_in_directions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "sinew/deform/surface_dynamics/example_frames.h"
#include "sinew/deform/surface_dynamics/fit_alone.h"

namespace sinew {
namespace {

constexpr std::size_t directions = 6, unknowns = 10;  // entries of the matrix, then beta, gamma, lambda, delta
constexpr double out_of_range = 1e-6;                 // which rounding is not
constexpr double singular = 1e-12;                    // pivot, of the diagonal's entry before elimination

using Unknowns = std::array<double, unknowns>;

struct Equations {
  std::array<Unknowns, unknowns> a{};  // lower triangle
  Unknowns b{};
};

// Displacements of one step by each unknown: Q E_k Q^T (g - x), E_k the symmetric matrices of one entry each, and the
// rest.
std::array<Vec3, unknowns> columns_of(const Mat3& q, const Vec3& pull, const TermArray& terms) {
  const Vec3 p = transpose_times(q, pull);
  return {q * Vec3{p.x, 0, 0},
          q * Vec3{0, p.y, 0},
          q * Vec3{0, 0, p.z},
          q * Vec3{p.y, p.x, 0},
          q * Vec3{p.z, 0, p.x},
          q * Vec3{0, p.z, p.y},
          terms[1],
          terms[2],
          terms[3],
          terms[4]};
}

void add_example(const SurfaceModel& model, const SurfaceExample& example, std::vector<Equations>& equations) {
  const ExampleFrames frames(model, example);
  PoseTriple pose;
  if (frames.count() < 2) return;
  frames.pose(0, pose.now);
  for (std::size_t t = 0; t + 1 < frames.count(); ++t) {
    frames.pose(t + 1, pose.next);
    SurfaceState state = frames.state(t, &pose.before, pose.now, pose.next);
    const SurfaceMoment moment = moment_of(model, state, pose.now, pose.next);
    parallel_for(model.rest.size(), surface_grain, [&](std::size_t i) {
      const TermArray terms = vertex_terms(model, moment, i, state.rotation[i]);
      const Vec3 pull = pose.now.goal[i] - state.position[i];
      const auto columns = columns_of(restoration_frame(model, moment, i), pull, terms);
      const Vec3 residual = pose.next.goal[i] + frames.offset(t + 1, i) - state.position[i] - state.change[i];
      const double w = frames.weight(t + 1, i);
      Equations& e = equations[i];
      for (std::size_t a = 0; a < unknowns; ++a) {
        e.b[a] += w * dot(columns[a], residual);
        for (std::size_t b = 0; b <= a; ++b) e.a[a][b] += w * dot(columns[a], columns[b]);
      }
    });
    pose.advance();
  }
}

// By Cholesky; unknowns that the others leave nothing for are zero.
Unknowns least_squares(const Equations& equations, std::size_t used) {
  std::array<Unknowns, unknowns> l{};
  std::array<bool, unknowns> regular{};
  Unknowns y{}, x{};
  for (std::size_t i = 0; i < used; ++i) {
    double pivot = equations.a[i][i], right = equations.b[i];
    for (std::size_t j = 0; j < i; ++j) {
      if (!regular[j]) continue;
      double sum = equations.a[i][j];
      for (std::size_t k = 0; k < j; ++k) sum -= l[i][k] * l[j][k];
      l[i][j] = sum / l[j][j];
      pivot -= l[i][j] * l[i][j];
      right -= l[i][j] * y[j];
    }
    regular[i] = pivot > singular * equations.a[i][i];
    if (!regular[i]) {
      l[i] = {};
      continue;
    }
    l[i][i] = std::sqrt(pivot);
    y[i] = right / l[i][i];
  }
  for (std::size_t i = used; i-- > 0;) {
    if (!regular[i]) continue;
    double sum = y[i];
    for (std::size_t k = i + 1; k < used; ++k) sum -= l[k][i] * x[k];
    x[i] = sum / l[i][i];
  }
  return x;
}

bool is_positive_semidefinite(const Mat3& a) {
  const auto minor = [&](std::size_t i, std::size_t j) { return a(i, i) * a(j, j) - a(i, j) * a(i, j); };
  const double size = std::max(trace(a), 0.0);
  return std::min({a(0, 0), a(1, 1), a(2, 2)}) >= 0 && std::min({minor(0, 1), minor(0, 2), minor(1, 2)}) >= 0 &&
         determinant(a) >= -out_of_range * size * size * size;
}

void solve(const Equations& equations, std::size_t i, bool damping, double stiffest, SurfaceModel& model) {
  const Unknowns x = least_squares(equations, damping ? unknowns : unknowns - 1);
  const Mat3 restoration = {{x[0], x[3], x[4], x[3], x[1], x[5], x[4], x[5], x[2]}};
  if (!(trace(restoration) > 0) || !is_positive_semidefinite(restoration)) return;
  std::array<double, surface_parameters> p{};
  for (std::size_t k = 1; k < surface_parameters; ++k) {
    const double value = x[directions - 1 + k];
    if (!(value >= -out_of_range && value <= largest_parameter[k] + out_of_range)) return;
    p[k] = std::clamp(value, 0.0, largest_parameter[k]);
  }
  const double load = trace(restoration) + 2 * p[1] + p[2] + 2 * (2 * p[3] + p[4]);
  const double s = load > stiffest ? stiffest / load : 1;
  model.parameters[i] = {0, s * p[1], s * p[2], s * p[3], s * p[4]};
  set_restoration(model, i, restoration * s);
}

}  // namespace

void fit_to_steps_in_directions(SurfaceModel& model, std::span<const SurfaceExample> examples, bool damping,
                                double stiffest) {
  model.shape.resize(model.rest.size());
  std::vector<Equations> equations(model.rest.size());
  for (const SurfaceExample& example : examples) add_example(model, example, equations);
  parallel_for(model.rest.size(), surface_grain,
               [&](std::size_t i) { solve(equations[i], i, damping, stiffest, model); });
}

}  // namespace sinew
