// A session on samples/sumo.glb with 8,000 tetrahedra: its overhead over the deformer's steps, and the delay from a
// changed setting to moving flesh.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <vector>

#include "sinew/base/stopwatch.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/cook/flesh/flesh_scene.h"
#include "sinew/cook/lattice/build_lattice.h"
#include "sinew/cook/lattice/prepare_lattice.h"
#include "sinew/jobs/open_character.h"
#include "sinew/session/session.h"

namespace {

using namespace sinew;

struct Sumo {
  OpenedCharacter opened = open_rigged_character(std::filesystem::path(SINEW_SOURCE_DIR) / "samples" / "sumo.glb");
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

// Steps two bodies through the same motion in alternation, one by itself and one in a session; medians of a step.
void step(benchmark::State& state, Reference reference) {
  set_thread_count(1);
  const Character& character = sumo().character;
  const FleshSettings settings = settings_for(reference);
  const Scene scene = flesh_scene(std::make_shared<const CookedFlesh>(prepare_flesh(character, settings)), settings);
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

// From a changed setting to the end of the first step with it: mean and minimum. `levels` of a lattice's basis; 0: in
// tetrahedra.
template <class Change>
void recook(benchmark::State& state, Reference reference, int levels, const Change& change) {
  set_thread_count(0);
  const Character& character = sumo().character;
  FleshSettings settings = settings_for(reference);
  if (levels > 0) {
    settings.lattice.file = auto_lattice;
    settings.lattice.levels = levels;
  }
  const FleshBase base = prepare_flesh_base(character, settings);
  LatticeBase lattice;
  if (levels > 0)
    lattice =
        prepare_lattice_base(cook_flesh(base, settings),
                             build_lattice(character, base.cooked.surface, {settings.lattice.cells}).lattice, settings);
  const auto scene_of = [&](const FleshSettings& wanted) {
    const auto cooked = std::make_shared<CookedFlesh>(cook_flesh(base, wanted));
    if (levels > 0) cooked->lattice = cook_lattice_flesh(lattice, *cooked, wanted);
    return flesh_scene(cooked, wanted);
  };
  const Scene before = scene_of(settings);
  double best = 1e9;
  for (auto _ : state) {
    state.PauseTiming();
    Session session(character, before, whole(character.clips[0], true));
    for (int k = 0; k < 5; ++k) session.step();
    state.ResumeTiming();
    Stopwatch watch;
    FleshSettings changed = settings;
    change(changed);
    const Scene after = scene_of(changed);
    session.change(after);
    session.step();
    best = std::min(best, 1e3 * watch.lap());
  }
  state.counters["best_ms"] = best;
}

// From a character with new paint on its stiffness to the end of the first step with it.
void paint(benchmark::State& state, Reference reference) {
  set_thread_count(0);
  Character character = sumo().character;
  const FleshSettings settings = settings_for(reference);
  for (Part& part : character.parts) part.fields[field("stiffness")].assign(part.surface.positions.size(), 1.0);
  FleshBase base = prepare_flesh_base(character, settings);
  const Scene before = flesh_scene(std::make_shared<const CookedFlesh>(cook_flesh(base, settings)), settings);
  double best = 1e9;
  for (auto _ : state) {
    state.PauseTiming();
    Session session(character, before, whole(character.clips[0], true));
    for (int k = 0; k < 5; ++k) session.step();
    for (Part& part : character.parts)
      for (std::size_t v = 0; v < part.fields[field("stiffness")].size() / 10; ++v)
        part.fields[field("stiffness")][v] *= 1.01;
    state.ResumeTiming();
    Stopwatch watch;
    base = change_flesh_base(base, character, settings);
    const Scene after = flesh_scene(std::make_shared<const CookedFlesh>(cook_flesh(base, settings)), settings);
    session.change(after);
    session.step();
    best = std::min(best, 1e3 * watch.lap());
  }
  state.counters["best_ms"] = best;
}

// Grabs at eight places in succession: the slowest first step, and the slowest and the median of the steps after it.
// `radius` in metres.
void grab(benchmark::State& state, double radius) {
  set_thread_count(0);
  const Character& character = sumo().character;
  const FleshSettings settings = settings_for(Reference::rig);
  const auto cooked = std::make_shared<const CookedFlesh>(prepare_flesh(character, settings));
  const Scene scene = flesh_scene(cooked, settings);
  const std::vector<Vec3>& rest = cooked->surface.rest.positions;
  double first_ms = 0;
  std::vector<double> later;
  for (auto _ : state) {
    Session session(character, scene, whole(character.clips[0], true));
    std::vector<Vec3> shown(rest.size());
    for (std::size_t place = 0; place < 8; ++place) {
      for (int k = 0; k < 5; ++k) session.step();
      session.surface(shown);
      const std::size_t vertex = place * rest.size() / 8;
      Action hand;
      hand.kind = Action::Kind::grab;
      hand.name = "hand";
      hand.point = rest[vertex];
      hand.target = shown[vertex];
      hand.radius = radius;
      session.act(hand);
      Stopwatch watch;
      session.step();
      first_ms = std::max(first_ms, 1e3 * watch.lap());
      for (int k = 0; k < 5; ++k) {
        watch.lap();
        session.step();
        later.push_back(1e3 * watch.lap());
      }
      hand.kind = Action::Kind::release;
      session.act(hand);
    }
  }
  state.counters["first_ms"] = first_ms;
  state.counters["later_ms"] = *std::max_element(later.begin(), later.end());
  state.counters["median_ms"] = median(later);
}

// A wall moves into the belly, `depth` metres behind its skin, at once or from where it stood for half a second, 0.1 m
// less deep: the slowest first step, and the slowest and the median of the half second after it.
void wall(benchmark::State& state, double depth, bool at_once) {
  set_thread_count(0);
  const Character& character = sumo().character;
  FleshSettings settings = settings_for(Reference::rig);
  const auto cooked = std::make_shared<const CookedFlesh>(prepare_flesh(character, settings));
  double front = 0;  // of the belly, along z
  for (const Vec3& x : cooked->surface.rest.positions)
    if (std::abs(x.x) < 0.1) front = std::max(front, x.z);
  ColliderSettings box;
  box.shape = ColliderShape::box;
  box.front = {0, 0, -1};
  box.width = box.height = 1;
  box.depth = 0.6;
  const auto scene_at = [&](double way) {
    box.point = {0, 0.9, front - way + 0.5 * box.depth};
    settings.colliders = {box};
    return flesh_scene(cooked, settings);
  };
  const Scene free = flesh_scene(cooked, settings_for(Reference::rig)), near = scene_at(depth - 0.1),
              met = scene_at(depth);
  double first_ms = 0;
  std::vector<double> later;
  for (auto _ : state) {
    Session session(character, free, Playback{});
    for (int k = 0; k < 5; ++k) session.step();
    if (!at_once) session.change(near);
    for (int k = 0; k < 120 && !at_once; ++k) session.step();
    session.change(met);
    Stopwatch watch;
    session.step();
    first_ms = std::max(first_ms, 1e3 * watch.lap());
    for (int k = 0; k < 120; ++k) {
      watch.lap();
      session.step();
      later.push_back(1e3 * watch.lap());
    }
  }
  state.counters["first_ms"] = first_ms;
  state.counters["later_ms"] = *std::max_element(later.begin(), later.end());
  state.counters["median_ms"] = median(later);
}

void look(FleshSettings& settings) { settings.look = Look::lively; }
void damping(FleshSettings& settings) { settings.damping = 0.5; }
void gravity(FleshSettings& settings) { settings.gravity.y = -20; }

BENCHMARK_CAPTURE(step, rig, Reference::rig)->Iterations(1)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(step, elastic, Reference::elastic)->Iterations(1)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(grab, usual_hand, 0.069)->Iterations(3)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(grab, largest_hand, 0.43)->Iterations(3)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(wall, shallow, 0.05, true)->Iterations(1)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(wall, deep, 0.15, true)->Iterations(1)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(wall, deeper_in_steps, 0.15, false)->Iterations(1)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(wall, deepest, 0.3, true)->Iterations(1)->Unit(benchmark::kMillisecond)->UseRealTime();
constexpr Reference rig = Reference::rig, elastic = Reference::elastic;
BENCHMARK_CAPTURE(recook, look_rig, rig, 0, look)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(recook, damping_rig, rig, 0, damping)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(recook, gravity_rig, rig, 0, gravity)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(recook, look_elastic, elastic, 0, look)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(paint, rig, rig)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(paint, elastic, elastic)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(recook, look_rig_lattice, rig, 1, look)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(recook, damping_rig_lattice, rig, 1, damping)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(recook, look_elastic_lattice, elastic, 1, look)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(recook, look_elastic_lattice_2_levels, elastic, 2, look)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
