// Scaling of the stages from 1k to 1M tetrahedra on the body of samples/sumo.glb: volume meshing, binding, assembly,
// ordering, factorisation, a bare substitution and a step of the rig reference. A stage that would take more than a
// minute, or more memory than is left of 6 GB, is skipped with its forecast, and so are the stages that need it.
#include <benchmark/benchmark.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "bench/measures.h"
#include "sinew/base/stopwatch.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/character/body_binding.h"
#include "sinew/cook/flesh/flesh_fields.h"
#include "sinew/deform/tetrahedra/rig_reference.h"
#include "sinew/jobs/open_character.h"
#include "sinew/linalg/cholesky/symbolic.h"
#include "sinew/mesh/volume/volume_meshing.h"

namespace {

using namespace sinew;

constexpr double most_seconds = 60, most_bytes = 6e9;
constexpr std::array<int, 7> sizes{1'000, 3'000, 10'000, 30'000, 100'000, 300'000, 1'000'000};

struct Sumo {
  Character character;
  SimulationSurface surface;

  Sumo() {
    character = open_character(std::filesystem::path(SINEW_SOURCE_DIR) / "samples" / "sumo.glb").character;
    surface = simulation_surface(character);
  }
};

const Sumo& sumo() {
  static const Sumo sumo;
  return sumo;
}

struct Binding {
  std::vector<Influences> influences;
  FleshMap map;
};

// Cost of a factorisation, from the pattern alone. The factor is dense in supernodes: one multiplication and addition
// per pair of rows of each column.
struct FactorCost {
  double entries = 0, operations = 0;
};

FactorCost factor_cost(const BlockMatrix& pattern) {
  FactorCost cost;
  for (const cholesky::Supernode& node : cholesky::symbolic_factorisation(pattern).nodes) {
    const double columns = 3.0 * node.columns, rows = 3.0 * node.rows;
    cost.entries += columns * (columns + rows);
    cost.operations += columns * columns * columns / 3 + columns * columns * rows + columns * rows * rows;
  }
  return cost;
}

// Everything made so far for one size. Each stage is made from the previous one on demand, and only one size is kept.
struct Chain {
  int size = 0;
  std::optional<VolumeMesh> volume;
  std::optional<Binding> binding;
  std::optional<FleshBody> assembled;
  std::optional<FactorCost> cost;
  std::shared_ptr<const FleshBody> body;
  std::string stopped;  // why the remaining stages are skipped

  void make_volume() {
    VolumeMeshingOptions options;
    options.target_tetrahedra = size;
    volume = mesh_volume(sumo().surface.rest, options);
  }

  void make_binding() {
    if (!volume) make_volume();
    const FleshSettings settings;
    Binding made;
    made.influences = body_influences(volume->mesh, volume->embedding, sumo().surface);
    FleshMapOptions options;
    options.core_fraction = bone_settings(sumo().surface.bones, {}, settings).core;
    made.map = map_flesh(volume->mesh, made.influences, sumo().surface, options);
    binding = std::move(made);
  }

  FleshDescription description() {
    if (!binding) make_binding();
    FleshDescription d;
    d.mesh = volume->mesh;
    d.embedding = volume->embedding;
    d.influences = binding->influences;
    d.core = binding->map.core;
    d.material = {1e4, 0.45, 1000};
    d.young.assign(d.mesh.tetrahedra.size(), d.material.young);
    d.inside_fraction = volume->inside_fraction;
    for (double& fill : d.inside_fraction) fill = std::clamp(fill, 0.2, 1.0);
    d.bone_stiffness = bone_stiffness(d.mesh, binding->map, d.young, 2, 1.8);
    d.mass_damping = 2;
    d.stiffness_damping = 0.001;
    return d;
  }

  void make_assembled() { assembled = assemble_flesh(description()); }

  void make_cost() {
    if (!assembled) make_assembled();
    cost = factor_cost(assembled->stiffness);
  }

