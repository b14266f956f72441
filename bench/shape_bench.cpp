// Points of the skin of samples/sumo.glb are dragged, and a template follows (sinew/shape/fit_template.h), in 8,000
// tetrahedra, or in a control lattice of 400 cells. Processor time of an iteration of the search, and of a cost with
// its gradient. Forces for a target shape are found in the same lattice.
#include <benchmark/benchmark.h>

#include <cmath>
#include <ctime>
#include <filesystem>
#include <map>
#include <memory>
#include <vector>

#include "sinew/base/threads/parallel.h"
#include "sinew/cook/flesh/cook_shapes.h"
#include "sinew/cook/lattice/build_lattice.h"
#include "sinew/cook/lattice/prepare_lattice.h"
#include "sinew/jobs/open_character.h"
#include "sinew/shape/fit_skin.h"
#include "sinew/shape/fit_template.h"
#include "sinew/shape/presets.h"

namespace {

using namespace sinew;

struct Subject {
  OpenedCharacter opened = open_rigged_character(std::filesystem::path(SINEW_SOURCE_DIR) / "samples" / "sumo.glb");
  FleshSettings settings;
  CookedFlesh flesh;
  std::unique_ptr<ShapeBody> body;

  // `cells`: of a control lattice that the flesh moves in; 0: it moves in tetrahedra.
  explicit Subject(int cells) {
    settings.tetrahedra = 8000;
    if (cells > 0) settings.lattice.file = auto_lattice;
    flesh = prepare_flesh(opened.character, settings);
    if (cells == 0) {
      body = shape_body(flesh, settings);
      return;
    }
    const ControlLattice lattice = build_lattice(opened.character, flesh.surface, {cells}).lattice;
    flesh.lattice = prepare_lattice(flesh, lattice, settings);
    body = shape_body(flesh, settings, &lattice);
  }
};

Subject& sumo(int cells) {
  static std::map<int, std::unique_ptr<Subject>> made;
  std::unique_ptr<Subject>& subject = made[cells];
  if (!subject) subject = std::make_unique<Subject>(cells);
  return *subject;
}

double since(std::clock_t begin) { return 1e3 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC; }

// The skin near a bump on the belly or a biceps is dragged by 2 % of the height, half of it outwards.
void drag(benchmark::State& state, const char* preset, const char* bone, double strain = 1, double stiffness = 1,
          int cells = 0) {
  set_thread_count(1);
  Subject& subject = sumo(cells);
  Guide guide;
  guide.kind = GuideKind::bone;
  guide.bone = bone;
  const SimulationSurface& surface = subject.flesh.surface;
  const ShapeRig rig = preset_rigs(shape_preset(preset), "rig", guide, {"flex"}, surface).front();
  ShapeSample start = rig.samples.back();
  start.strain = strain, start.stiffness = stiffness;
  start.eta[amplitude_parameter] = amplitude_for_displacement(rig, start, surface, *subject.body);
  const ForceField field = rig_field(rig, start.eta, surface);
  const double height = subject.flesh.height;
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
    TemplateFitting fitting(rig, start, points, bones, surface, *subject.body);
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

BENCHMARK_CAPTURE(drag, biceps_in_lattice, "biceps", "upper_arm_l", 1.0, 1.0, 400)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);

// Forces for a swollen belly are found in a control lattice of 400 cells, and the
// processor time of that on one thread.
void fit_in_lattice(benchmark::State& state) {
  set_thread_count(1);
  Subject& subject = sumo(400);
  const SimulationSurface& surface = subject.flesh.surface;
  Vec3 navel;
  for (const Vec3& x : surface.rest.positions)
    if (std::abs(x.x) < 0.1 && x.z > navel.z) navel = x;
  std::vector<Vec3> target = surface.rest.positions;
  for (Vec3& x : target)
    x += 0.03 * subject.flesh.height * bell(distance(x, navel), 0.45) * normalized(x - navel + Vec3{0, 0, 0.6});
  const std::vector<Affine> bones(surface.bones.size());
  const auto statics = static_flesh(subject.flesh, subject.settings);
  SkinFit fit;
  double seconds = 0;
  for (auto _ : state) {
    const std::clock_t begin = std::clock();
    fit = fit_skin(*statics, surface, bones, vertex_targets(target), false);
    seconds = since(begin) / 1e3;
  }
  state.counters["vertices"] = static_cast<double>(target.size());
  state.counters["functions"] = static_cast<double>(statics->free_points().size());
  state.counters["seconds"] = seconds;
  state.counters["left_percent"] = 100 * fit.after.rms / subject.flesh.height;
}
BENCHMARK(fit_in_lattice)->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace
