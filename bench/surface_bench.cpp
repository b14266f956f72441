// A step of learned dynamic skinning in the run-time for engines, by vector width and threads, next to a plain copy of
// the bytes that it moves, and next to skinning alone (docs/runtime.md). Bodies are tubes with the paper's sizes on 19
// bones.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <thread>

#include "bench/measures.h"
#include "sinew/base/threads/thread_team.h"
#include "tests/runtime/surface_bodies.h"

namespace sinew {
namespace {

struct Bench {
  SurfaceModel model;
  std::unique_ptr<test::RuntimeModel> opened;
  std::size_t model_bytes = 0;
  std::vector<test::Bones> lively, wild;  // poses: flesh 3 % of the height from its goal (10 % at most), or 10 and 27 %
};

// Rings and columns for about this number of vertices.
const Bench& bench_of(std::int64_t vertices) {
  static std::map<std::int64_t, Bench> all;
  Bench& bench = all[vertices];
  if (bench.opened) return bench;
  const int columns = vertices < 10000 ? 101 : vertices < 100000 ? 100 : 500;
  bench.model = test::tube(static_cast<int>((vertices - 2 + columns / 2) / columns), columns, 19, 2, 0.3);
  test::set_parameters(bench.model, {0.02, 0.3, 0.1, 0.2, 0.03});
  const std::vector<std::byte> file = cook_runtime_file(bench.model);
  test::must(sinew_model_memory(file.data(), file.size(), &bench.model_bytes));
  bench.opened = std::make_unique<test::RuntimeModel>(file);
  for (int i = 0; i < 64; ++i) {
    const auto pose = [&](double size) {
      return test::bent(bench.model, size * std::sin(0.1 * i), {0, size * std::sin(0.2 * i), 0});
    };
    bench.lively.push_back(pose(0.015));
    bench.wild.push_back(pose(0.05));
  }
  return bench;
}

struct Team {
  explicit Team(int threads) : team(threads) {}
  static void run(void* host, std::uint32_t tasks, void (*task)(void*, std::uint32_t), void* work) {
    static_cast<Team*>(host)->team.run(tasks, [&](std::size_t i) { task(work, static_cast<std::uint32_t>(i)); });
  }
  ThreadTeam team;
};

// Bytes that a step reads and writes once: both records, and the model without what only output and tools read.
double bytes_of_step(const Bench& bench) {
  const double n = static_cast<double>(bench.model.rest.size());
  const double others =
      n * (12 + 8) + 4.0 * static_cast<double>(bench.model.parts[0].vertex_of.size());  // normals, order
  return 128 * n + static_cast<double>(bench.model_bytes) - others;
}

double copy_of(double bytes, int threads) {
  // A copy reads and writes, so half the bytes each.
  const auto each = static_cast<std::size_t>(bytes / 2 / threads);
  std::vector<std::vector<char>> from(static_cast<std::size_t>(threads), std::vector<char>(each, 1)), to = from;
  ThreadTeam team(threads);
  double least = 1e300;
  for (int repetition = 0; repetition < 15; ++repetition) {
    const auto start = std::chrono::steady_clock::now();
    team.run(static_cast<std::size_t>(threads),
             [&](std::size_t i) { std::memcpy(to[i].data(), from[i].data(), each); });
    benchmark::ClobberMemory();
    least =
        std::min(least, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }
  return least;
}

void report(benchmark::State& state, const Bench& bench, int threads) {
  const double vertices = static_cast<double>(bench.model.rest.size()), bytes = bytes_of_step(bench);
  state.counters["vertices"] = vertices;
  state.counters["per_us"] = benchmark::Counter(vertices * 1e-6, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["bytes_per_vertex"] = bytes / vertices;
  state.counters["copy_ms"] = copy_of(bytes, threads);
}

enum class Motion { lively, wild };

void step(benchmark::State& state, sinew_simd level, int threads, Motion motion = Motion::lively) {
  const Bench& bench = bench_of(state.range(0));
  const std::vector<test::Bones>& poses = motion == Motion::lively ? bench.lively : bench.wild;
  if (!sinew_simd_works(level)) {
    state.SkipWithError("this machine does not have it");
    return;
  }
  const test::RuntimeBody body(*bench.opened);
  Team team(threads);
  const sinew_threads host{Team::run, &team, static_cast<std::uint32_t>(threads)};
  test::must(sinew_body_use_simd(body.body, level));
  if (threads > 1) test::must(sinew_body_use_threads(body.body, &host));
  test::must(sinew_body_reset(body.body, poses[0].data(), nullptr));
  std::size_t i = 0;
  while (i < 256) test::must(sinew_body_step(body.body, poses[++i % 64].data()));  // until it swings
  for (auto _ : state) test::must(sinew_body_step(body.body, poses[++i % 64].data()));
  report(state, bench, threads);
}

// Bones in, positions out, or normals too: an engine's work without physics, next to `eigen_loop` of goal_bench.cpp.
void skin(benchmark::State& state, sinew_simd level, bool with_normals) {
  const Bench& bench = bench_of(state.range(0));
  if (!sinew_simd_works(level)) {
    state.SkipWithError("this machine does not have it");
    return;
  }
  const test::RuntimeBody body(*bench.opened);
  test::must(sinew_body_use_simd(body.body, level));
  std::vector<float> positions(3 * bench.model.rest.size()), normals(positions.size());
  test::must(sinew_body_reset(body.body, bench.lively[0].data(), nullptr));
  std::size_t i = 0;
  for (auto _ : state) {
    test::must(sinew_body_advance(body.body, bench.lively[++i % 64].data(), 0, nullptr));
    test::must(sinew_body_shape(body.body, SINEW_ALL_VERTICES, positions.data(), 12,
                                with_normals ? normals.data() : nullptr, with_normals ? 12 : 0));
  }
  state.counters["per_vertex"] =
      benchmark::Counter(static_cast<double>(bench.model.rest.size()),
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void frame(benchmark::State& state) {
  const Bench& bench = bench_of(state.range(0));
  const test::RuntimeBody body(*bench.opened);
  std::vector<float> positions(3 * bench.model.rest.size()), normals(positions.size());
  test::must(sinew_body_reset(body.body, bench.lively[0].data(), nullptr));
  std::size_t i = 0;
  for (auto _ : state) {
    test::must(sinew_body_step(body.body, bench.lively[++i % 64].data()));
    test::must(sinew_body_shape(body.body, SINEW_ALL_VERTICES, positions.data(), 12, normals.data(), 12));
  }
  report(state, bench, 1);
}

}  // namespace

BENCHMARK_CAPTURE(step, scalar, SINEW_SCALAR, 1)->Arg(6969)->Arg(25001)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(step, sse2, SINEW_SSE2, 1)->Arg(6969)->Arg(25001)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(step, neon, SINEW_NEON, 1)->Arg(6969)->Arg(25001)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(step, avx2, SINEW_AVX2, 1)
    ->Arg(6969)
    ->Arg(25001)
    ->Arg(1000000)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(step, avx512, SINEW_AVX512, 1)
    ->Arg(6969)
    ->Arg(25001)
    ->Arg(1000000)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(step, avx512_wild, SINEW_AVX512, 1, Motion::wild)
    ->Arg(6969)
    ->Arg(25001)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(step, avx2_two_threads, SINEW_AVX2, 2)
    ->Arg(25001)
    ->Arg(1000000)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(step, avx512_two_threads, SINEW_AVX512, 2)
    ->Arg(25001)
    ->Arg(1000000)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(skin, positions_avx2, SINEW_AVX2, false)->Arg(6969)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(skin, positions_avx512, SINEW_AVX512, false)->Arg(6969)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(skin, normals_avx2, SINEW_AVX2, true)->Arg(6969)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(skin, normals_avx512, SINEW_AVX512, true)->Arg(6969)->Unit(benchmark::kMicrosecond);
BENCHMARK(frame)
    ->Name("step_with_positions_and_normals")
    ->Arg(6969)
    ->Arg(25001)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace sinew
