#include "studies/surface/falling_tube.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// Height of the bone: it accelerates downward, and then decelerates to a stop within the same time.
double height_at(const FallingTubeOptions& options, double t) {
  const double a = options.acceleration, end = options.accelerates;
  if (t < end) return -0.5 * a * t * t;
  const double u = std::min(t - end, end);
  return -0.5 * a * end * end - a * end * u + 0.5 * a * u * u;
}

FallingTubeFrame measured(const SurfaceTube& tube, std::span<const Vec3> x, double bone_height, double time) {
  FallingTubeFrame frame;
  frame.time = time;
  frame.volume = enclosed_volume(x, tube.rest.triangles) / enclosed_volume(tube.rest.positions, tube.rest.triangles);
  const auto columns = static_cast<std::size_t>(tube.options.columns);
  const std::size_t first = static_cast<std::size_t>(tube.options.rings / 2) * columns;
  double low = HUGE_VAL, high = -HUGE_VAL, left = HUGE_VAL, right = -HUGE_VAL;
  for (std::size_t v = first; v < first + columns; ++v) {
    low = std::min(low, x[v].y), high = std::max(high, x[v].y);
    left = std::min(left, x[v].z), right = std::max(right, x[v].z);
  }
  const double radius = tube.options.radius;
  frame.height = (high - low) / (2 * radius);
  frame.width = (right - left) / (2 * radius);
  frame.below = (bone_height - low) / radius;
  frame.above = (high - bone_height) / radius;
  return frame;
}

}  // namespace

FallingTube falling_tube_experiment(const FallingTubeOptions& options, const Progress& progress) {
  FallingTube experiment;
  experiment.tube = make_surface_tube({});
  SurfaceModel model = experiment.tube.model;
  const auto steps = static_cast<std::size_t>(std::floor(options.seconds / model.step));
  const std::vector<std::size_t> shown{0, static_cast<std::size_t>(std::lround(options.accelerates / model.step)),
                                       static_cast<std::size_t>(std::lround(1.5 * options.accelerates / model.step)),
                                       static_cast<std::size_t>(std::lround(2 * options.accelerates / model.step)),
                                       steps};
  for (const std::size_t k : shown) {
    experiment.shown_times.push_back(static_cast<double>(k) * model.step);
    experiment.bone_offset.push_back({0, height_at(options, experiment.shown_times.back()), 0});
  }
  for (const double gamma : {0.0, options.gamma}) {
    FallingTubeRun& run = experiment.runs.emplace_back();
    run.name = gamma > 0 ? "with spokes" : "without spokes";
    run.gamma = gamma;
    VertexParameters material = options.material;
    material.gamma = gamma;
    std::fill(model.parameters.begin(), model.parameters.end(), material);
    std::vector<Affine> bones(1);
    PosedSurface now, next;
    pose_surface(model, bones, now);
    SurfaceState state = rest_in_goal(model, bones, now, now), after;
    for (std::size_t k = 0; k <= steps; ++k) {
      const double time = static_cast<double>(k) * model.step;
      if (k > 0) {
        bones[0].translation = {0, height_at(options, time), 0};
        pose_surface(model, bones, next);
        step_surface(model, now, next, state, after);
        std::swap(state, after);
        std::swap(now, next);
      }
      run.frames.push_back(measured(experiment.tube, state.position, height_at(options, time), time));
      if (std::find(shown.begin(), shown.end(), k) != shown.end()) run.shown.push_back(state.position);
      report_or_stop(progress, "falling tube", static_cast<double>(k) / static_cast<double>(steps));
    }
  }
  return experiment;
}

}  // namespace sinew
