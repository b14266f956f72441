#include "studies/mixed/bend.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>

#include "sinew/base/error.h"
#include "sinew/base/stopwatch.h"
#include "sinew/deform/mixed/rotation_clusters.h"
#include "sinew/linalg/rotation.h"
#include "studies/mixed/posed_body.h"
#include "studies/reference/static_equilibrium.h"

namespace sinew {
namespace {

constexpr Vec3 bend_axis{0, 0, 1};

// Rotation of the flesh around the outer half of the second bone: the best-fitting one.
double followed_degrees(const Bar& bar, std::span<const Vec3> positions) {
  const double begin = bar.length * 0.75;
  const auto& rest = bar.lattice.mesh.positions;
  Vec3 rest_mean, mean;
  double count = 0;
  for (std::size_t v = 0; v < rest.size(); ++v)
    if (rest[v].x >= begin) rest_mean += rest[v], mean += positions[v], ++count;
  rest_mean = rest_mean / count;
  mean = mean / count;
  Mat3 covariance = Mat3::zero();
  for (std::size_t v = 0; v < rest.size(); ++v)
    if (rest[v].x >= begin) covariance += outer(positions[v] - mean, rest[v] - rest_mean);
  const Mat3 turn = closest_rotation(covariance);
  const double degrees = std::atan2(turn(1, 0), turn(0, 0)) * 180 / std::numbers::pi;
  return degrees < -90 ? degrees + 360 : degrees;
}

BendPose measured(const Bar& bar, double degrees, std::vector<Vec3> positions) {
  BendPose pose;
  pose.degrees = degrees;
  pose.solved = true;
  pose.body = measure_body(bar.lattice.mesh, positions);
  pose.followed_degrees = followed_degrees(bar, positions);
  const std::vector<Affine> bones = turned(bar, bend_axis, degrees);
  std::vector<Bone> posed = bar.bones;
  for (std::size_t b = 0; b < posed.size(); ++b)
    for (BoneSegment& s : posed[b].segments) s = {bones[b] * s.head, bones[b] * s.tail};
  double sum = 0;
  for (const int v : bar.axis) {
    const Vec3& p = positions[static_cast<std::size_t>(v)];
    const double offset = std::min(distance_to_bone(posed[0], p), distance_to_bone(posed[1], p)) / bar.width;
    pose.largest_offset = std::max(pose.largest_offset, offset);
    sum += offset * offset;
  }
  pose.rms_offset = std::sqrt(sum / static_cast<double>(bar.axis.size()));
  pose.positions = std::move(positions);
  return pose;
}

// All frames, one step apart, up to the last requested angle, including every requested angle.
std::vector<double> frames(const BendOptions& options) {
  const double last = *std::max_element(options.degrees.begin(), options.degrees.end());
  std::vector<double> degrees = options.degrees;
  for (double d = options.step; d < last; d += options.step) degrees.push_back(d);
  std::sort(degrees.begin(), degrees.end());
  degrees.erase(std::unique(degrees.begin(), degrees.end()), degrees.end());
  return degrees;
}

// One frame: the bones' maps in, positions out; returns the number of linear systems solved.
using Solve = std::function<int(std::span<const Affine> bones, std::vector<Vec3>& positions)>;

BendRun run(const Bar& bar, BendMethod method, MixedMaterial material, const BendOptions& options, const Solve& solve) {
  BendRun result{method, material, {}, 0, 0};
  for (const double degrees : options.degrees) {
    result.poses.emplace_back();
    result.poses.back().degrees = degrees;
  }
  std::vector<Vec3> positions = bar.lattice.mesh.positions;
  std::vector<double> milliseconds;
  for (const double degrees : frames(options)) {
    const std::vector<Affine> bones = turned(bar, bend_axis, degrees);
    Stopwatch watch;
    try {
      result.solves += solve(bones, positions);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::simulation) throw;
      break;
    }
    milliseconds.push_back(watch.seconds() * 1e3);
    for (BendPose& pose : result.poses)
      if (pose.degrees == degrees) pose = measured(bar, degrees, positions);
  }
  if (!milliseconds.empty()) result.solves /= static_cast<double>(milliseconds.size());
  result.milliseconds = median(milliseconds);
  return result;
}

}  // namespace

