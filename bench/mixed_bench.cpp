// Mixed finite elements per frame: blending of rotations, pins, linear solve and embedding of a surface, on bodies with
// the sizes of Song et al. (2024) and with 1k to 1M tetrahedra; next to a new factorisation in each pose.
#include <benchmark/benchmark.h>

#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bench/measures.h"
#include "bench/mixed_models.h"
#include "sinew/base/stopwatch.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/deform/mixed/condensed_matrix.h"
#include "sinew/deform/mixed/mixed_solver.h"
#include "sinew/deform/mixed/pins.h"
#include "sinew/deform/mixed/rotation_field.h"
#include "sinew/linalg/scalar_cholesky.h"
#include "sinew/mesh/boundary_surface.h"
#include "sinew/mesh/embedding.h"

namespace {

using namespace sinew;

constexpr int pose_count = 16;
constexpr double young = 3e4, poisson = 0.45;

// Data that does not depend on the material.
struct Model {
  TetrahedralMesh mesh;
  std::vector<Bone> bones;
  BonePins pins;
  RotationWeights weights;
  Embedding surface;  // as many points as the mesh has vertices, on its boundary
  std::vector<std::vector<Affine>> poses;
};

Embedding points_on_boundary(const TetrahedralMesh& mesh) {
  const BoundarySurface boundary = boundary_surface(mesh);
  Embedding embedding;
  const std::size_t count = mesh.positions.size();
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t face = k * boundary.triangles.size() / count;
    // Barycentric weights that vary over the face.
    const double u = std::fmod(static_cast<double>(k) * 0.754877666, 1.0),
                 v = std::fmod(static_cast<double>(k) * 0.569840291, 1.0);
    const std::array<double, 3> weight{1 - std::sqrt(u), std::sqrt(u) * (1 - v), std::sqrt(u) * v};
    EmbeddedPoint point;
    point.tetrahedron = boundary.tetrahedron[face];
    const Tetrahedron& corners = mesh.tetrahedra[static_cast<std::size_t>(point.tetrahedron)];
    for (std::size_t c = 0; c < 4; ++c)
      for (std::size_t f = 0; f < 3; ++f)
        if (corners[c] == boundary.triangles[face][f]) point.weights[c] = weight[f];
    embedding.points.push_back(point);
  }
  return embedding;
}

Model make_model(const bench::ModelShape& shape) {
  Model model;
  model.mesh = bench::mesh_of(shape);
  model.bones = bench::bones_of(shape);
  const RotationClusters clusters = rotation_clusters(model.mesh, model.bones, ClusterRule::segment);
  model.pins = bone_pins(model.mesh, model.bones, clusters);
  model.weights = smooth_weights(model.mesh, model.bones, clusters.bone);
  model.surface = points_on_boundary(model.mesh);
  for (int k = 0; k < pose_count; ++k) model.poses.push_back(bench::pose_of(model.bones, k));
  return model;
}

std::shared_ptr<const MixedBody> body_of(const Model& model, MixedMaterial material) {
  ElementFields fields;
  fields.material = {young, poisson, 1000};
  return std::make_shared<const MixedBody>(mixed_body(model.mesh.positions,
                                                      strain_samples(model.mesh, Element::linear, fields),
                                                      stretch_energy(material), held_pins(model.pins)));
}

// Only one model and one body are kept at a time, since the large ones need the memory.
struct Kept {
  std::string model_key, body_key;
  Model model;
  std::shared_ptr<const MixedBody> body;
  std::unique_ptr<MixedSolver> solver;
  double solver_seconds = 0;
};

struct Case {
  std::string key;
  bench::ModelShape shape;
};

Kept& kept_model(const Case& c) {
  static Kept kept;
  if (kept.model_key != c.key) {
    kept = Kept{};
    kept.model = make_model(c.shape);
    kept.model_key = c.key;
  }
  return kept;
}

Kept& kept_solver(const Case& c, MixedMaterial material, MixedLinearSolver linear_solver) {
  Kept& kept = kept_model(c);
  const std::string key =
      std::to_string(static_cast<int>(material)) + "/" + std::to_string(static_cast<int>(linear_solver));
  if (kept.body_key != key) {
    kept.solver.reset();
    kept.body = body_of(kept.model, material);
    MixedSolverOptions options;
    options.linear_solver = linear_solver;
    Stopwatch watch;
    kept.solver = std::make_unique<MixedSolver>(kept.body, options);
    kept.solver_seconds = watch.seconds();
    kept.body_key = key;
  }
  return kept;
}

// State between the stages of a frame.
struct Frame {
  std::vector<Mat3> turns, rotations;
  std::vector<Vec3> held, positions, surface;

  void blend(const Model& model, const std::vector<Affine>& pose) {
    turns.clear();
    for (const Affine& bone : pose) turns.push_back(bone.linear);
    rotations.resize(model.weights.size());
    blend_rotations(model.weights, turns, rotations);
    held = pin_positions(model.pins, model.mesh.positions, pose);
  }
  MixedLoad load() const { return {rotations, held, {}, {}}; }
};

