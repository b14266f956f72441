// The stages of the main job on samples/sumo.glb with 8,000 tetrahedra at 1/240 s, as in `sinew animate`, the whole
// job, and the time from a character of 100,000 vertices to its first frame.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>

#include "bench/measures.h"
#include "bench/subdivide.h"
#include "sinew/bake/bake.h"
#include "sinew/base/file.h"
#include "sinew/base/stopwatch.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/character/size.h"
#include "sinew/cook/flesh/flesh_scene.h"
#include "sinew/gltf/write/write_gltf.h"
#include "sinew/jobs/animate_file.h"
#include "sinew/jobs/open_character.h"
#include "sinew/jobs/pictures/preview.h"

namespace {

using namespace sinew;

// Must live as long as anything that was cooked from it.
std::shared_ptr<const CookedFlesh> borrowed(const CookedFlesh& cooked) {
  return {std::shared_ptr<const CookedFlesh>(), &cooked};
}

const std::filesystem::path sumo = std::filesystem::path(SINEW_SOURCE_DIR) / "samples" / "sumo.glb";
constexpr std::size_t many_vertices = 100'000;

// Output files, deleted at the end.
class TemporaryFolder {
 public:
  TemporaryFolder()
      : path_(std::filesystem::temp_directory_path() /
              ("sinew_bench_" + std::to_string(std::chrono::steady_clock::now().time_since_epoch().count()))) {
    std::filesystem::create_directories(path_);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::filesystem::path operator/(const char* name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

const std::filesystem::path scratch(const char* name) {
  static const TemporaryFolder folder;
  return folder / name;
}

FleshSettings settings_for(Reference reference) {
  FleshSettings settings;
  settings.reference = reference;
  return settings;
}

// Input of the later stages, made once.
struct Run {
  OpenedCharacter opened = open_rigged_character(sumo);
  const GltfDocument& document = *opened.document;
  const Character& character = opened.character;
  FleshSettings settings;
  CookedFlesh scene;
  Recording recording;

  explicit Run(Reference reference) : settings(settings_for(reference)), scene(prepare_flesh(character, settings)) {
    BakeOptions options;
    options.clip = 0;
    recording = bake(character, flesh_scene(borrowed(scene), settings), nullptr, options).recording;
  }
};

const Run& sumo_run() {
  static const Run run(Reference::rig);
  return run;
}

std::uint64_t hash_of(const Recording& recording) {
  std::uint64_t hash = bench::hash_of(recording.times);
  for (const PartRecording& part : recording.parts) hash = bench::hash_of(part.displacement, hash);
  return hash;
}

std::uint64_t hash_of_file(const std::filesystem::path& path) { return bench::hash_of(read_file(path)); }

double seconds_of(const std::vector<StageReport>& stages, const std::string& name) {
  double sum = 0;
  for (const StageReport& stage : stages)
    if (stage.name == name) sum += stage.seconds;
  return sum;
}

void load(benchmark::State& state) {
  set_thread_count(0);
  std::size_t vertices = 0;
  for (auto _ : state) vertices = bench::skinned_vertices(open_any_character(sumo).character);
  state.counters["vertices"] = static_cast<double>(vertices);
  bench::report_bytes(state, std::filesystem::file_size(sumo));
}

// Bytes of the mesh and its data, or of the factor.
std::size_t result_bytes(const CookedFlesh& scene, const std::string& stage) {
  const FleshBody& body = *scene.body;
  if (stage == "cook") return body.factor.factor_entries() * sizeof(double);
  if (stage == "bind") return body.description.influences.size() * sizeof(Influences);
  if (stage == "surface") return scene.surface.rest.positions.size() * (sizeof(Vec3) + sizeof(Influences));
  return body.description.mesh.positions.size() * sizeof(Vec3) +
         body.description.mesh.tetrahedra.size() * sizeof(Tetrahedron) +
         body.description.embedding.points.size() * sizeof(EmbeddedPoint);
}

std::uint64_t result_hash(const CookedFlesh& scene, const std::string& stage) {
  const FleshBody& body = *scene.body;
  if (stage == "surface") return bench::hash_of(scene.surface.rest.positions);
  if (stage == "volume")
    return bench::hash_of(body.description.mesh.tetrahedra, bench::hash_of(body.description.mesh.positions));
  if (stage == "bind") return bench::hash_of(scene.map.depth, bench::hash_of(scene.map.core));
  return bench::hash_of(body.mass, bench::hash_of(body.stiffness.block));
}

// One stage of prepare_flesh(), by its own stopwatch.
void prepare(benchmark::State& state, const std::string& stage) {
  set_thread_count(0);
  const Run& run = sumo_run();
  CookedFlesh scene;
  for (auto _ : state) {
    scene = prepare_flesh(run.character, run.settings);
    state.SetIterationTime(seconds_of(scene.stages, stage));
  }
  state.counters["vertices"] = static_cast<double>(scene.surface.rest.positions.size());
  state.counters["tetrahedra"] = static_cast<double>(scene.body->description.mesh.tetrahedra.size());
  state.counters["unknowns"] = 3 * static_cast<double>(scene.body->free_vertex.size());
  bench::report_bytes(state, result_bytes(scene, stage));
  bench::report_hash(state, result_hash(scene, stage));
}

// The whole clip: steps, frames, measures. The copy for comparison is of the factor, twice per step, which is what the
// substitutions of the rig reference read.
void simulate(benchmark::State& state, Reference reference) {
  set_thread_count(0);
  const std::unique_ptr<const Run> own(reference == Reference::rig ? nullptr : new Run(reference));
  const Run& run = own ? *own : sumo_run();
  BakeOptions options;
  options.clip = 0;
  BakeResult result;
  double elapsed = 0;
  for (auto _ : state) {
    Stopwatch watch;
    result = bake(run.character, flesh_scene(borrowed(run.scene), run.settings), nullptr, options);
    elapsed = watch.seconds();
  }
  const double clip = result.recording.times.back() - result.recording.times.front(),
               steps = clip / run.scene.body->dynamics.step;
  double iterations = 0;
  for (const FrameReport& frame : result.report.frames) iterations += frame.iterations;
  const std::size_t factor_bytes = run.scene.body->factor.factor_entries() * sizeof(double);
  state.counters["times_real_time"] = clip / elapsed;
  state.counters["step_ms"] = elapsed * 1e3 / steps;
  state.counters["steps"] = steps;
  state.counters["steps_per_second"] = steps / clip;
  state.counters["iterations"] = iterations / steps;
  state.counters["tetrahedra"] = static_cast<double>(run.scene.body->description.mesh.tetrahedra.size());
  state.counters["bytes"] = 2 * steps * static_cast<double>(factor_bytes);
  state.counters["copy_ms"] = 2 * steps * bench::copy_milliseconds(factor_bytes) / 2;  // a copy reads and writes
  bench::report_hash(state, hash_of(result.recording));
}

void fit(benchmark::State& state) {
  set_thread_count(0);
  const Run& run = sumo_run();
  MorphFit found;
  for (auto _ : state) found = fit_morph_targets(run.character, {&run.recording, 1}, {});
  std::size_t bytes = 0;
  double targets = 0;
  std::uint64_t hash = bench::hash_of(std::vector<double>{found.rms_error, found.max_error});
  for (const MeshMorphs& mesh : found.meshes) {
    targets = std::max(targets, static_cast<double>(mesh.targets));
    for (const PartMorphs& part : mesh.parts) hash = bench::hash_of(part.position, hash);
  }
  for (const PartRecording& part : run.recording.parts) bytes += part.displacement.size() * sizeof(float);
  state.counters["frames"] = static_cast<double>(run.recording.times.size());
  state.counters["targets"] = targets;
  bench::report_bytes(state, bytes);
  bench::report_hash(state, hash);
}

// Includes the fit.
void write(benchmark::State& state) {
  set_thread_count(0);
  const Run& run = sumo_run();
  const std::filesystem::path out = scratch("sumo_flesh.glb");
  for (auto _ : state) write_gltf_with_flesh(run.document, run.character, {&run.recording, 1}, {}, out);
  bench::report_bytes(state, std::filesystem::file_size(out));
  bench::report_hash(state, hash_of_file(out));
}

void preview(benchmark::State& state) {
  set_thread_count(0);
  const Run& run = sumo_run();
  const std::filesystem::path out = scratch("strip.png");
  for (auto _ : state) write_png(out, preview_filmstrip(run.character, run.recording));
  bench::report_bytes(state, std::filesystem::file_size(out));
  bench::report_hash(state, hash_of_file(out));
}

// The whole job from file to file, with its own stage times in milliseconds; "rest_ms" is everything except simulation
// and preview.
void animate(benchmark::State& state, Reference reference) {
  set_thread_count(0);
  AnimateJob job;
  job.input = sumo;
  job.output = scratch("animate.glb");
  job.preview = scratch("animate.png");
  job.method.as<FleshMethod>().values = settings_for(reference);
  AnimateResult result;
  for (auto _ : state) result = animate_file(job);
  double rest = 0;
  for (const StageReport& stage : result.report.stages) {
    state.counters[stage.name + "_ms"] = stage.seconds * 1e3;
    if (stage.name != "simulate" && stage.name != "preview") rest += stage.seconds * 1e3;
  }
  const ClipReport& clip = result.report.clips.front();
  state.counters["rest_ms"] = rest;
  state.counters["steps_per_second"] = clip.steps_per_second;
  state.counters["times_real_time"] =
      (clip.frames.back().time - clip.frames.front().time) / seconds_of(result.report.stages, "simulate");
  state.counters["tetrahedra"] = static_cast<double>(result.report.tetrahedra);
  state.counters["vertices"] = static_cast<double>(result.report.vertices);
  bench::report_bytes(state, result.report.output_bytes);
  bench::report_hash(state, hash_of_file(job.output));
}

// From a character in memory to the displacements of its first frame.
void start_up(benchmark::State& state) {
  set_thread_count(0);
  Character character = open_any_character(sumo).character;
  bench::subdivide_to(character, many_vertices);
  const FleshSettings settings;
  BakeOptions options;
  options.clip = 0;
  options.begin = options.end = character.clips.front().start;
  CookedFlesh scene;
  Recording recording;
  double first_frame = 0;
  for (auto _ : state) {
    decide_size(character, {}, {});
    scene = prepare_flesh(character, settings);
    Stopwatch watch;
    recording = bake(character, flesh_scene(borrowed(scene), settings), nullptr, options).recording;
    first_frame = watch.seconds();
  }
  for (const StageReport& stage : scene.stages) state.counters[stage.name + "_ms"] = stage.seconds * 1e3;
  state.counters["first_frame_ms"] = first_frame * 1e3;
  state.counters["vertices"] = static_cast<double>(bench::skinned_vertices(character));
  state.counters["tetrahedra"] = static_cast<double>(scene.body->description.mesh.tetrahedra.size());
  bench::report_bytes(state,
                      result_bytes(scene, "surface") + result_bytes(scene, "volume") + result_bytes(scene, "cook"));
  bench::report_hash(state, hash_of(recording));
}

BENCHMARK(load)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(prepare, surface, std::string("surface"))
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond)
    ->UseManualTime();
BENCHMARK_CAPTURE(prepare, volume, std::string("volume"))
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond)
    ->UseManualTime();
BENCHMARK_CAPTURE(prepare, bind, std::string("bind"))->Iterations(1)->Unit(benchmark::kMillisecond)->UseManualTime();
BENCHMARK_CAPTURE(prepare, cook, std::string("cook"))->Iterations(1)->Unit(benchmark::kMillisecond)->UseManualTime();
BENCHMARK_CAPTURE(simulate, rig, Reference::rig)->Iterations(1)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(simulate, elastic, Reference::elastic)->Iterations(1)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(fit)->Iterations(1)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(write)->Iterations(1)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(preview)->Iterations(1)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(animate, rig, Reference::rig)->Iterations(1)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(animate, elastic, Reference::elastic)->Iterations(1)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(start_up)->Iterations(1)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
