// The nonlinear elastic energy of cells with k functions and s samples each: precomputed tensors and direct quadrature,
// one force and one stiffness on one thread. The threshold in studies/reference/quartic_potential.cpp is fitted to it.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <random>
#include <vector>

#include "sinew/base/threads/parallel.h"
#include "studies/reference/quartic_potential.h"

namespace {

using namespace sinew;

constexpr int cells = 40;

// Cells that share half of their functions with the next one; pseudo-random coefficients.
StrainSamples cell_samples(int functions_per_cell, int samples_per_cell) {
  std::mt19937 generator(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  StrainSamples samples;
  for (int cell = 0; cell < cells; ++cell)
    for (int s = 0; s < samples_per_cell; ++s) {
      for (int k = 0; k < functions_per_cell; ++k) {
        samples.vertex.push_back(cell * ((functions_per_cell + 1) / 2) + k);
        samples.gradient.push_back({uniform(generator), uniform(generator), uniform(generator)});
      }
      samples.start.push_back(static_cast<int>(samples.vertex.size()));
      samples.volume.push_back(1);
      samples.shear.push_back(1);
      samples.lambda.push_back(2);
    }
  return samples;
}

void evaluate(benchmark::State& state, QuarticEvaluation how, bool stiffness) {
  set_thread_count(1);
  const StrainSamples samples = cell_samples(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
  const int functions = 1 + *std::max_element(samples.vertex.begin(), samples.vertex.end());
  QuarticPotential potential(samples, functions, how);
  std::vector<Vec3> q(static_cast<std::size_t>(functions), {0.1, 0.2, -0.1}), gradient(q.size());
  BlockMatrix hessian = potential.hessian_pattern();
  for (auto _ : state) {
    if (stiffness)
      potential.hessian(q, hessian);
    else
      potential.gradient(q, gradient);
    benchmark::ClobberMemory();
  }
  state.counters["ns_per_cell"] =
      benchmark::Counter(cells, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  set_thread_count(0);
}

void tensors_force(benchmark::State& state) { evaluate(state, QuarticEvaluation::tensors, false); }
void tensors_stiffness(benchmark::State& state) { evaluate(state, QuarticEvaluation::tensors, true); }
void quadrature_force(benchmark::State& state) { evaluate(state, QuarticEvaluation::quadrature, false); }
void quadrature_stiffness(benchmark::State& state) { evaluate(state, QuarticEvaluation::quadrature, true); }

void sizes_of_tensors(benchmark::internal::Benchmark* benchmark) {
  for (const int functions : {4, 8, 12, 15, 20, 27}) benchmark->Args({functions, 1});
}
void sizes_of_quadrature(benchmark::internal::Benchmark* benchmark) {
  for (const int functions : {4, 8, 15, 27})
    for (const int samples : {6, 48, 384}) benchmark->Args({functions, samples});
}

BENCHMARK(tensors_force)->Apply(sizes_of_tensors)->Unit(benchmark::kMicrosecond);
BENCHMARK(tensors_stiffness)->Apply(sizes_of_tensors)->Unit(benchmark::kMicrosecond);
BENCHMARK(quadrature_force)->Apply(sizes_of_quadrature)->Unit(benchmark::kMicrosecond);
BENCHMARK(quadrature_stiffness)->Apply(sizes_of_quadrature)->Unit(benchmark::kMicrosecond);

}  // namespace
