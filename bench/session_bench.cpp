// A character alive, on samples/sumo.glb with 8,000 tetrahedra: what a session adds to its deformer's steps, and what a
// slider costs until the flesh moves by it.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <vector>

#include "sinew/base/parallel.h"
#include "sinew/base/stopwatch.h"
#include "sinew/cook/prepare.h"
#include "sinew/cook/scenes.h"
#include "sinew/jobs/open_character.h"
#include "sinew/session/session.h"

namespace {

using namespace sinew;

struct Sumo {
  OpenedCharacter opened =
      open_rigged_character(std::filesystem::path(SINEW_SOURCE_DIR) / "samples" / "sumo.glb");
  const Character& character = opened.character;
};

const Sumo& sumo() {
  static const Sumo opened;
  return opened;
}

FleshSettings settings_for(Reference reference) {
  FleshSettings settings;
  settings.reference = reference;
  return settings;
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

// Two bodies go through one motion in turns, one by itself and one in a session; medians of a step.
void step(benchmark::State& state, Reference reference) {
  set_thread_count(1);
  const Character& character = sumo().character;
  const FleshSettings settings = settings_for(reference);
  const Scene scene = flesh_scene(std::make_shared<const FleshScene>(prepare_flesh(character, settings)), settings);
  const Playback playback = whole(character.clips[0], true);
  double bare_ms = 0, session_ms = 0;
  for (auto _ : state) {
    Session session(character, scene, playback);
    const std::unique_ptr<Deformer> bare = scene.deformer();
    Moment now = session.moment_at(0), next = session.moment_at(bare->step());
    bare->reset(session.state(now), session.state(next));
    const Environment nothing;
    std::vector<double> alone, within;
    Stopwatch watch;
    for (int k = 1; k <= 600; ++k) {
      session.moment_at(k * bare->step(), next);
      const RigState rig = session.state(next);
      watch.lap();
      bare->advance(rig, nothing);
      alone.push_back(watch.lap());
      session.step();
      within.push_back(watch.lap());
    }
    bare_ms = 1e3 * median(alone);
    session_ms = 1e3 * median(within);
  }
  state.counters["bare_ms"] = bare_ms;
  state.counters["session_ms"] = session_ms;
  state.counters["more_percent"] = 100 * (session_ms / bare_ms - 1);
  set_thread_count(0);
}

template <class Change>
void recook(benchmark::State& state, Reference reference, const Change& change) {
  set_thread_count(0);
  const Character& character = sumo().character;
  const FleshSettings settings = settings_for(reference);
  const FleshBase base = prepare_flesh_base(character, settings);
  const Scene before = flesh_scene(std::make_shared<const FleshScene>(cook_flesh_scene(base, settings)), settings);
  for (auto _ : state) {
    state.PauseTiming();
    Session session(character, before, whole(character.clips[0], true));
    for (int k = 0; k < 5; ++k) session.step();
    state.ResumeTiming();
    FleshSettings changed = settings;
    change(changed);
    const Scene after = flesh_scene(std::make_shared<const FleshScene>(cook_flesh_scene(base, changed)), changed);
    session.change(after);
    session.step();
  }
}

void look(FleshSettings& settings) { settings.look = Look::lively; }
void damping(FleshSettings& settings) { settings.damping = 0.5; }
void gravity(FleshSettings& settings) { settings.gravity.y = -20; }

BENCHMARK_CAPTURE(step, rig, Reference::rig)->Iterations(1)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(step, elastic, Reference::elastic)->Iterations(1)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(recook, look_rig, Reference::rig, look)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(recook, damping_rig, Reference::rig, damping)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(recook, gravity_rig, Reference::rig, gravity)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(recook, look_elastic, Reference::elastic, look)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