HeldVertices near_handles(const Bar& bar, int per_handle) {
  const auto& rest = bar.lattice.mesh.positions;
  struct Handle {
    Vec3 place;
    int bone;
  };
  const Handle handles[] = {{bar.bones[0].segments[0].head, 0}, {bar.joint, 1}, {bar.bones[1].segments[0].tail, 1}};
  HeldVertices held;
  for (const Handle& handle : handles) {
    std::vector<int> order(rest.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
      return distance(rest[static_cast<std::size_t>(a)], handle.place) <
             distance(rest[static_cast<std::size_t>(b)], handle.place);
    });
    for (int k = 0; k < per_handle; ++k) {
      held.vertex.push_back(order[static_cast<std::size_t>(k)]);
      held.bone.push_back(handle.bone);
    }
  }
  return held;
}

HeldVertices along_bones(const Bar& bar) {
  const auto& rest = bar.lattice.mesh.positions;
  // The vertices on the axis and the centres of the cells around it.
  const double reach = 0.75 * bar.width / bar.lattice.cells[1];
  HeldVertices held;
  for (std::size_t v = 0; v < rest.size(); ++v)
    if (std::hypot(rest[v].y - bar.joint.y, rest[v].z - bar.joint.z) < reach) {
      held.vertex.push_back(static_cast<int>(v));
      held.bone.push_back(rest[v].x < bar.joint.x ? 0 : 1);
    }
  return held;
}

BendRun bend(const Bar& bar, BendMethod method, MixedMaterial material, const BendOptions& options) {
  const TetrahedralMesh& mesh = bar.lattice.mesh;
  if (is_mixed(method)) {
    const MixedChoice choice{material, method == BendMethod::clusters ? 0.0 : 1.0,
                             method == BendMethod::patches ? Element::patch : Element::linear};
    PosedBody body(mesh, bar.bones, options.material, choice);
    return run(bar, method, material, options, [&](std::span<const Affine> bones, std::vector<Vec3>& positions) {
      return body.pose(bones, positions).solves;
    });
  }
  if (material != MixedMaterial::corotated)
    throw usage_error("finite elements as usual have the co-rotated energy here; ask for that.");
  ElementFields fields;
  fields.material = options.material;
  const StrainSamples samples = strain_samples(mesh, Element::linear, fields);
  const HeldVertices held = method == BendMethod::fem_handles ? near_handles(bar) : along_bones(bar);
  const std::vector<Vec3> no_forces(mesh.positions.size());
  EquilibriumOptions equilibrium;
  equilibrium.tolerance = 1e-4;
  equilibrium.max_iterations = 200;
  return run(bar, method, material, options, [&](std::span<const Affine> bones, std::vector<Vec3>& positions) {
    for (std::size_t k = 0; k < held.vertex.size(); ++k) {
      const auto v = static_cast<std::size_t>(held.vertex[k]);
      positions[v] = bones[static_cast<std::size_t>(held.bone[k])] * mesh.positions[v];
    }
    Equilibrium found = static_equilibrium(samples, positions, no_forces, held.vertex, equilibrium);
    positions = std::move(found.positions);
    return found.iterations;
  });
}

std::vector<BendRun> bend_experiment(const Bar& bar, const BendOptions& options, const Progress& progress) {
  std::vector<std::pair<BendMethod, MixedMaterial>> cases{{BendMethod::fem_handles, MixedMaterial::corotated},
                                                          {BendMethod::fem_bones, MixedMaterial::corotated}};
  for (const MixedMaterial material : mixed_materials)
    for (const BendMethod method : {BendMethod::clusters, BendMethod::smooth, BendMethod::patches})
      if (method != BendMethod::patches || stretch_energy(material).quadratic) cases.emplace_back(method, material);
  std::vector<BendRun> runs;
  for (const auto& [method, material] : cases) {
    report_or_stop(progress, "bending a bar", static_cast<double>(runs.size()) / static_cast<double>(cases.size()));
    runs.push_back(bend(bar, method, material, options));
  }
  return runs;
}

std::string_view name_of(BendMethod method) {
  switch (method) {
    case BendMethod::clusters:
      return "mixed, clusters";
    case BendMethod::smooth:
      return "mixed, smooth";
    case BendMethod::patches:
      return "mixed, smooth, patches";
    case BendMethod::fem_handles:
      return "FEM, three vertices at each handle";
    case BendMethod::fem_bones:
      return "FEM, vertices along the bones";
  }
  return "";
}

bool is_mixed(BendMethod method) { return method != BendMethod::fem_handles && method != BendMethod::fem_bones; }

}  // namespace sinew
