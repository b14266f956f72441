// Motion graphs, one thread: transitions between all windows of 1,000 and of 10,000 frames of 64 points.
#include <benchmark/benchmark.h>

#include <cmath>
#include <vector>

#include "sinew/base/threads/parallel.h"
#include "sinew/kinematics/graph/similar_windows.h"

namespace {

using namespace sinew;

constexpr std::size_t points = 64;
constexpr int window = 10;

// Limbs that swing at paces that change, of a body that wanders.
std::vector<Vec3> motion(std::size_t frames, double seed) {
  std::vector<Vec3> positions;
  for (std::size_t f = 0; f < frames; ++f)
    for (std::size_t k = 0; k < points; ++k) {
      const double t = static_cast<double>(f) / 30, limb = static_cast<double>(k);
      const double phase = 6 * t + std::sin(0.7 * t + seed);
      const Vec3 own{0.3 * std::sin(limb + 0.2 * std::cos(phase)), 0.02 * limb + 0.05 * std::cos(phase + 0.1 * limb),
                     0.4 * std::sin(phase + 0.2 * limb + std::sin(0.31 * t))};
      positions.push_back(turned(0.3 * std::sin(0.2 * t + seed), own) + Vec3{std::sin(0.1 * t), 0, 1.2 * t});
    }
  return positions;
}

void graph(benchmark::State& state) {
  const auto frames = static_cast<std::size_t>(state.range(0)), clips = frames / 250;
  set_thread_count(1);
  std::size_t pairs = 0;
  for (auto _ : state) {
    WindowDistances distances(std::vector<double>(points, 1.0 / points), window);
    std::vector<WindowRun> runs;
    for (std::size_t c = 0; c < clips; ++c) {
      runs.push_back({distances.frames(), 250 - window, false});
      distances.add_run(motion(250, static_cast<double>(c)), 250 - window);
    }
    DenseMatrix limits(clips, clips);
    for (double& limit : limits.value) limit = 0.1;
    pairs = find_similar_windows(distances, runs, limits).pairs.size();
  }
  set_thread_count(0);
  state.counters["pairs"] = static_cast<double>(pairs);
}

BENCHMARK(graph)->Arg(1000)->Arg(10000)->Unit(benchmark::kMillisecond);

}  // namespace
