// Points of the skin of samples/sumo.glb are dragged, and a template follows (sinew/shape/fit_template.h), in 8,000
// tetrahedra. Processor time of an iteration of the search, and of a cost with its gradient.
#include <benchmark/benchmark.h>

#include <ctime>
#include <filesystem>
#include <memory>
#include <vector>

#include "sinew/base/threads/parallel.h"
#include "sinew/cook/flesh/cook_shapes.h"
#include "sinew/jobs/open_character.h"
#include "sinew/shape/fit_template.h"
#include "sinew/shape/presets.h"

namespace {

using namespace sinew;

struct Sumo {
  OpenedCharacter opened = open_rigged_character(std::filesystem::path(SINEW_SOURCE_DIR) / "samples" / "sumo.glb");
  FleshSettings settings;
  CookedFlesh flesh;
  std::unique_ptr<ShapeBody> body;

  Sumo() {
    settings.tetrahedra = 8000;
    flesh = prepare_flesh(opened.character, settings);
    body = shape_body(flesh, settings);
  }
};

double since(std::clock_t begin) { return 1e3 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC; }

// The skin near a bump on the belly or a biceps is dragged by 2 % of the height, half of it outwards.
void drag(benchmark::State& state, const char* preset, const char* bone, double strain = 1, double stiffness = 1) {
  set_thread_count(1);
  static Sumo sumo;
  Guide guide;
  guide.kind = GuideKind::bone;
  guide.bone = bone;
  const SimulationSurface& surface = sumo.flesh.surface;
  const ShapeRig rig = preset_rigs(shape_preset(preset), "rig", guide, {"flex"}, surface).front();
  ShapeSample start = rig.samples.back();
  start.strain = strain, start.stiffness = stiffness;
  start.eta[amplitude_parameter] = amplitude_for_displacement(rig, start, surface, *sumo.body);
  const ForceField field = rig_field(rig, start.eta, surface);
  const double height = sumo.flesh.height;
  std::vector<DraggedPoint> points;
  for (std::size_t s = 0; s < surface.rest.positions.size() && points.size() < 40; s += 3) {
    const Vec3 away = surface.rest.positions[s] - field.centre;
    if (norm(away) < 1.2 * field.radius)
      points.push_back({static_cast<int>(s),
                        surface.rest.positions[s] + (0.01 * height / norm(away)) * away + Vec3{0, 0.01 * height, 0}});
  }
  const std::vector<Affine> bones(surface.bones.size());
  double iteration_ms = 0, cost_ms = 0;
  TemplateFit fit;
  for (auto _ : state) {
    TemplateFitting fitting(rig, start, points, bones, surface, *sumo.body);
    std::clock_t begin = std::clock();
    fit = fitting.fit();
    iteration_ms = since(begin) / fit.iterations;
    begin = std::clock();
    fitting.cost(fitting.values_of(fit.sample));
    cost_ms = since(begin);
  }
  state.counters["iterations"] = fit.iterations;
  state.counters["iteration_ms"] = iteration_ms;
  state.counters["cost_ms"] = cost_ms;
  state.counters["left_percent"] = 100 * fit.after / height;
}

BENCHMARK_CAPTURE(drag, biceps, "biceps", "upper_arm_l")->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK_CAPTURE(drag, stiff_biceps, "biceps", "upper_arm_l", 0.9, 3.0)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK_CAPTURE(drag, breathing, "breathing", "chest")->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace
