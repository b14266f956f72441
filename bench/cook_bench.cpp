// From a character that was read to flesh that can move: a cook from nothing, another number of tetrahedra or cells,
// and the automatic lattice alone. SINEW_CHARACTERS names the folder of further characters. Processor time is that of
// all threads.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "sinew/base/threads/parallel.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/cook/cook.h"
#include "sinew/cook/flesh/flesh_method.h"
#include "sinew/cook/lattice/build_lattice.h"
#include "sinew/jobs/open_character.h"

namespace {

using namespace sinew;

constexpr const char *wrestler = "sumo.glb", *elephant = "elephant.glb", *pigman = "gltf/pigman/pigman.gltf";

// Only one is kept at a time; null if there is no such file.
const Character* character_of(const std::string& file) {
  static std::string kept;
  static OpenedCharacter opened;
  if (kept == file) return &opened.character;
  const std::filesystem::path root = SINEW_SOURCE_DIR;
  const char* folder = std::getenv("SINEW_CHARACTERS");
  std::filesystem::path path = root / "samples" / file;
  if (!std::filesystem::exists(path))
    path = (folder != nullptr ? std::filesystem::path(folder) : root / ".." / "shared" / "characters") / file;
  if (!std::filesystem::exists(path)) return nullptr;
  opened = open_rigged_character(path);
  kept = file;
  return &opened.character;
}

void open(benchmark::State& state, const char* file) {
  const Character* character = character_of(file);
  if (!character) return state.SkipWithError("there is no such character");
  for (auto _ : state) {
    CookCache cache;
    benchmark::DoNotOptimize(cook(FleshMethod(), {*character, {0}, false, {1, 0}}, cache));
  }
}

// `cells`: of the automatic lattice rather than of the tetrahedra.
void another_number(benchmark::State& state, const char* file, bool cells) {
  const Character* character = character_of(file);
  if (!character) return state.SkipWithError("there is no such character");
  CookCache cache;
  FleshMethod method;
  if (cells) method.values.lattice.file = auto_lattice;
  cook(method, {*character, {0}, false, {1, 0}}, cache);
  bool other = true;
  for (auto _ : state) {
    method.values.tetrahedra = other && !cells ? 7000 : 8000;
    method.values.lattice.cells = other && cells ? 350 : 400;
    other = !other;
    benchmark::DoNotOptimize(cook(method, {*character, {0}, false, {1, 0}}, cache));
  }
}

void lattice(benchmark::State& state, const char* file) {
  const Character* character = character_of(file);
  if (!character) return state.SkipWithError("there is no such character");
  const SimulationSurface surface = simulation_surface(*character);
  double cells = 0;
  for (auto _ : state) cells = static_cast<double>(build_lattice(*character, surface, {400}).measures.cells);
  state.counters["cells"] = cells;
}

#define COOK_BENCHMARK(...) \
  BENCHMARK_CAPTURE(__VA_ARGS__)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime()
COOK_BENCHMARK(open, wrestler, wrestler);
COOK_BENCHMARK(another_number, tetrahedra_wrestler, wrestler, false);
COOK_BENCHMARK(another_number, cells_wrestler, wrestler, true);
COOK_BENCHMARK(lattice, wrestler, wrestler);
COOK_BENCHMARK(open, elephant, elephant);
COOK_BENCHMARK(another_number, tetrahedra_elephant, elephant, false);
COOK_BENCHMARK(another_number, cells_elephant, elephant, true);
COOK_BENCHMARK(lattice, elephant, elephant);
COOK_BENCHMARK(open, pigman, pigman);
COOK_BENCHMARK(another_number, tetrahedra_pigman, pigman, false);
COOK_BENCHMARK(another_number, cells_pigman, pigman, true);
COOK_BENCHMARK(lattice, pigman, pigman);

}  // namespace
