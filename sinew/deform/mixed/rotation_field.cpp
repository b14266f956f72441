#include "sinew/deform/mixed/rotation_field.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/deform/mixed/rotation_clusters.h"
#include "sinew/linalg/scalar_cholesky.h"
#include "sinew/linalg/sparse_matrix.h"

namespace sinew {
namespace {

constexpr double least_bone_weight = 1e-3;
constexpr std::size_t bones_solved_at_once = 8;  // bones solved at once
constexpr std::size_t rotation_field_grain = 1024;

void check_arguments(const TetrahedralMesh& mesh, std::span<const Bone> bones, std::span<const int> clusters,
                     double reach) {
  if (!(reach >= 0) || !std::isfinite(reach))
    throw usage_error("rotations cannot fade over a negative length; give a reach of 0 or more.");
  if (clusters.size() != mesh.tetrahedra.size())
    throw usage_error("there are bones for " + std::to_string(clusters.size()) + " elements of " +
                      std::to_string(mesh.tetrahedra.size()) + "; give one each.");
  for (std::size_t t = 0; t < clusters.size(); ++t)
    if (clusters[t] < 0 || index(clusters[t]) >= bones.size())
      throw usage_error("element " + std::to_string(t) + " has bone " + std::to_string(clusters[t]) + " of " +
                        std::to_string(bones.size()) + "; give one that there is.");
}

std::vector<double> volumes(const TetrahedralMesh& mesh) {
  std::vector<double> result;
  result.reserve(mesh.tetrahedra.size());
  for (const Tetrahedron& t : mesh.tetrahedra) {
    const auto x = [&](std::size_t k) -> const Vec3& { return mesh.positions[index(t[k])]; };
    result.push_back(volume(x(0), x(1), x(2), x(3)));
    if (!(result.back() > 0) || !std::isfinite(result.back()))
      throw usage_error("element " + std::to_string(result.size() - 1) + " of the body has no volume; mesh it again.");
  }
  return result;
}

// Per bone: how thick its cluster is, metres. The root mean square distance from the bone, but never more than half
// the edge of a cube of the cluster's volume, which is the larger of the two where the bone runs through a limb that
// is longer than wide, and keeps bones outside the body from smoothing all of it.
std::vector<double> cluster_radii(const TetrahedralMesh& mesh, std::span<const Bone> bones,
                                  std::span<const int> clusters, std::span<const double> volumes) {
  std::vector<double> total(bones.size(), 0.0), moment(bones.size(), 0.0);
  for (std::size_t t = 0; t < clusters.size(); ++t) {
    Vec3 centre;
    for (const int v : mesh.tetrahedra[t]) centre += mesh.positions[index(v)] / 4;
    const double away = distance_to_bone(bones[index(clusters[t])], centre);
    total[index(clusters[t])] += volumes[t];
    moment[index(clusters[t])] += volumes[t] * away * away;
  }
  std::vector<double> radii(bones.size(), 0.0);
  for (std::size_t b = 0; b < bones.size(); ++b)
    if (total[b] > 0) radii[b] = std::min(std::sqrt(moment[b] / total[b]), 0.5 * std::cbrt(total[b]));
  return radii;
}

std::array<Vec3, 4> shape_gradients(const TetrahedralMesh& mesh, const Tetrahedron& t) {
  const Vec3& origin = mesh.positions[index(t[0])];
  const Vec3 a = mesh.positions[index(t[1])] - origin, b = mesh.positions[index(t[2])] - origin,
             c = mesh.positions[index(t[3])] - origin;
  const double six_volumes = dot(cross(a, b), c);
  const Vec3 ga = cross(b, c) / six_volumes, gb = cross(c, a) / six_volumes, gc = cross(a, b) / six_volumes;
  return {-(ga + gb + gc), ga, gb, gc};
}

// Per tetrahedron, V / (4 l^2): how firmly each corner is held to the cluster's indicator, metres.
std::vector<double> fidelities(std::span<const double> volumes, std::span<const int> clusters,
                               std::span<const double> radii, double reach) {
  std::vector<double> result;
  result.reserve(volumes.size());
  for (std::size_t t = 0; t < volumes.size(); ++t) {
    // An element alone around its joint has no radius but its own size.
    const double length = reach * std::max(radii[index(clusters[t])], 1e-3 * std::cbrt(volumes[t]));
    result.push_back(volumes[t] / (4 * length * length));
  }
  return result;
}

SparseMatrix screened_laplacian(const TetrahedralMesh& mesh, std::span<const double> volumes,
                                std::span<const double> fidelity) {
  std::vector<int> corners;
  corners.reserve(4 * mesh.tetrahedra.size());
  for (const Tetrahedron& t : mesh.tetrahedra) corners.insert(corners.end(), t.begin(), t.end());
  SparseMatrix matrix = sparse_matrix(static_cast<int>(mesh.positions.size()), corners, 4);
  for (std::size_t e = 0; e < volumes.size(); ++e) {
    const Tetrahedron& t = mesh.tetrahedra[e];
    const std::array<Vec3, 4> gradient = shape_gradients(mesh, t);
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t j = 0; j < 4; ++j) entry(matrix, t[i], t[j]) += volumes[e] * dot(gradient[i], gradient[j]);
      entry(matrix, t[i], t[i]) += fidelity[e];
    }
  }
  // Vertices that no element uses have an equation of their own.
  for (int v = 0; v < matrix.rows; ++v)
    if (double& pivot = entry(matrix, v, v); pivot == 0) pivot = 1;
  return matrix;
}

