#include "sinew/deform/surface/fit/surface_error.h"

#include <algorithm>

#include "sinew/deform/surface/fit/example_frames.h"

namespace sinew {
namespace {

// Per vertex, summed over steps without regard to threads: each vertex has its own.
struct VertexSums {
  std::vector<double> error, weight, goal;
  explicit VertexSums(std::size_t n) : error(n), weight(n), goal(n) {}
  SurfaceError total(std::span<const SurfaceExample> examples) const {
    SurfaceError sum;
    for (const SurfaceExample& example : examples) sum.goal_sum += std::max(example.rig_sum, 0.0);
    for (std::size_t i = 0; i < error.size(); ++i) {
      sum.sum += error[i];
      sum.weights += weight[i];
      sum.goal_sum += goal[i];
    }
    return sum;
  }
};

BoxQuadratic<surface_parameters> empty_equations() {
  BoxQuadratic<surface_parameters> q;
  q.upper = largest_parameter;
  return q;
}

// Adds w |sum_k p_k T_k - r|^2 as a function of the parameters p.
void add_residual(BoxQuadratic<surface_parameters>& q, const TermArray& terms, const Vec3& r, double w) {
  for (std::size_t a = 0; a < surface_parameters; ++a) {
    q.b[a] += w * dot(terms[a], r);
    for (std::size_t b = 0; b < surface_parameters; ++b) q.a[a][b] += w * dot(terms[a], terms[b]);
  }
}

// Residuals of one step of one vertex as functions of the parameters (eq. 16, and the velocities').
void add_step(BoxQuadratic<surface_parameters>& q, const TermArray& terms, const Vec3& position, const Vec3& change,
              const Vec3& target, const Vec3& target_change, double w, double velocity_share) {
  add_residual(q, terms, target - position - change, w);
  if (velocity_share > 0) add_residual(q, terms, target_change - change, w * velocity_share);
}

bool starts_window(std::size_t frame, const SurfaceErrorOptions& options) {
  return frame == 0 || (options.window > 0 && frame % static_cast<std::size_t>(options.window) == 0);
}

void walk(const SurfaceModel& model, const SurfaceExample& example, const SurfaceErrorOptions& options,
          bool from_example, SurfaceNormalEquations* equations, VertexSums& sums) {
  const ExampleFrames frames(model, example);
  if (frames.count() < 2) return;
  const double share = velocity_share(model, options);
  PoseTriple pose;
  frames.pose(0, pose.now);
  SurfaceState state, after;
  for (std::size_t t = 0; t + 1 < frames.count(); ++t) {
    frames.pose(t + 1, pose.next);
    if (from_example || starts_window(t, options)) state = frames.state(t, &pose.before, pose.now, pose.next);
    step_surface(model, pose.now, pose.next, state, after, [&](std::size_t i, const TermArray& terms) {
      const double w = frames.weight(t + 1, i);
      const double range = inverse_squared_range(model, i);
      if (equations) {
        const Vec3 target = pose.next.goal[i] + frames.offset_behind_it(t + 1, i);
        add_step((*equations)[i], terms, state.position[i], state.change[i], target,
                 target - pose.now.goal[i] - frames.offset_behind_it(t, i), w, share);
      }
      const Vec3 off = shown_offset(after.position[i] - pose.next.goal[i], range) - frames.offset(t + 1, i);
      sums.error[i] += w * squared_norm(off);
      if (share > 0) {
        const Vec3 target_change = pose.next.goal[i] - pose.now.goal[i] + frames.offset(t + 1, i) - frames.offset(t, i);
        sums.error[i] += w * share * squared_norm(after.change[i] - target_change);
      }
      sums.goal[i] += w * frames.goal_error(t + 1, i);
      sums.weight[i] += w;
    });
    std::swap(state, after);
    pose.advance();
  }
}

}  // namespace

double velocity_share(const SurfaceModel& model, const SurfaceErrorOptions& options) {
  const double ratio = options.velocity_weight / model.step;
  return ratio * ratio;
}

SurfaceError goal_error(const SurfaceModel& model, std::span<const SurfaceExample> examples) {
  VertexSums sums(model.rest.size());
  for (const SurfaceExample& example : examples) {
    const ExampleFrames frames(model, example);
    parallel_for(model.rest.size(), surface_grain, [&](std::size_t i) {
      for (std::size_t t = 1; t < frames.count(); ++t) {
        const double w = frames.weight(t, i);
        sums.goal[i] += w * frames.goal_error(t, i);
        sums.weight[i] += w;
      }
    });
  }
  return sums.total(examples);
}

SurfaceError surface_error(const SurfaceModel& model, std::span<const SurfaceExample> examples,
                           const SurfaceErrorOptions& options, SurfaceNormalEquations* equations) {
  if (equations) equations->assign(model.rest.size(), empty_equations());
  VertexSums sums(model.rest.size());
  for (const SurfaceExample& example : examples) walk(model, example, options, false, equations, sums);
  return sums.total(examples);
}

void equations_at_examples(const SurfaceModel& model, std::span<const SurfaceExample> examples,
                           const SurfaceErrorOptions& options, SurfaceNormalEquations& equations) {
  equations.assign(model.rest.size(), empty_equations());
  VertexSums sums(model.rest.size());
  for (const SurfaceExample& example : examples) walk(model, example, options, true, &equations, sums);
}

}  // namespace sinew
