#include "sinew/deform/surface/fit/fit_steps_in_directions.h"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "sinew/deform/surface/fit/example_frames.h"
#include "sinew/deform/surface/fit/fit_alone.h"
#include "sinew/deform/surface/fit/stability.h"

namespace sinew {
namespace {

constexpr std::size_t directions = 6,
                      direction_unknowns = 10;  // entries of the matrix, then beta, gamma, lambda, delta
constexpr double out_of_range = 1e-6;           // which rounding is not

using DirectionUnknowns = std::array<double, direction_unknowns>;

using Equations = BoxQuadratic<direction_unknowns>;

// Displacements of one step by each unknown: Q E_k Q^T (g - x), E_k the symmetric matrices of one entry each, and the
// rest.
std::array<Vec3, direction_unknowns> columns_of(const Mat3& q, const Vec3& pull, const TermArray& terms) {
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
      const Vec3 residual = pose.next.goal[i] + frames.offset_behind_it(t + 1, i) - state.position[i] - state.change[i];
      const double w = frames.weight(t + 1, i);
      Equations& e = equations[i];
      for (std::size_t a = 0; a < direction_unknowns; ++a) {
        e.b[a] += w * dot(columns[a], residual);
        for (std::size_t b = 0; b < direction_unknowns; ++b) e.a[a][b] += w * dot(columns[a], columns[b]);
      }
    });
    pose.advance();
  }
}

bool is_positive_semidefinite(const Mat3& a) {
  const auto minor = [&](std::size_t i, std::size_t j) { return a(i, i) * a(j, j) - a(i, j) * a(i, j); };
  const double size = std::max(trace(a), 0.0);
  return std::min({a(0, 0), a(1, 1), a(2, 2)}) >= 0 && std::min({minor(0, 1), minor(0, 2), minor(1, 2)}) >= 0 &&
         determinant(a) >= -out_of_range * size * size * size;
}

// Without bounds; unknowns that the others leave nothing for stay zero.
DirectionUnknowns least_squares(Equations& equations, bool damping) {
  equations.lower.fill(-std::numeric_limits<double>::infinity());
  equations.upper.fill(std::numeric_limits<double>::infinity());
  if (!damping) equations.lower.back() = equations.upper.back() = 0;
  return minimize(equations, DirectionUnknowns{});
}

void solve(Equations& equations, std::size_t i, bool damping, double stiffest, SurfaceModel& model) {
  const DirectionUnknowns x = least_squares(equations, damping);
  const Mat3 restoration = {{x[0], x[3], x[4], x[3], x[1], x[5], x[4], x[5], x[2]}};
  if (!(trace(restoration) > 0) || !is_positive_semidefinite(restoration)) return;
  std::array<double, surface_parameters> p{};  // without alpha
  for (std::size_t k = 1; k < surface_parameters; ++k) {
    const double value = x[directions - 1 + k];
    if (!(value >= -out_of_range && value <= largest_parameter[k] + out_of_range)) return;
    p[k] = std::clamp(value, 0.0, largest_parameter[k]);
  }
  // The trace is no less than the largest eigenvalue.
  const double s = stable_share(trace(restoration) + stability_load(to_parameters(p)), stiffest);
  model.parameters[i] = scaled(to_parameters(p), s);
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
