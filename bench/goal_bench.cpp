// Goals by each kind of skinning, nanoseconds a vertex, one thread: a tube whose vertices follow up to four of its
// twenty joints, bent in a wave (docs/skinning.md). Asked: dual quaternions 3 ns, volume 15 ns.
#include <benchmark/benchmark.h>

#include <Eigen/Core>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "sinew/base/threads/parallel.h"
#include "sinew/rig/dual_quaternion.h"
#include "sinew/rig/implicit/implicit_skin.h"
#include "sinew/rig/skinned_points.h"
#include "tests/mesh/shapes.h"

namespace {

using namespace sinew;

constexpr int joints = 20;

Influences smooth_influences(double height) {
  Influences on;
  double sum = 0;
  const double at = height * joints - 0.5;
  for (int j = static_cast<int>(std::floor(at)) - 1; j <= static_cast<int>(std::floor(at)) + 2; ++j) {
    const double t = 1 - std::abs(at - j) / 2;
    if (j < 0 || j >= joints || t <= 0) continue;
    const auto k = static_cast<std::size_t>(on.count++);
    on.joint[k] = j;
    on.weight[k] = t * t * (3 - 2 * t);
    sum += on.weight[k];
  }
  for (int k = 0; k < on.count; ++k) on.weight[static_cast<std::size_t>(k)] /= sum;
  for (int k = on.count; k-- > 1;)
    for (int i = 0; i < k; ++i) {
      const auto a = static_cast<std::size_t>(i), b = a + 1;
      if (on.weight[a] >= on.weight[b]) continue;
      std::swap(on.weight[a], on.weight[b]);
      std::swap(on.joint[a], on.joint[b]);
    }
  return on;
}

SimulationSurface limb(SkinningKind kind, int around) {
  SimulationSurface surface;
  surface.rest = test::upright_tube(4 * around, around, 2, 0.15);
  for (const Vec3& x : surface.rest.positions) surface.influences.push_back(smooth_influences(x.y / 2));
  surface.weighted = true;
  for (int j = 0; j < joints; ++j) {
    Bone bone;
    bone.segments = {{{0, 2.0 * j / joints, 0}, {0, 2.0 * (j + 1) / joints, 0}}};
    surface.bones.push_back(bone);
  }
  set_skinning(kind, surface);
  return surface;
}

std::vector<Affine> wave(double phase) {
  std::vector<Affine> bones;
  Affine up;
  for (int j = 0; j < joints; ++j) {
    const Vec3 joint{0, 2.0 * j / joints, 0};
    const Mat3 turn = to_matrix(axis_angle({0, 0, 1}, 0.2 * std::sin(phase + 0.5 * j)));
    up = up * Affine{turn, joint - turn * joint};
    bones.push_back(up);
  }
  return bones;
}

void goal(benchmark::State& state, SkinningKind kind) {
  const SimulationSurface surface = limb(kind, static_cast<int>(state.range(0)));
  std::vector<std::vector<Affine>> poses;
  for (int k = 0; k < 16; ++k) poses.push_back(wave(0.3 * k));
  std::vector<Vec3> positions(surface.rest.positions.size());
  set_thread_count(1);
  std::size_t k = 0;
  for (auto _ : state) pose_points(skin_of(surface), poses[++k % poses.size()], positions);
  set_thread_count(0);
  state.counters["vertices"] = static_cast<double>(positions.size());
  state.counters["per_vertex"] =
      benchmark::Counter(static_cast<double>(positions.size()),
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK_CAPTURE(goal, linear, SkinningKind::linear)->Arg(44)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(goal, dualquat, SkinningKind::dual_quaternion)->Arg(44)->Unit(benchmark::kMicrosecond);
// A strong loop of an engine: four influences blend a matrix of floats, by Eigen, that moves positions, or normals too.
void eigen_loop(benchmark::State& state, bool with_normals) {
  const SimulationSurface surface = limb(SkinningKind::linear, static_cast<int>(state.range(0)));
  std::vector<Eigen::Matrix4f> bones;
  for (const Affine& bone : wave(0.3)) {
    Eigen::Matrix4f& m = bones.emplace_back(Eigen::Matrix4f::Identity());
    for (const int row : {0, 1, 2}) {
      const auto r = static_cast<std::size_t>(row);
      for (const int column : {0, 1, 2})
        m(row, column) = static_cast<float>(bone.linear(r, static_cast<std::size_t>(column)));
      m(row, 3) = static_cast<float>(bone.translation[r]);
    }
  }
  struct Vertex {
    Eigen::Vector4f place, normal;
    std::array<float, 4> weight;
    std::array<std::uint16_t, 4> joint;
  };
  std::vector<Vertex> vertices;
  for (std::size_t v = 0; v < surface.rest.positions.size(); ++v) {
    const Eigen::Vector3f x = Eigen::Map<const Eigen::Vector3d>(&surface.rest.positions[v].x).cast<float>();
    Vertex& vertex = vertices.emplace_back(Vertex{{x.x(), x.y(), x.z(), 1}, {x.x(), 0, x.z(), 0}, {}, {}});
    for (std::size_t k = 0; k < 4; ++k) {
      vertex.weight[k] = static_cast<float>(surface.influences[v].weight[k]);
      vertex.joint[k] = static_cast<std::uint16_t>(surface.influences[v].joint[k]);
    }
  }
  std::vector<Eigen::Vector4f> positions(vertices.size()), normals(vertices.size());
  for (auto _ : state) {
    for (std::size_t v = 0; v < vertices.size(); ++v) {
      const Vertex& on = vertices[v];
      const Eigen::Matrix4f blended = on.weight[0] * bones[on.joint[0]] + on.weight[1] * bones[on.joint[1]] +
                                      on.weight[2] * bones[on.joint[2]] + on.weight[3] * bones[on.joint[3]];
      positions[v].noalias() = blended * on.place;
      if (with_normals) normals[v] = (blended * on.normal).normalized();
    }
    benchmark::DoNotOptimize(positions.data());
    benchmark::DoNotOptimize(normals.data());
  }
  state.counters["per_vertex"] =
      benchmark::Counter(static_cast<double>(positions.size()),
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK_CAPTURE(eigen_loop, positions, false)->Arg(44)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(eigen_loop, normals, true)->Arg(44)->Unit(benchmark::kMicrosecond);

// A plain loop, which poses one vertex after the other.
void plain_dual_quaternions(benchmark::State& state) {
  const SimulationSurface surface = limb(SkinningKind::dual_quaternion, static_cast<int>(state.range(0)));
  const BoneMotions motions = bone_motions(wave(0.3));
  std::vector<Vec3> positions(surface.rest.positions.size());
  for (auto _ : state) {
    for (std::size_t v = 0; v < positions.size(); ++v)
      positions[v] = moved_by(motions, surface.influences[v], surface.rest.positions[v]);
    benchmark::DoNotOptimize(positions.data());
  }
  state.counters["per_vertex"] =
      benchmark::Counter(static_cast<double>(positions.size()),
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(plain_dual_quaternions)->Arg(44)->Unit(benchmark::kMicrosecond);

BENCHMARK_CAPTURE(goal, volume, SkinningKind::volume)->Arg(44)->Unit(benchmark::kMicrosecond);

// Implicit skinning in the setting of its paper: 31,000 vertices, dual quaternions included.
void implicit_goal(benchmark::State& state) {
  const SimulationSurface surface = limb(SkinningKind::dual_quaternion, static_cast<int>(state.range(0)));
  const auto skin = implicit_skin(surface);
  std::vector<std::vector<Affine>> poses;
  for (int k = 0; k < 16; ++k) poses.push_back(wave(0.3 * k));
  std::vector<Vec3> positions(surface.rest.positions.size());
  set_thread_count(1);
  std::size_t k = 0;
  for (auto _ : state) {
    const std::vector<Affine>& bones = poses[++k % poses.size()];
    pose_points(skin_of(surface), bones, positions);
    project_skin(*skin, bones, positions);
  }
  set_thread_count(0);
  state.counters["vertices"] = static_cast<double>(positions.size());
  state.counters["per_vertex"] =
      benchmark::Counter(static_cast<double>(positions.size()),
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(implicit_goal)->Arg(88)->Unit(benchmark::kMillisecond);

}  // namespace