using Entry = std::pair<double, int>;  // minus the weight and the bone, so that the strongest sorts first

// Adds what bones first .. first + count weigh in each element, the mean of its corners.
void gather(const TetrahedralMesh& mesh, std::span<const double> values, std::size_t first, std::size_t count,
            std::vector<std::vector<Entry>>& entries) {
  parallel_for(mesh.tetrahedra.size(), rotation_field_grain, [&](std::size_t t) {
    for (std::size_t b = 0; b < count; ++b) {
      double sum = 0;
      for (const int v : mesh.tetrahedra[t]) sum += values[index(v) * bones_solved_at_once + b];
      if (sum / 4 >= least_bone_weight) entries[t].push_back({-sum / 4, static_cast<int>(first + b)});
    }
  });
}

RotationWeights packed(std::vector<std::vector<Entry>>& entries) {
  RotationWeights weights;
  for (std::vector<Entry>& element : entries) {
    std::sort(element.begin(), element.end());
    double sum = 0;
    for (const Entry& e : element) sum -= e.first;
    for (const auto& [negative, bone] : element) {
      weights.bone.push_back(bone);
      weights.weight.push_back(element.size() == 1 ? 1 : -negative / sum);
    }
    weights.start.push_back(static_cast<int>(weights.bone.size()));
  }
  return weights;
}

}  // namespace

RotationWeights hard_weights(std::span<const int> clusters) {
  RotationWeights weights;
  weights.bone.assign(clusters.begin(), clusters.end());
  weights.weight.assign(clusters.size(), 1.0);
  for (std::size_t t = 0; t < clusters.size(); ++t) weights.start.push_back(static_cast<int>(t + 1));
  return weights;
}

RotationWeights smooth_weights(const TetrahedralMesh& mesh, std::span<const Bone> bones, std::span<const int> clusters,
                               const SmoothWeightsOptions& options) {
  check_arguments(mesh, bones, clusters, options.reach);
  if (options.reach == 0) return hard_weights(clusters);
  const std::vector<double> volume = volumes(mesh);
  const std::vector<double> fidelity =
      fidelities(volume, clusters, cluster_radii(mesh, bones, clusters, volume), options.reach);
  ScalarCholesky cholesky;
  cholesky.factor(screened_laplacian(mesh, volume, fidelity));

  std::vector<int> used(clusters.begin(), clusters.end());
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  std::vector<int> column(bones.size(), -1);
  for (std::size_t k = 0; k < used.size(); ++k) column[index(used[k])] = static_cast<int>(k);

  std::vector<std::vector<Entry>> entries(clusters.size());
  std::vector<double> values(mesh.positions.size() * bones_solved_at_once);
  for (std::size_t first = 0; first < used.size(); first += bones_solved_at_once) {
    const std::size_t count = std::min(bones_solved_at_once, used.size() - first);
    std::fill(values.begin(), values.end(), 0.0);
    for (std::size_t t = 0; t < clusters.size(); ++t) {
      const std::size_t k = index(column[index(clusters[t])]);
      if (k < first || k >= first + count) continue;
      for (const int v : mesh.tetrahedra[t]) values[index(v) * bones_solved_at_once + k - first] += fidelity[t];
    }
    cholesky.solve(values, values, static_cast<int>(bones_solved_at_once));
    gather(mesh, values, first, count, entries);
  }
  for (std::vector<Entry>& element : entries)
    for (Entry& e : element) e.second = used[index(e.second)];
  return packed(entries);
}

void blend_rotations(const RotationWeights& weights, std::span<const Mat3> bones, std::span<Mat3> rotations) {
  if (rotations.size() != weights.size())
    throw usage_error("there is room for " + std::to_string(rotations.size()) + " rotations of " +
                      std::to_string(weights.size()) + " elements; give one each.");
  std::vector<Quat> turns;
  for (std::size_t b = 0; b < bones.size(); ++b) {
    if (!std::isfinite(frobenius_norm(bones[b])))
      throw usage_error("the rotation of bone " + std::to_string(b) + " is not a finite number; mend the rig's pose.");
    turns.push_back(to_quaternion(bones[b]));
  }
  for (const int bone : weights.bone)
    if (index(bone) >= bones.size())
      throw usage_error("elements take the rotation of bone " + std::to_string(bone) + ", but there are " +
                        std::to_string(bones.size()) + " only; give all of them.");
  parallel_for(weights.size(), rotation_field_grain, [&](std::size_t t) {
    const std::size_t first = index(weights.start[t]), last = index(weights.start[t + 1]);
    const Quat& strongest = turns[index(weights.bone[first])];
    if (last == first + 1) {
      rotations[t] = bones[index(weights.bone[first])];
      return;
    }
    Quat sum{0, 0, 0, 0};
    for (std::size_t k = first; k < last; ++k) {
      const Quat& q = turns[index(weights.bone[k])];
      const double w = dot(q, strongest) < 0 ? -weights.weight[k] : weights.weight[k];
      sum = {sum.x + w * q.x, sum.y + w * q.y, sum.z + w * q.z, sum.w + w * q.w};
    }
    // Never zero: all terms lie on the strongest's side.
    rotations[t] = to_matrix(normalized(sum));
  });
}

}  // namespace sinew
