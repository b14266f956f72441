// A step of true elasticity beside one of linear elasticity and a bare substitution, on clips of samples/sumo.glb with
// 8,000 and 21,000 tetrahedra, at 240 steps per second. Medians of processor time over the steps of a clip, taken in
// turn.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <memory>
#include <vector>

#include "sinew/base/threads/parallel.h"
#include "sinew/cook/flesh/flesh_scene.h"
#include "sinew/jobs/open_character.h"
#include "sinew/session/session.h"

namespace {

using namespace sinew;

constexpr int warm_up = 24, most_steps = 480, rest_steps = 960, still_steps = 100;

const Character& sumo() {
  static const OpenedCharacter opened =
      open_rigged_character(std::filesystem::path(SINEW_SOURCE_DIR) / "samples" / "sumo.glb");
  return opened.character;
}

double quantile(std::vector<double> values, double share) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

struct Flesh {
  std::shared_ptr<const CookedFlesh> cooked;
  std::unique_ptr<BodyMotion> motion;
};

Flesh flesh_of(Elasticity elasticity, int tetrahedra) {
  FleshSettings settings;
  settings.tetrahedra = tetrahedra;
  settings.elasticity = elasticity;
  Flesh flesh;
  flesh.cooked = std::make_shared<const CookedFlesh>(prepare_flesh(sumo(), settings));
  flesh.motion = make_flesh(*flesh.cooked, settings);
  return flesh;
}

// Milliseconds of processor time, which other programs on the machine disturb least.
template <class Work>
double timed(const Work& work) {
  const std::clock_t begin = std::clock();
  work();
  return 1e3 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

void step(benchmark::State& state) {
  set_thread_count(1);
  const int tetrahedra = static_cast<int>(state.range(0));
  Flesh real = flesh_of(Elasticity::nonlinear, tetrahedra), linear = flesh_of(Elasticity::linear, tetrahedra);
  FleshSettings settings;
  settings.tetrahedra = tetrahedra;
  const Scene scene = flesh_scene(real.cooked, settings);
  const BlockCholesky& factor = real.cooked->body->factor;
  std::vector<double> b(3 * real.cooked->body->free_vertex.size(), 1.0), x(b.size());
  std::vector<double> nonlinear_ms, linear_ms, substitution_ms, still_ms;
  double iterations = 0;
  for (auto _ : state) {
    const Session session(sumo(), scene, whole(sumo().clips[static_cast<std::size_t>(state.range(1))], true));
    const double h = real.motion->step();
    Moment now = session.moment_at(0);
    const Moment next = session.moment_at(h);
    for (BodyMotion* motion : {real.motion.get(), linear.motion.get()})
      motion->reset(session.state(now), session.state(next));
    for (int k = 1; k <= most_steps; ++k) {
      session.moment_at(k * h, now);
      const RigState rig = session.state(now);
      const double true_elasticity = timed([&] { real.motion->advance(rig); });
      const double about_the_rig = timed([&] { linear.motion->advance(rig); });
      const double substitution = timed([&] { factor.solve(b, x); });
      if (k <= warm_up) continue;
      nonlinear_ms.push_back(true_elasticity);
      linear_ms.push_back(about_the_rig);
      substitution_ms.push_back(substitution);
      iterations += real.motion->statistics().iterations;
    }
    // The pose is held until nothing moves.
    const RigState rig = session.state(now);
    for (int k = 0; k < rest_steps; ++k) real.motion->advance(rig);
    for (int k = 0; k < still_steps; ++k) still_ms.push_back(timed([&] { real.motion->advance(rig); }));
  }
  const double substitution = quantile(substitution_ms, 0.5);
  state.counters["ms"] = quantile(nonlinear_ms, 0.5);
  state.counters["ms_9_of_10"] = quantile(nonlinear_ms, 0.9);
  state.counters["linear_ms"] = quantile(linear_ms, 0.5);
  state.counters["still_ms"] = quantile(still_ms, 0.5);
  state.counters["substitution_ms"] = substitution;
  state.counters["in_substitutions"] = quantile(nonlinear_ms, 0.5) / substitution;
  state.counters["iterations"] = iterations / static_cast<double>(nonlinear_ms.size());
  state.counters["tetrahedra"] = static_cast<double>(real.cooked->body->description.mesh.tetrahedra.size());
  set_thread_count(0);
}

BENCHMARK(step)
    ->ArgNames({"tetrahedra", "clip"})
    ->ArgsProduct({{8000, 21000}, {0, 1}})
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);

}  // namespace
