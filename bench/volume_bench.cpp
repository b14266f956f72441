// Volume meshing: all of mesh_volume() by number of tetrahedra, and its parts.
#include <benchmark/benchmark.h>

#include "sinew/mesh/surface/defects.h"
#include "sinew/mesh/surface/winding_number.h"
#include "sinew/mesh/volume/volume_meshing.h"

namespace {

using namespace sinew;

// A closed surface with arms: radius 1 + 0.5 sin products on a sphere of n by 2 n quadrilaterals.
TriangleMesh bumpy_sphere(int n) {
  constexpr double pi = 3.14159265358979323846;
  TriangleMesh mesh;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j < 2 * n; ++j) {
      const double theta = pi * (i + 0.5) / (n + 1), phi = pi * j / n;
      const double r = 1 + 0.5 * std::sin(3 * theta) * std::sin(4 * phi);
      mesh.positions.push_back(
          {r * std::sin(theta) * std::cos(phi), r * std::cos(theta), r * std::sin(theta) * std::sin(phi)});
    }
  const auto at = [n](int i, int j) { return i * 2 * n + j % (2 * n); };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < 2 * n; ++j) {
      mesh.triangles.push_back({at(i, j), at(i, j + 1), at(i + 1, j + 1)});
      mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i + 1, j)});
    }
  for (int j = 1; j + 1 < 2 * n; ++j) {
    mesh.triangles.push_back({at(0, 0), at(0, j + 1), at(0, j)});
    mesh.triangles.push_back({at(n, 0), at(n, j), at(n, j + 1)});
  }
  return mesh;
}

void volume(benchmark::State& state) {
  const TriangleMesh surface = bumpy_sphere(64);
  VolumeMeshingOptions options;
  options.target_tetrahedra = static_cast<int>(state.range(0));
  std::size_t tetrahedra = 0;
  for (auto _ : state) tetrahedra = mesh_volume(surface, options).mesh.tetrahedra.size();
  state.counters["tetrahedra"] = static_cast<double>(tetrahedra);
  state.counters["triangles"] = static_cast<double>(surface.triangles.size());
}
BENCHMARK(volume)->Arg(1000)->Arg(8000)->Arg(64000)->Arg(1000000)->Unit(benchmark::kMillisecond);

void winding_number(benchmark::State& state) {
  const TriangleMesh surface = bumpy_sphere(static_cast<int>(state.range(0)));
  const BoundingVolumeHierarchy tree(surface);
  const WindingNumber winding(tree);
  double sum = 0;
  int i = 0;
  for (auto _ : state) {
    sum += winding({std::sin(0.7 * i), std::sin(1.1 * i), std::sin(1.7 * i)});
    ++i;
  }
  benchmark::DoNotOptimize(sum);
  state.counters["triangles"] = static_cast<double>(surface.triangles.size());
}
BENCHMARK(winding_number)->Arg(32)->Arg(128)->Unit(benchmark::kMicrosecond);

void defects(benchmark::State& state) {
  const TriangleMesh surface = bumpy_sphere(158);  // about 100,000 triangles
  for (auto _ : state) benchmark::DoNotOptimize(find_defects(surface).none());
  state.counters["triangles"] = static_cast<double>(surface.triangles.size());
}
BENCHMARK(defects)->Unit(benchmark::kMillisecond);

}  // namespace
