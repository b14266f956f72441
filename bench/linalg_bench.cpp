// Sparse Cholesky of one implicit step on the benchmark limbs, next to the cost of reading the same bytes in the same
// run, and the smaller kernels of linalg. Missing limbs are skipped.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "bench/elastic_system.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/linalg/cholesky.h"
#include "sinew/linalg/cholesky/symbolic.h"
#include "sinew/linalg/rotation.h"

#ifdef SINEW_BENCH_MUMPS
#include "bench/mumps.h"
#endif
#ifdef SINEW_BENCH_CHOLMOD
#include "bench/cholmod.h"
#endif

namespace {

using namespace sinew;

constexpr std::array<const char*, 3> limb_names{"arm11k", "arm21k", "arm100k"};

struct System {
  BlockMatrix matrix;
  std::vector<double> b;
  double entries_read = 0;  // per solution: the panels below the diagonal twice, D^-1 once
};

// Empty if the limb's file is missing.
const System* limb_system(std::size_t limb) {
  static std::map<std::size_t, System> systems;
  if (const auto found = systems.find(limb); found != systems.end()) return &found->second;
  const auto file = bench::read_tet_file(bench::data_folder() / (std::string(limb_names[limb]) + ".tet"));
  if (!file) return nullptr;
  System system;
  system.matrix = bench::elastic_system(*file, 0.01);
  std::mt19937 generator(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int i = 0; i < 3 * system.matrix.rows; ++i) system.b.push_back(uniform(generator));
  for (const cholesky::Supernode& node : cholesky::symbolic_factorisation(system.matrix).nodes)
    system.entries_read += 9.0 * node.columns * (2.0 * node.rows + 0.5 * node.columns);
  return &(systems[limb] = std::move(system));
}

const System* begin(benchmark::State& state, int threads) {
  const std::size_t limb = static_cast<std::size_t>(state.range(0));
  const System* system = limb_system(limb);
  if (!system) state.SkipWithError("benchmark limb not found; set SINEW_BENCH_DATA");
  state.SetLabel(limb_names[limb]);
  set_thread_count(threads);
  return system;
}

void analyze(benchmark::State& state) {
  const System* system = begin(state, 1);
  if (!system) return;
  for (auto _ : state) BlockCholesky().analyze(system->matrix);
}

void factor(benchmark::State& state) {
  const System* system = begin(state, static_cast<int>(state.range(1)));
  if (!system) return;
  BlockCholesky cholesky;
  cholesky.analyze(system->matrix);
  for (auto _ : state) cholesky.factor(system->matrix);
  state.counters["factor_MB"] = static_cast<double>(cholesky.factor_entries()) * 8e-6;
}

void solve(benchmark::State& state, FactorPrecision precision) {
  const System* system = begin(state, static_cast<int>(state.range(1)));
  if (!system) return;
  BlockCholesky cholesky;
  cholesky.factor(system->matrix, precision);
  std::vector<double> x(system->b.size());
  for (auto _ : state) cholesky.solve(system->b, x);
  const double bytes = precision == FactorPrecision::double_precision ? 8 : 4;
  state.counters["factor_MB"] = static_cast<double>(cholesky.factor_entries()) * bytes * 1e-6;
  state.counters["GB/s"] =
      benchmark::Counter(system->entries_read * bytes * 1e-9, benchmark::Counter::kIsIterationInvariantRate);
}

// The lower bound: a sum over as many bytes as a solution in double precision reads, in one thread, from a buffer of
// the factor's size.
void read_factor(benchmark::State& state) {
  const System* system = begin(state, 1);
  if (!system) return;
  BlockCholesky cholesky;
  cholesky.analyze(system->matrix);
  cholesky.factor(system->matrix);
  std::vector<double> buffer(cholesky.factor_entries(), 1.0);
  std::size_t position = 0;
  for (auto _ : state) {
    double sum[8] = {};
    for (std::size_t left = static_cast<std::size_t>(system->entries_read); left >= 8; left -= 8) {
      if (position + 8 > buffer.size()) position = 0;
      for (std::size_t lane = 0; lane < 8; ++lane) sum[lane] += buffer[position + lane];
      position += 8;
    }
    benchmark::DoNotOptimize(std::accumulate(sum, sum + 8, 0.0));
  }
  state.counters["GB/s"] =
      benchmark::Counter(system->entries_read * 8e-9, benchmark::Counter::kIsIterationInvariantRate);
}

void multiply_blocks(benchmark::State& state) {
  const System* system = begin(state, 1);
  if (!system) return;
  std::vector<double> y(system->b.size());
  for (auto _ : state) multiply(system->matrix, system->b, y);
  state.counters["GB/s"] = benchmark::Counter(static_cast<double>(system->matrix.block.size()) * 76e-9,
                                              benchmark::Counter::kIsIterationInvariantRate);
}

// A grid of about a million tetrahedra.
void pattern_million(benchmark::State& state) {
  set_thread_count(1);
  constexpr int n = 56;
  std::vector<int> elements;
  for (int i = 0; i + 1 < n; ++i)
    for (int j = 0; j + 1 < n; ++j)
      for (int k = 0; k + 1 < n; ++k) {
        const int v = (i * n + j) * n + k;
        for (const auto& [a, b] : {std::pair{1, n}, {n, 1}, {1, n * n}, {n * n, 1}, {n, n * n}, {n * n, n}})
          elements.insert(elements.end(), {v, v + a, v + a + b, v + 1 + n + n * n});
      }
  for (auto _ : state) benchmark::DoNotOptimize(block_pattern(n * n * n, elements, 4));
  state.counters["elements"] = static_cast<double>(elements.size() / 4);
}

void rotations(benchmark::State& state, bool warm) {
  std::mt19937 generator(1);
  std::uniform_real_distribution<double> uniform(-0.2, 0.2);
  std::vector<Mat3> matrices(1000);
  std::vector<Quat> guesses;
  for (Mat3& a : matrices) {
    for (double& v : a.m) v += uniform(generator);
    a = to_matrix(normalized(Quat{uniform(generator), uniform(generator), 0.2, 0.2})) * a;
    Quat guess = to_quaternion(closest_rotation(a));
    guess.x += 0.01;  // a typical change over a time step
    guesses.push_back(warm ? normalized(guess) : Quat{});
  }
  for (auto _ : state)
    for (std::size_t i = 0; i < matrices.size(); ++i)
      benchmark::DoNotOptimize(closest_rotation(matrices[i], guesses[i]));
  state.SetItemsProcessed(state.iterations() * 1000);
}

void svds(benchmark::State& state) {
  std::mt19937 generator(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<Mat3> matrices(1000);
  for (Mat3& a : matrices)
    for (double& v : a.m) v = uniform(generator);
  for (auto _ : state)
    for (const Mat3& a : matrices) benchmark::DoNotOptimize(signed_svd(a));
  state.SetItemsProcessed(state.iterations() * 1000);
}

BENCHMARK(analyze)->DenseRange(0, 2)->Unit(benchmark::kMillisecond);
BENCHMARK(factor)->ArgsProduct({{0, 1, 2}, {1, 2}})->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(solve, double, FactorPrecision::double_precision)
    ->ArgsProduct({{0, 1, 2}, {1, 2}})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(solve, single, FactorPrecision::single_precision)
    ->ArgsProduct({{0, 1, 2}, {1, 2}})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(read_factor)->DenseRange(0, 2)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(multiply_blocks)->DenseRange(0, 2)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(pattern_million)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(rotations, cold, false);
BENCHMARK_CAPTURE(rotations, warm, true);
BENCHMARK(svds);

#ifdef SINEW_BENCH_CHOLMOD
double milliseconds(clockid_t clock) {
  timespec time;
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

template <class Body>
double milliseconds_of(clockid_t clock, const Body& body) {
  const double begin = milliseconds(clock);
  body();
  return milliseconds(clock) - begin;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Refactorisation in alternation with CHOLMOD, so that both run under the same conditions. Medians of thread time for
// one thread and of wall time for two; `ratio` is one thread relative to CHOLMOD with the better of its orderings.
void factor_beside_cholmod(benchmark::State& state) {
  const System* system = begin(state, 1);
  if (!system) return;
  BlockCholesky cholesky;
  cholesky.analyze(system->matrix);
  Cholmod own(system->matrix, false), metis(system->matrix, true);
  own.factor();
  metis.factor();
  std::vector<double> one, two, cholmod_own, cholmod_metis;
  const auto ours = [&] { cholesky.factor(system->matrix); };
  ours();
  for (auto _ : state) {
    one.push_back(milliseconds_of(CLOCK_THREAD_CPUTIME_ID, ours));
    cholmod_own.push_back(milliseconds_of(CLOCK_THREAD_CPUTIME_ID, [&] { own.factor(); }));
    cholmod_metis.push_back(milliseconds_of(CLOCK_THREAD_CPUTIME_ID, [&] { metis.factor(); }));
    set_thread_count(2);
    ours();  // wakes the other thread
    two.push_back(milliseconds_of(CLOCK_MONOTONIC, ours));
    set_thread_count(1);
  }
  double operations = 0;
  for (const cholesky::Supernode& node : cholesky::symbolic_factorisation(system->matrix).nodes) {
    const double n = 3.0 * node.columns, m = 3.0 * node.rows;
    operations += n * n * n + 2 * m * n * n + m * m * n;
  }
  const double yardstick = std::min(median(cholmod_own), median(cholmod_metis));
  state.counters["one_ms"] = median(one);
  state.counters["two_ms"] = median(two);
  state.counters["cholmod_own_ms"] = median(cholmod_own);
  state.counters["cholmod_metis_ms"] = median(cholmod_metis);
  state.counters["ratio"] = median(one) / yardstick;
  state.counters["Gflop/s"] = operations * 1e-6 / median(one);
  state.counters["cholmod_Gflop/s"] = metis.operations() * 1e-6 / median(cholmod_metis);
  state.counters["dgemm_Gflop/s"] = blas_rate();
}

BENCHMARK(factor_beside_cholmod)->DenseRange(0, 2)->Unit(benchmark::kMillisecond)->MinTime(4);
#endif

#ifdef SINEW_BENCH_MUMPS
void mumps_factor(benchmark::State& state) {
  const System* system = begin(state, 1);
  if (!system) return;
  Mumps mumps(system->matrix);
  for (auto _ : state) mumps.factor();
}

void mumps_solve(benchmark::State& state) {
  const System* system = begin(state, 1);
  if (!system) return;
  Mumps mumps(system->matrix);
  mumps.factor();
  std::vector<double> x;
  for (auto _ : state) {
    x = system->b;
    mumps.solve(x);
  }
}

BENCHMARK(mumps_factor)->DenseRange(0, 2)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(mumps_solve)->DenseRange(0, 2)->Unit(benchmark::kMillisecond)->UseRealTime();
#endif

}  // namespace
