// Linear blend skinning next to a plain copy of the same bytes, one thread.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "sinew/base/threads/parallel.h"
#include "sinew/rig/linear_blend.h"

namespace {

using namespace sinew;

constexpr std::size_t bones = 64;

// A body along x with vertices in mesh order: neighbours share their bones, as in files that went through a
// vertex-cache optimiser.
struct Body {
  PackedSkin skin;
  std::vector<FloatBone> bone;
  std::vector<float> positions, normals;
};

Body make_body(std::size_t vertices, bool normals) {
  std::mt19937 generator(1);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<Vec3> position(vertices), normal(normals ? vertices : 0, Vec3{0, 1, 0});
  std::vector<Influences> influences(vertices);
  for (std::size_t i = 0; i < vertices; ++i) {
    position[i] = {uniform(generator), uniform(generator), uniform(generator)};
    Influences& v = influences[i];
    v.count = 4;
    const std::size_t first = i * (bones - 4) / vertices;
    double sum = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      v.joint[k] = static_cast<int>(first + k);
      sum += v.weight[k] = 0.1 + uniform(generator);
    }
    for (double& w : v.weight) w /= sum;
  }
  Body body;
  body.skin = pack_skin(position, normal, influences, bones);
  for (std::size_t b = 0; b <= bones; ++b)
    body.bone.push_back(to_float_bone({to_matrix(axis_angle({0, 0, 1}, 0.01 * static_cast<double>(b))), {0, 0, 1}}));
  body.positions.resize(3 * vertices);
  body.normals.resize(normal.size() * 3);
  return body;
}

std::size_t bytes_in(const Body& body) {
  return (body.skin.position.size() + body.skin.normal.size() + body.skin.weight.size()) * sizeof(float) +
         body.skin.bone_offset.size() * sizeof(std::uint16_t);
}

void report(benchmark::State& state, const Body& body) {
  const double vertices = static_cast<double>(body.skin.count);
  state.counters["ns/vertex"] =
      benchmark::Counter(vertices * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void skin_vertices(benchmark::State& state, bool normals) {
  set_thread_count(1);
  Body body = make_body(static_cast<std::size_t>(state.range(0)), normals);
  for (auto _ : state) {
    skin(body.skin, body.bone, body.positions, body.normals);
    benchmark::ClobberMemory();
  }
  report(state, body);
}

void skin_plain_loop(benchmark::State& state) {
  Body body = make_body(static_cast<std::size_t>(state.range(0)), false);
  for (auto _ : state) {
    skin_reference(body.skin, body.bone, body.positions);
    benchmark::ClobberMemory();
  }
  report(state, body);
}

// Moves as many bytes as skinning reads and writes.
void copy_same_bytes(benchmark::State& state, bool normals) {
  const Body body = make_body(static_cast<std::size_t>(state.range(0)), normals);
  const std::size_t bytes = (bytes_in(body) + (body.positions.size() + body.normals.size()) * sizeof(float)) / 2;
  std::vector<char> from(bytes, 1), to(bytes);
  for (auto _ : state) {
    std::memcpy(to.data(), from.data(), bytes);
    benchmark::ClobberMemory();
  }
  report(state, body);
}

BENCHMARK_CAPTURE(skin_vertices, positions, false)
    ->Arg(25'000)
    ->Arg(100'000)
    ->Arg(1'000'000)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(skin_vertices, positions_and_normals, true)
    ->Arg(25'000)
    ->Arg(100'000)
    ->Arg(1'000'000)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(skin_plain_loop)->Arg(25'000)->Arg(1'000'000)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(copy_same_bytes, positions, false)
    ->Arg(25'000)
    ->Arg(100'000)
    ->Arg(1'000'000)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(copy_same_bytes, positions_and_normals, true)
    ->Arg(25'000)
    ->Arg(100'000)
    ->Arg(1'000'000)
    ->Unit(benchmark::kMicrosecond);

}  // namespace
