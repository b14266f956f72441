#include "studies/surface/local_drag.h"

#include <algorithm>

namespace sinew {

std::vector<LocalDragRun> local_drag_experiment(const LocalDragOptions& options) {
  const SurfaceTube tube = make_surface_tube({.rings = 61, .columns = 36});
  SurfaceModel model = tube.model;
  const double radius = tube.options.radius;
  const auto held = static_cast<std::size_t>((tube.options.rings / 2) * tube.options.columns);
  const Vec3 place = model.rest[held] + Vec3{0, options.pull * radius, 0};

  std::vector<LocalDragRun> runs{{"loose", {0.02, 0.3, 0.1, 0.2, 0.02}, {}},
                                 {"stiff neighbourhoods", {0.02, 0.8, 0.1, 0.2, 0.02}, {}}};
  for (LocalDragRun& run : runs) {
    std::fill(model.parameters.begin(), model.parameters.end(), run.parameters);
    const std::vector<Affine> bones(1);
    PosedSurface posed;
    pose_surface(model, bones, posed);
    SurfaceState state = rest_in_goal(model, bones, posed, posed), after;
    for (int k = 1; k <= options.steps.back(); ++k) {
      state.position[held] = place;
      state.change[held] = {};
      step_surface(model, posed, posed, state, after);
      std::swap(state, after);
      if (std::find(options.steps.begin(), options.steps.end(), k) == options.steps.end()) continue;
      std::vector<double> largest(static_cast<std::size_t>(options.bins));
      for (std::size_t v = 0; v < model.rest.size(); ++v) {
        if (v == held) continue;
        const double away = distance(model.rest[v], model.rest[held]) / radius;
        const auto bin = std::min(static_cast<std::size_t>(away / options.bin), largest.size() - 1);
        largest[bin] = std::max(largest[bin], distance(state.position[v], model.rest[v]) / (options.pull * radius));
      }
      run.displacement.push_back(std::move(largest));
    }
  }
  return runs;
}

}  // namespace sinew