  void make_body() {
    if (!assembled) make_assembled();
    FleshDynamics dynamics;
    dynamics.static_precision.reset();
    body = cook_flesh(std::move(*assembled), dynamics);
    assembled.reset();
  }
};

Chain& chain(int size) {
  static Chain current;
  if (current.size != size) {
    current = Chain{};
    current.size = size;
  }
  return current;
}

// Operations per second of the last factorisation, for a forecast of the next.
double& factor_speed() {
  static double speed = 0;
  return speed;
}

std::string formatted(const char* format, double value) {
  char text[160];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

// Why a factorisation is skipped, or empty. While the panels are filled it needs up to half of their memory in
// addition.
std::string too_much(const FactorCost& cost, const char* what) {
  const double bytes = bench::resident_bytes() + 1.5 * cost.entries * sizeof(double);
  const double seconds = factor_speed() > 0 ? cost.operations / factor_speed() : 0;
  if (bytes > most_bytes) return what + formatted(" would need %.1f GB; the limit is 6 GB", bytes * 1e-9);
  if (seconds > most_seconds) return what + formatted(" would take %.0f s; the limit is 60 s", seconds);
  return "";
}

// Skips stages that are known to need too much, and all that depend on them; returns false then.
bool affordable(Chain& made, benchmark::State& state, bool factorises) {
  if (!made.volume) made.make_volume();
  if (made.stopped.empty() && factorises && !made.body) {
    if (!made.cost) made.make_cost();
    made.stopped = too_much(*made.cost, "the factorisation");
  }
  if (!made.stopped.empty()) state.SkipWithError(made.stopped.c_str());
  return made.stopped.empty();
}

void report(benchmark::State& state, const Chain& made) {
  state.counters["tetrahedra"] = static_cast<double>(made.volume->mesh.tetrahedra.size());
  state.counters["vertices"] = static_cast<double>(made.volume->mesh.positions.size());
  const FleshBody* body = made.body ? made.body.get() : made.assembled ? &*made.assembled : nullptr;
  if (body) state.counters["unknowns"] = 3 * static_cast<double>(body->free_vertex.size());
}

void volume(benchmark::State& state, int size) {
  Chain& made = chain(size);
  sumo();
  const bench::PeakMemory peak;
  for (auto _ : state) made.make_volume();
  state.counters["peak_bytes"] = peak.bytes();
  report(state, made);
  bench::report_bytes(state, made.volume->mesh.positions.size() * sizeof(Vec3) +
                                 made.volume->mesh.tetrahedra.size() * sizeof(Tetrahedron));
  bench::report_hash(state, bench::hash_of(made.volume->mesh.tetrahedra, bench::hash_of(made.volume->mesh.positions)));
}

void bind(benchmark::State& state, int size) {
  Chain& made = chain(size);
  if (!affordable(made, state, false)) return;
  const bench::PeakMemory peak;
  for (auto _ : state) made.make_binding();
  state.counters["peak_bytes"] = peak.bytes();
  report(state, made);
  bench::report_bytes(state, made.binding->influences.size() * sizeof(Influences));
  bench::report_hash(state, bench::hash_of(made.binding->map.depth, bench::hash_of(made.binding->map.core)));
}

void assemble(benchmark::State& state, int size) {
  Chain& made = chain(size);
  if (!affordable(made, state, false)) return;
  if (!made.binding) made.make_binding();
  const bench::PeakMemory peak;
  for (auto _ : state) made.make_assembled();
  state.counters["peak_bytes"] = peak.bytes();
  report(state, made);
  bench::report_bytes(state, made.assembled->stiffness.block.size() * sizeof(Mat3));
  bench::report_hash(state, bench::hash_of(made.assembled->stiffness.block));
}

void order(benchmark::State& state, int size) {
  Chain& made = chain(size);
  if (!affordable(made, state, false)) return;
  if (!made.assembled) made.make_assembled();
  const bench::PeakMemory peak;
  for (auto _ : state) made.make_cost();
  state.counters["peak_bytes"] = peak.bytes();
  state.counters["factor_bytes"] = made.cost->entries * sizeof(double);
  state.counters["factor_operations"] = made.cost->operations;
  report(state, made);
  bench::report_bytes(state, made.assembled->stiffness.block.size() * sizeof(int));
}

// Numeric factorisation with the pattern analysed.
void factor(benchmark::State& state, int size) {
  Chain& made = chain(size);
  if (!affordable(made, state, true)) return;
  if (!made.assembled) made.make_assembled();
  if (!made.cost) made.make_cost();
  BlockCholesky factor;
  factor.analyze(made.assembled->stiffness);
  const bench::PeakMemory peak;
  double seconds = 0;
  for (auto _ : state) {
    Stopwatch watch;
    factor.factor(made.assembled->stiffness);
    seconds = watch.seconds();
  }
  factor_speed() = made.cost->operations / seconds;
  state.counters["peak_bytes"] = peak.bytes();
  state.counters["gflops"] = factor_speed() * 1e-9;
  report(state, made);
  bench::report_bytes(state, factor.factor_entries() * sizeof(double));
}

void substitute(benchmark::State& state, int size) {
  Chain& made = chain(size);
  if (!affordable(made, state, true)) return;
  if (!made.body) made.make_body();
  std::vector<double> b(3 * made.body->free_vertex.size(), 1.0), x(b.size());
  made.body->factor.solve(b, x);
  for (auto _ : state) made.body->factor.solve(b, x);
  report(state, made);
  bench::report_bytes(state, made.body->factor.factor_entries() * sizeof(double));
  bench::report_hash(state, bench::hash_of(x));
}

// Steps of the first clip at 1/240 s; poses are sampled beforehand.
void rig_step(benchmark::State& state, int size) {
  Chain& made = chain(size);
  if (!affordable(made, state, true)) return;
  if (!made.body) made.make_body();
  constexpr std::size_t poses = 240;
  std::vector<std::vector<Affine>> bones;
  const Clip& clip = sumo().character.clips.front();
  for (std::size_t k = 0; k < poses; ++k)
    bones.push_back(
        bone_transforms(sumo().character, sumo().surface,
                        sample(sumo().character.skeleton, &clip, clip.start + static_cast<double>(k) / 240)));
  const std::unique_ptr<BodyMotion> flesh = rig_reference_flesh(made.body);
  flesh->reset({0, bones[0]}, {flesh->step(), bones[1]});
  std::size_t k = 0;
  for (auto _ : state) {
    ++k;
    // Back and forth, so that the motion has no jump.
    const std::size_t turn = k % (2 * poses - 2), at = turn < poses ? turn : 2 * poses - 2 - turn;
    flesh->advance({static_cast<double>(k) * flesh->step(), bones[at]});
  }
  report(state, made);
  bench::report_bytes(state, made.body->factor.factor_entries() * sizeof(double));
}

// Large sizes are run once, because their times are long compared with disturbances.
int repetitions(int size) { return size >= 300'000 ? 1 : size >= 100'000 ? 2 : 5; }

bool register_all() {
  using Stage = void (*)(benchmark::State&, int);
  struct Named {
    const char* name;
    Stage stage;
    bool once;  // one iteration per repetition
  };
  for (const int size : sizes)
    for (const Named& named :
         {Named{"volume", volume, true}, Named{"bind", bind, true}, Named{"assemble", assemble, true},
          Named{"order", order, true}, Named{"factor", factor, true}, Named{"substitute", substitute, false},
          Named{"rig_step", rig_step, false}}) {
      const Stage stage = named.stage;
      auto* registered = benchmark::RegisterBenchmark((std::string(named.name) + "/" + std::to_string(size)).c_str(),
                                                      [stage, size](benchmark::State& state) {
                                                        set_thread_count(0);
                                                        stage(state, size);
                                                      });
      registered->Unit(benchmark::kMillisecond)->UseRealTime()->Repetitions(repetitions(size));
      if (named.once) registered->Iterations(1);
    }
  return true;
}

[[maybe_unused]] const bool registered = register_all();

}  // namespace
