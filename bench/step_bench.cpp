// One implicit step of both references on the benchmark limbs, whose cores swing by 20 degrees at 1 Hz (for the elastic
// reference with an elbow bent by 90 degrees in addition), h = 1/100 s, next to a bare substitution with the same
// factor and to assembling and refactoring the system in every step. Also a complete bake of a sample character,
// relative to real time.
#include <benchmark/benchmark.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <numbers>
#include <string>
#include <tuple>
#include <vector>

#include "bench/tet_file.h"
#ifdef SINEW_BENCH_MUMPS
#include "bench/mumps.h"
#endif
#include "sinew/bake/bake.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/cook/flesh/flesh_scene.h"
#include "sinew/deform/tetrahedra/elastic_reference.h"
#include "sinew/deform/tetrahedra/quasi_newton_reference.h"
#include "sinew/deform/tetrahedra/rig_reference.h"
#include "sinew/jobs/open_character.h"
#include "studies/reference/corotated.h"
#include "tests/character/influences.h"

namespace {

using namespace sinew;

constexpr std::array<const char*, 3> limb_names{"arm11k", "arm21k", "arm100k"};
constexpr double step = 1.0 / 100, elbow_at = 0.5, elbow_blend = 0.15;  // shares of the limb's length along its core

struct Limb {
  std::shared_ptr<const FleshBody> body;
  Vec3 shoulder, elbow;
};

double smooth_step(double t) {
  t = std::clamp(t, 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

// The limb on two bones along its core; weights blend around its middle by distance from the shoulder.
FleshDescription limb_description(const bench::TetFile& file, Element element, Limb& limb) {
  FleshDescription d;
  d.mesh.positions = file.vertices;
  for (std::size_t e = 0; e + 4 <= file.tetrahedra.size(); e += 4)
    d.mesh.tetrahedra.push_back(
        {file.tetrahedra[e], file.tetrahedra[e + 1], file.tetrahedra[e + 2], file.tetrahedra[e + 3]});
  d.element = element;
  d.material = {1e5, 0.45, 1000};
  d.core.assign(file.vertices.size(), 0);
  for (int v : file.core) d.core[static_cast<std::size_t>(v)] = 1;
  const Vec3 tip = file.vertices[static_cast<std::size_t>(file.tip)];
  Vec3 farthest = tip;
  for (int v : file.core)
    if (distance(file.vertices[static_cast<std::size_t>(v)], tip) > distance(farthest, tip))
      farthest = file.vertices[static_cast<std::size_t>(v)];
  limb.shoulder = farthest;
  double reach = 0;
  for (const Vec3& x : file.vertices) reach = std::max(reach, distance(x, limb.shoulder));
  Vec3 sum;
  double count = 0;
  for (int v : file.core) {
    const Vec3& x = file.vertices[static_cast<std::size_t>(v)];
    if (std::abs(distance(x, limb.shoulder) / reach - elbow_at) > 0.05) continue;
    sum += x;
    count += 1;
  }
  limb.elbow = count > 0 ? sum / count : (limb.shoulder + tip) * 0.5;
  for (const Vec3& x : file.vertices) {
    const double along = distance(x, limb.shoulder) / reach,
                 second = smooth_step((along - elbow_at) / elbow_blend + 0.5);
    d.influences.push_back(test::between(0, 1, second));
  }
  d.mass_damping = 2;
  d.stiffness_damping = 0.001;
  return d;
}

// Empty if the limb's file is missing.
const Limb* limb(benchmark::State& state, Element element,
                 FactorPrecision precision = FactorPrecision::double_precision) {
  static std::map<std::tuple<std::int64_t, Element, FactorPrecision>, Limb> limbs;
  const std::int64_t index = state.range(0);
  const char* name = limb_names[static_cast<std::size_t>(index)];
  state.SetLabel(name);
  set_thread_count(static_cast<int>(state.range(1)));
  if (const auto found = limbs.find({index, element, precision}); found != limbs.end()) return &found->second;
  const auto file = bench::read_tet_file(bench::data_folder() / (std::string(name) + ".tet"));
  if (!file) {
    state.SkipWithError("benchmark limb not found; set SINEW_BENCH_DATA");
    return nullptr;
  }
  Limb made;
  FleshDynamics dynamics;
  dynamics.step = step;
  dynamics.factor_precision = precision;
  if (precision == FactorPrecision::double_precision)
    dynamics.static_precision.reset();
  else
    dynamics.static_precision = FactorPrecision::single_precision;
  FleshDescription description = limb_description(*file, element, made);
  made.body = cook_flesh(assemble_flesh(std::move(description)), dynamics);
  return &(limbs[{index, element, precision}] = std::move(made));
}

Affine about(const Vec3& center, double angle) {
  const Mat3 rotation = to_matrix(axis_angle({0, 0, 1}, angle));
  return {rotation, center - rotation * center};
}

std::vector<Affine> pose(const Limb& limb, double time, double bend) {
  const Affine upper = about(limb.shoulder, std::numbers::pi / 9 * std::sin(2 * std::numbers::pi * time));
  return {upper, upper * about(limb.elbow, bend)};
}

// Steps of a swinging limb; counters report iterations per step.
void run(benchmark::State& state, const Limb& limb, BodyMotion& flesh, double bend) {
  const std::vector<Affine> first = pose(limb, 0, bend), second = pose(limb, step, bend);
  flesh.reset({0, first}, {step, second});
  int count = 0;
  double iterations = 0;
  for (auto _ : state) {
    ++count;
    const std::vector<Affine> bones = pose(limb, count * step, bend);
    flesh.advance({count * step, bones});
    iterations += flesh.statistics().iterations;
  }
  state.counters["iterations"] = iterations / count;
}

void substitution(benchmark::State& state, Element element, FactorPrecision precision) {
  const Limb* limb = ::limb(state, element, precision);
  if (!limb) return;
  const FleshBody& body = *limb->body;
  std::vector<double> b(3 * body.free_vertex.size(), 1.0), x(b.size());
  for (auto _ : state) body.factor.solve(b, x);
  state.counters["factor_MB"] = static_cast<double>(body.factor.factor_entries()) * 8e-6;
}

void rig_step(benchmark::State& state, Element element) {
  const Limb* limb = ::limb(state, element);
  if (limb) run(state, *limb, *rig_reference_flesh(limb->body), 0);
}

void elastic_step(benchmark::State& state, Element element) {
  const Limb* limb = ::limb(state, element, FactorPrecision::single_precision);
  if (limb) run(state, *limb, *elastic_reference_flesh(limb->body), std::numbers::pi / 2);
}

// Nonlinear elasticity with an elbow that is bent by 90 degrees.
void nonlinear_step(benchmark::State& state, Element element) {
  const Limb* limb = ::limb(state, element, FactorPrecision::single_precision);
  if (limb) run(state, *limb, *quasi_newton_flesh(limb->body, {}), std::numbers::pi / 2);
}

// One evaluation of its forces.
void tissue_forces(benchmark::State& state, Element element) {
  const Limb* limb = ::limb(state, element);
  if (!limb) return;
  const FleshBody& body = *limb->body;
  const auto forces = tissue_forces(body, NaturalShape::goal, {}, TissuePrecision::floats);
  VertexFrames frames;
  predict_frames(body.description.mesh.positions, body.description.influences, pose(*limb, 0.1, std::numbers::pi / 2),
                 frames);
  forces->set_pose(frames);
  std::vector<double> u(3 * body.free_vertex.size()), velocity(u.size()), gradient(u.size());
  for (std::size_t k = 0; k < u.size(); ++k) u[k] = 1e-3 * std::sin(0.01 * static_cast<double>(k));
  for (auto _ : state) forces->find(u, velocity, gradient);
}

// The natural shape of a pose, once a step.
void natural_shape(benchmark::State& state, Element element) {
  const Limb* limb = ::limb(state, element);
  if (!limb) return;
  const FleshBody& body = *limb->body;
  const auto forces = tissue_forces(body, NaturalShape::goal, {}, TissuePrecision::floats);
  VertexFrames frames;
  predict_frames(body.description.mesh.positions, body.description.influences, pose(*limb, 0.1, std::numbers::pi / 2),
                 frames);
  for (auto _ : state) forces->set_pose(frames);
  state.counters["bounded"] = forces->bounded();
}

// Without an initial guess: the step's change is solved from zero, as after a cut.
void elastic_step_cold(benchmark::State& state, Element element) {
  const Limb* limb = ::limb(state, element, FactorPrecision::single_precision);
  if (!limb) return;
  const double bend = std::numbers::pi / 2;
  const std::unique_ptr<BodyMotion> flesh = elastic_reference_flesh(limb->body);
  const std::vector<Affine> first = pose(*limb, 0.1, bend), second = pose(*limb, 0.1 + step, bend);
  flesh->reset({0, first}, {step, second});
  Snapshot start;
  flesh->save(start);
  double iterations = 0, count = 0;
  for (auto _ : state) {
    state.PauseTiming();
    flesh->load(start, {0, first});
    state.ResumeTiming();
    flesh->advance({step, second});
    iterations += flesh->statistics().iterations;
    ++count;
  }
  state.counters["iterations"] = iterations / count;
}

// Baseline for the elastic reference: the system of the pose assembled, factorised and solved once, with its pattern
// analysed beforehand.
void assemble_and_refactor(benchmark::State& state, Element element) {
  const Limb* limb = ::limb(state, element);
  if (!limb) return;
  const FleshBody& body = *limb->body;
  const std::vector<Affine> bones = pose(*limb, 0.1, std::numbers::pi / 2);
  VertexFrames frames;
  BlockMatrix hessian = body.elastic_stiffness;
  BlockMatrix system = principal_submatrix(hessian, body.free_index, static_cast<int>(body.free_vertex.size()));
  BlockCholesky factor;
  factor.analyze(system);
  std::vector<double> b(3 * body.free_vertex.size(), 1.0), x(b.size());
  for (auto _ : state) {
    predict_frames(body.description.mesh.positions, body.description.influences, bones, frames);
    std::fill(hessian.block.begin(), hessian.block.end(), Mat3::zero());
    add_corotated_hessian(body.samples, frames.goal, HessianForm::frozen_rotation, hessian);
    system = principal_submatrix(hessian, body.free_index, static_cast<int>(body.free_vertex.size()));
    for (std::size_t f = 0; f < body.free_vertex.size(); ++f) {
      Mat3& block =
          system.block[static_cast<std::size_t>(find_block(system, static_cast<int>(f), static_cast<int>(f)))];
      for (std::size_t k = 0; k < 3; ++k)
        block(k, k) += body.method.mass_factor() * body.mass[static_cast<std::size_t>(body.free_vertex[f])];
    }
    factor.factor(system);
    factor.solve(b, x);
  }
}

// Mass and stiffness of a step at rest; other poses have the same pattern.
BlockMatrix rest_system(const FleshBody& body) {
  BlockMatrix system = body.stiffness;
  for (std::size_t f = 0; f < body.free_vertex.size(); ++f) {
    Mat3& block = system.block[static_cast<std::size_t>(find_block(system, static_cast<int>(f), static_cast<int>(f)))];
    for (std::size_t k = 0; k < 3; ++k)
      block(k, k) += body.method.mass_factor() * body.mass[static_cast<std::size_t>(body.free_vertex[f])];
  }
  return system;
}

void refactor_alone(benchmark::State& state, Element element) {
  const Limb* limb = ::limb(state, element);
  if (!limb) return;
  const FleshBody& body = *limb->body;
  const BlockMatrix system = rest_system(body);
  BlockCholesky factor;
  factor.analyze(system);
  std::vector<double> b(3 * body.free_vertex.size(), 1.0), x(b.size());
  for (auto _ : state) {
    factor.factor(system);
    factor.solve(b, x);
  }
}

#ifdef SINEW_BENCH_MUMPS
void mumps_refactor_alone(benchmark::State& state, Element element) {
  const Limb* limb = ::limb(state, element);
  if (!limb) return;
  Mumps mumps(rest_system(*limb->body));
  std::vector<double> x;
  for (auto _ : state) {
    x.assign(3 * limb->body->free_vertex.size(), 1.0);
    mumps.factor();
    mumps.solve(x);
  }
}
#endif

// The whole loop of a bake on samples/sumo.glb: sampling, steps, skinning, recording.
void bake_sumo(benchmark::State& state, Reference reference) {
  const std::filesystem::path file = std::filesystem::path(SINEW_SOURCE_DIR) / "samples" / "sumo.glb";
  if (!std::filesystem::exists(file)) {
    state.SkipWithError("samples/sumo.glb not found");
    return;
  }
  set_thread_count(static_cast<int>(state.range(0)));
  const Character character = open_character(file).character;
  FleshSettings settings;
  settings.reference = reference;
  const auto cooked = std::make_shared<const CookedFlesh>(prepare_flesh(character, settings));
  const Scene scene = flesh_scene(cooked, settings);
  BakeOptions options;
  options.clip = 0;
  double steps = 0, seconds = 0, iterations = 0;
  for (auto _ : state) {
    const BakeResult result = bake(character, scene, nullptr, options);
    seconds += result.recording.times.back() - result.recording.times.front();
    steps += (result.recording.times.back() - result.recording.times.front()) / cooked->body->dynamics.step;
    for (const FrameReport& frame : result.report.frames) iterations += frame.iterations;
  }
  state.counters["times_real_time"] = benchmark::Counter(seconds, benchmark::Counter::kIsRate);
  state.counters["steps/s"] = benchmark::Counter(steps, benchmark::Counter::kIsRate);
  state.counters["iterations"] = iterations / steps;
  state.counters["tetrahedra"] = static_cast<double>(cooked->body->description.mesh.tetrahedra.size());
}

void limbs(benchmark::internal::Benchmark* b) {
  b->ArgNames({"limb", "threads"})->Unit(benchmark::kMillisecond)->UseRealTime();
  for (int limb : {0, 1, 2})
    for (int threads : {1, 2}) b->Args({limb, threads});
}

BENCHMARK_CAPTURE(substitution, patch, Element::patch, FactorPrecision::double_precision)->Apply(limbs);
BENCHMARK_CAPTURE(substitution, patch_single, Element::patch, FactorPrecision::single_precision)->Apply(limbs);
BENCHMARK_CAPTURE(tissue_forces, patch, Element::patch)->Apply(limbs);
BENCHMARK_CAPTURE(natural_shape, patch, Element::patch)->Apply(limbs);
BENCHMARK_CAPTURE(nonlinear_step, patch, Element::patch)->Apply(limbs);
BENCHMARK_CAPTURE(rig_step, patch, Element::patch)->Apply(limbs);
BENCHMARK_CAPTURE(elastic_step, patch, Element::patch)->Apply(limbs);
BENCHMARK_CAPTURE(elastic_step_cold, patch, Element::patch)->Apply(limbs);
BENCHMARK_CAPTURE(refactor_alone, patch, Element::patch)->Apply(limbs);
BENCHMARK_CAPTURE(assemble_and_refactor, patch, Element::patch)->Apply(limbs);
#ifdef SINEW_BENCH_MUMPS
BENCHMARK_CAPTURE(mumps_refactor_alone, patch, Element::patch)
    ->ArgNames({"limb", "threads"})
    ->ArgsProduct({{0, 1, 2}, {1}})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
#endif
BENCHMARK_CAPTURE(substitution, linear, Element::linear, FactorPrecision::double_precision)->Apply(limbs);
BENCHMARK_CAPTURE(rig_step, linear, Element::linear)->Apply(limbs);
BENCHMARK_CAPTURE(elastic_step, linear, Element::linear)->Apply(limbs);
BENCHMARK_CAPTURE(refactor_alone, linear, Element::linear)->Apply(limbs);
BENCHMARK_CAPTURE(bake_sumo, rig, Reference::rig)
    ->ArgName("threads")
    ->Arg(1)
    ->Arg(2)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(bake_sumo, elastic, Reference::elastic)
    ->ArgName("threads")
    ->Arg(1)
    ->Arg(2)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
