// Accuracy and cost of the elements: time to assemble, factor and solve one system with the stiffness at rest, and as
// counters the answer and its error (docs/elements.md).
//
// beam: a cantilever 1 x 0.06 x 0.075 m of nu = 0.45 under a shear force at its tip, in the body-centred lattice that
// bodies are made of, or in cuboids of six tetrahedra. limb: the benchmark limbs under their own weight, where
// SINEW_BENCH_DATA has them. capsule: a body meshed from a surface, vibrating freely.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "bench/tet_file.h"
#include "sinew/elastic/stiffness.h"
#include "sinew/elastic/strain_samples.h"
#include "sinew/elastic/vibration_modes.h"
#include "sinew/mesh/volume/volume_meshing.h"
#include "studies/reference/static_equilibrium.h"
#include "tests/elastic/blocks.h"
#include "tests/mesh/shapes.h"

namespace sinew {
namespace {

constexpr double poisson = 0.45, young = 1e5;
constexpr Vec3 beam_size{1, 0.06, 0.075};
constexpr double tip_force = 0.001;
// Deflection of the middle of the tip, metres, by CalculiX with 60 x 8 x 8 cuboids of six C3D10.
constexpr double beam_reference = 2.440769e-3;
// Sag of the tip of the benchmark limbs, co-rotated, extrapolated to mesh size zero.
constexpr double limb_reference = 0.0121;
// Hertz: extrapolated from 63,000 and 124,000 tetrahedra with the square of the cell size, from above by linear
// tetrahedra (3.6435) and from below by patches (3.6434).
constexpr double capsule_reference = 3.6434;

ElementFields flesh() {
  ElementFields fields;
  fields.material = {young, poisson, 1000};
  return fields;
}

// Uniform traction on the end x = beam_size.x.
std::vector<Vec3> tip_load(const TetrahedralMesh& mesh) {
  std::vector<Vec3> forces(mesh.positions.size());
  for (const Tetrahedron& t : mesh.tetrahedra) {
    std::vector<std::size_t> face;
    for (const int v : t)
      if (mesh.positions[static_cast<std::size_t>(v)].x > beam_size.x - 1e-9)
        face.push_back(static_cast<std::size_t>(v));
    if (face.size() != 3) continue;
    const double area = norm(cross(mesh.positions[face[1]] - mesh.positions[face[0]],
                                   mesh.positions[face[2]] - mesh.positions[face[0]])) /
                        2;
    for (const std::size_t v : face) forces[v].y -= tip_force * area / (3 * beam_size.y * beam_size.z);
  }
  return forces;
}

void describe(benchmark::State& state, const TetrahedralMesh& mesh, const StrainSamples& samples) {
  const auto n = static_cast<int>(mesh.positions.size());
  state.counters["tetrahedra"] = static_cast<double>(mesh.tetrahedra.size());
  state.counters["vertices"] = n;
  state.counters["blocks_per_row"] = static_cast<double>(rest_stiffness(samples, n).block.size()) / n;
}

void beam(benchmark::State& state, Element element, bool lattice) {
  const int across = static_cast<int>(state.range(0));
  const std::array<int, 3> cells{10 * across, across, across};
  const TetrahedralMesh mesh = lattice ? test::lattice_block(cells, beam_size) : test::block(cells, beam_size).mesh;
  const StrainSamples samples = strain_samples(mesh, element, flesh());
  std::vector<int> held;
  std::size_t tip = 0;
  const Vec3 middle{beam_size.x, beam_size.y / 2, beam_size.z / 2};
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    if (mesh.positions[v].x < 1e-9) held.push_back(static_cast<int>(v));
    if (distance(mesh.positions[v], middle) < distance(mesh.positions[tip], middle)) tip = v;
  }
  const std::vector<Vec3> load = tip_load(mesh);
  double deflection = 0;
  for (auto _ : state) deflection = -linear_equilibrium(samples, load, held)[tip].y;
  describe(state, mesh, samples);
  state.counters["deflection"] = deflection;
  state.counters["error"] = deflection / beam_reference - 1;
}

void limb(benchmark::State& state, Element element, const std::string& name) {
  const auto file = bench::read_tet_file(bench::data_folder() / (name + ".tet"));
  if (!file) {
    state.SkipWithError("no such limb");
    return;
  }
  TetrahedralMesh mesh{file->vertices, {}};
  for (std::size_t t = 0; t + 3 < file->tetrahedra.size(); t += 4)
    mesh.tetrahedra.push_back(
        {file->tetrahedra[t], file->tetrahedra[t + 1], file->tetrahedra[t + 2], file->tetrahedra[t + 3]});
  const StrainSamples samples = strain_samples(mesh, element, flesh());
  std::vector<Vec3> weight;
  for (const double mass : lumped_mass(mesh, flesh())) weight.push_back({0, -9.81 * mass, 0});
  for (auto _ : state) benchmark::DoNotOptimize(linear_equilibrium(samples, weight, file->core));
  EquilibriumOptions options;
  options.tolerance = 1e-5;
  const Equilibrium found = static_equilibrium(samples, mesh.positions, weight, file->core, options);
  const auto tip = static_cast<std::size_t>(file->tip);
  const double sag = mesh.positions[tip].y - found.positions[tip].y;
  describe(state, mesh, samples);
  state.counters["sag"] = sag;
  state.counters["error"] = sag / limb_reference - 1;
  state.counters["newton_steps"] = found.iterations;
}

// The lowest bending frequency of a free capsule 0.5 m long and 0.1 m thick, meshed like a character. It is free
// because the place of held vertices would change with the mesh by more than the elements change the answer.
void capsule(benchmark::State& state, Element element) {
  VolumeMeshingOptions options;
  options.target_tetrahedra = static_cast<int>(state.range(0));
  const VolumeMesh body = mesh_volume(test::capsule({-0.2, 0, 0}, {0.2, 0.013, 0.007}, 0.05, 48, 96), options);
  std::vector<double> fill = body.inside_fraction;
  for (double& share : fill) share = std::max(share, 0.02);
  ElementFields fields = flesh();
  fields.inside_fraction = fill;
  const StrainSamples samples = strain_samples(body.mesh, element, fields);
  const BlockMatrix mass = lumped_mass_matrix(lumped_mass(body.mesh, fields));
  // The shift keeps the six rigid motions from making the matrix singular.
  constexpr double shift = 1.0;  // (rad/s)^2
  BlockMatrix stiffness = rest_stiffness(samples, mass.rows);
  for (int v = 0; v < mass.rows; ++v)
    stiffness.block[static_cast<std::size_t>(find_block(stiffness, v, v))] +=
        mass.block[static_cast<std::size_t>(v)] * shift;
  double frequency = 0;
  for (auto _ : state) {
    const double shifted = 2 * std::numbers::pi * vibration_modes(stiffness, mass, {}, 7).frequency[6];
    frequency = std::sqrt(shifted * shifted - shift) / (2 * std::numbers::pi);
  }
  describe(state, body.mesh, samples);
  state.counters["frequency"] = frequency;
  state.counters["error"] = frequency / capsule_reference - 1;
}

BENCHMARK_CAPTURE(beam, lattice_linear, Element::linear, true)
    ->DenseRange(2, 10, 2)
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(beam, lattice_patch, Element::patch, true)
    ->DenseRange(2, 10, 2)
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(beam, cuboids_linear, Element::linear, false)
    ->DenseRange(2, 10, 2)
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(beam, cuboids_patch, Element::patch, false)
    ->DenseRange(2, 10, 2)
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(capsule, linear, Element::linear)
    ->RangeMultiplier(4)
    ->Range(500, 64000)
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(capsule, patch, Element::patch)
    ->RangeMultiplier(4)
    ->Range(500, 64000)
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(limb, 11k_linear, Element::linear, "limb_11k")->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(limb, 11k_patch, Element::patch, "limb_11k")->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(limb, 92k_linear, Element::linear, "limb_92k")
    ->Iterations(1)
    ->Repetitions(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(limb, 92k_patch, Element::patch, "limb_92k")
    ->Iterations(1)
    ->Repetitions(1)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sinew