void report_size(benchmark::State& state, const Case& c, const Model& model) {
  state.counters["tetrahedra"] = static_cast<double>(model.mesh.tetrahedra.size());
  state.counters["vertices"] = static_cast<double>(model.mesh.positions.size());
  if (c.shape.vertices == 0) return;
  state.counters["paper_vertices"] = c.shape.vertices;
  state.counters["paper_tetrahedra"] = c.shape.tetrahedra;
  const auto near = [](double a, double b) { return std::abs(a / b - 1) < 0.02; };
  if (!near(state.counters["tetrahedra"], c.shape.tetrahedra) || !near(state.counters["vertices"], c.shape.vertices))
    state.SkipWithError("the model has not the size of the paper's");
}

void frame(benchmark::State& state, const Case& c, MixedMaterial material, MixedLinearSolver linear_solver) {
  Kept& kept = kept_solver(c, material, linear_solver);
  const Model& model = kept.model;
  Frame work;
  double blend = 0, solve = 0, embed = 0, iterations = 0;
  int k = 0;
  const auto one_frame = [&] {
    Stopwatch watch;
    work.blend(model, model.poses[static_cast<std::size_t>(k++ % pose_count)]);
    blend += watch.lap();
    iterations += kept.solver->solve(work.load(), work.positions).iterations;
    solve += watch.lap();
    work.surface = embedded_positions(model.surface, model.mesh, work.positions);
    embed += watch.lap();
  };
  one_frame();
  blend = solve = embed = iterations = 0;
  k = 0;
  for (auto _ : state) one_frame();
  const double frames = static_cast<double>(state.iterations());
  state.counters["blend_ms"] = 1e3 * blend / frames;
  state.counters["solve_ms"] = 1e3 * solve / frames;
  state.counters["embed_ms"] = 1e3 * embed / frames;
  state.counters["cg_iterations"] = iterations / frames;
  state.counters["solver_made_ms"] = 1e3 * kept.solver_seconds;
  report_size(state, c, model);
  k = 0;
  one_frame();
  bench::report_hash(state, bench::hash_of(work.surface));
}

// ARAP with the matrix assembled and factored for each pose, as in the paper, without rotations, pins and embedding.
void refactor_poisson(benchmark::State& state, const Case& c) {
  Kept& kept = kept_solver(c, MixedMaterial::arap, MixedLinearSolver::iterative);
  std::vector<double> b(3 * static_cast<std::size_t>(kept.body->free.count()), 1.0), x(b.size());
  for (auto _ : state) {
    ScalarCholesky factor;
    factor.factor(poisson_matrix(*kept.body));
    factor.solve(b, x, 3);
  }
  report_size(state, c, kept.model);
}

void register_frame(const Case& c, const char* name, MixedMaterial material, MixedLinearSolver linear_solver,
                    int threads, int repetitions, bool once) {
  const std::string full = std::string(name) + "/" + c.key + "/threads:" + std::to_string(threads);
  auto* registered = benchmark::RegisterBenchmark(full.c_str(), [=](benchmark::State& state) {
    set_thread_count(threads);
    frame(state, c, material, linear_solver);
    set_thread_count(0);
  });
  registered->Unit(benchmark::kMillisecond)->UseRealTime();
  if (repetitions > 0) registered->Repetitions(repetitions);
  if (once) registered->Iterations(2);
}

bool register_all() {
  const auto arap = MixedMaterial::arap, corotated = MixedMaterial::corotated;
  const auto iterative = MixedLinearSolver::iterative, direct = MixedLinearSolver::direct;
  for (const bench::ModelShape& shape : {bench::flour_sack(), bench::human(), bench::turtle()}) {
    const Case c{shape.name, shape};
    for (const int threads : {1, 2}) {
      register_frame(c, "arap", arap, iterative, threads, 0, false);
      register_frame(c, "corotated", corotated, iterative, threads, 0, false);
    }
    register_frame(c, "corotated_refactored", corotated, direct, 2, 0, false);
    benchmark::RegisterBenchmark((std::string("arap_refactored/") + c.key + "/threads:2").c_str(),
                                 [c](benchmark::State& state) { refactor_poisson(state, c); })
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
  }
  // The flour sack from coarse to fine.
  for (const int size : {1'000, 3'000, 10'000, 30'000, 100'000, 300'000, 1'000'000}) {
    bench::ModelShape shape = bench::flour_sack(18.25 * std::cbrt(size / 11238.0));
    shape.vertices = shape.tetrahedra = 0;
    const Case c{std::to_string(size), shape};
    const int repetitions = size >= 300'000 ? 1 : 0;
    register_frame(c, "arap", arap, iterative, 2, repetitions, false);
    register_frame(c, "corotated", corotated, iterative, 2, repetitions, size >= 300'000);
    if (size <= 100'000)
      register_frame(c, "corotated_refactored", corotated, direct, 2, size == 100'000 ? 1 : 0, size == 100'000);
  }
  return true;
}

[[maybe_unused]] const bool registered = register_all();

}  // namespace
