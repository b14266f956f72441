#include "studies/skinning/skin_measures.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/mesh/bounding_volume_hierarchy.h"
#include "sinew/mesh/surface/vertex_areas.h"
#include "sinew/mesh/surface/winding_number.h"
#include "sinew/mesh/topology.h"

namespace sinew {
namespace {

constexpr double just_inside = 5e-4;   // of the height: depth at which winding numbers are taken
constexpr double twice = 1.5;          // winding numbers above are those of places that are inside twice
constexpr double most_of_it = 0.5;     // skin weight on bones to which a vertex belongs
constexpr double outside = 0.5;        // winding numbers below are those of places outside
constexpr int sections = 12;           // of the length of limb that a twist is measured on
constexpr double measured_length = 3;  // that length, in radii of the limb
constexpr int least_in_section = 3;    // vertices; sections with fewer are not measured

// The value below which a share of the sorted values lies.
double percentile(std::span<const double> sorted, double share) {
  if (sorted.empty()) return 0;
  const auto last = static_cast<double>(sorted.size() - 1);
  return sorted[static_cast<std::size_t>(std::ceil(share * last))];
}

std::array<Vec3, 3> corners_of(const Triangle& t, std::span<const Vec3> positions) {
  return {positions[index(t[0])], positions[index(t[1])], positions[index(t[2])]};
}

// Per triangle: whether there is nothing of the body just outside of its middle.
std::vector<char> faces_outside(const TriangleMesh& closed, const WindingNumber& winding, double beyond) {
  std::vector<char> result(closed.triangles.size());
  parallel_for(result.size(), 64, [&](std::size_t t) {
    const auto [a, b, c] = corners_of(closed.triangles[t], closed.positions);
    result[t] = winding((a + b + c) / 3 + beyond * normalized(area_vector(a, b, c))) < outside ? 1 : 0;
  });
  return result;
}

// Distance from p to the nearest of the chosen triangles; `most` where there is none within it.
double distance_to_chosen(const BoundingVolumeHierarchy& tree, std::span<const char> chosen, const Vec3& p,
                          double most) {
  const TriangleMesh& mesh = tree.surface();
  double reach = 0.02 * most, nearest = most;
  for (;; reach *= 2) {
    tree.for_each_overlapping({p - Vec3{reach, reach, reach}, p + Vec3{reach, reach, reach}}, [&](int k) {
      if (!chosen[index(k)]) return;
      const auto [a, b, c] = corners_of(mesh.triangles[index(k)], mesh.positions);
      nearest = std::min(nearest, std::sqrt(closest_point_on_triangle(p, a, b, c).squared_distance));
    });
    if (nearest <= reach || reach >= most) return nearest;
  }
}

// Per bone: the volume of its part (docs/skinning.md, Volumes), of pieces that enclose one, however small it is.
std::vector<double> flesh_around_bones(const KeptVolume& kept, std::size_t bones) {
  std::vector<Triangle> enclosing;
  for (std::size_t t = 0; t < kept.triangles.size(); ++t)
    if (kept.piece[t] >= 0) enclosing.push_back(kept.triangles[t]);
  const std::vector<Vec3> out = vertex_area_vectors(kept.positions, enclosing);
  std::vector<double> volume(bones);
  for (std::size_t v = 0; v < out.size(); ++v)
    for (std::size_t k = 0; k < index(kept.influences[v].count); ++k)
      volume[index(kept.influences[v].joint[k])] +=
          0.5 * kept.influences[v].weight[k] * dot(kept.positions[v] - kept.spine[v], out[v]);
  for (double& each : volume) each = std::max(each, 0.0);
  return volume;
}

}  // namespace

SkinMeasurement::SkinMeasurement(const SimulationSurface& surface)
    : surface_(surface), kept_(kept_volume(surface)), height_(standing_height(surface)) {
  closed_ = {surface.rest.positions, kept_ ? kept_->triangles : surface.rest.triangles};
  if (kept_) {
    volume_ = enclosed(std::vector<Affine>(surface.bones.size()), closed_.positions);
    around_bone_ = flesh_around_bones(*kept_, surface.bones.size());
  }
  const BoundingVolumeHierarchy tree(closed_);
  twice_at_rest_ = lies_twice(closed_, WindingNumber(tree));
}

std::vector<char> SkinMeasurement::bones_of(const Bend& bend) const {
  std::vector<char> of(surface_.bones.size());
  for (const LimbTurn& turn : bend.turns) {
    of[index(turn.bone)] = 1;
    if (const int parent = surface_.bones[index(turn.bone)].parent; parent >= 0) of[index(parent)] = 1;
  }
  return of;
}

std::vector<int> SkinMeasurement::around(const Bend& bend) const {
  const std::vector<char> of = bones_of(bend);
  std::vector<int> vertices;
  for (std::size_t v = 0; v < surface_.influences.size(); ++v) {
    const Influences& on = surface_.influences[v];
    double share = 0;
    for (std::size_t k = 0; k < index(on.count); ++k)
      if (of[index(on.joint[k])]) share += on.weight[k];
    if (share > most_of_it) vertices.push_back(static_cast<int>(v));
  }
  return vertices;
}

double SkinMeasurement::enclosed(std::span<const Affine> bones, std::span<const Vec3> positions) const {
  double sum = 0;
  const std::vector<double> volumes = constrained_volumes(*kept_, bones, positions);
  for (std::size_t c = 0; c < volumes.size(); ++c)
    if (kept_->constraints[c].whole) sum += volumes[c];
  return sum;
}

void SkinMeasurement::measure_volume(const Bend& bend, std::span<const Affine> bones, std::span<const Vec3> positions,
                                     SkinMeasures& result) const {
  result.volume_change = NAN;
  if (!kept_) return;
  const std::vector<char> of = bones_of(bend);
  double around_joints = 0, all = 0;
  for (std::size_t b = 0; b < of.size(); ++b) {
    all += around_bone_[b];
    if (of[b]) around_joints += around_bone_[b];
  }
  if (around_joints > 0) result.volume_change = (enclosed(bones, positions) / volume_ - 1) * all / around_joints;
}

std::vector<char> SkinMeasurement::lies_twice(const TriangleMesh& closed, const WindingNumber& winding) const {
  const std::vector<Vec3> out = vertex_area_vectors(closed.positions, closed.triangles);
  std::vector<char> result(closed.positions.size());
  parallel_for(result.size(), 64, [&](std::size_t v) {
    result[v] = winding(closed.positions[v] - just_inside * height_ * normalized(out[v])) > twice ? 1 : 0;
  });
  return result;
}

void SkinMeasurement::measure_overlap(std::span<const Vec3> positions, SkinMeasures& result) const {
  const TriangleMesh closed{{positions.begin(), positions.end()}, closed_.triangles};
  const BoundingVolumeHierarchy tree(closed);
  const WindingNumber winding(tree);
  std::vector<char> now = lies_twice(closed, winding);
  for (std::size_t v = 0; v < now.size(); ++v)
    if (twice_at_rest_[v]) now[v] = 0;
  result.twice_inside = static_cast<int>(std::count(now.begin(), now.end(), 1));
  if (result.twice_inside == 0) return;
  const std::vector<char> outer = faces_outside(closed, winding, just_inside * height_);
  std::vector<double> depths;
  for (std::size_t v = 0; v < now.size(); ++v)
    if (now[v]) depths.push_back(distance_to_chosen(tree, outer, closed.positions[v], height_));
  std::sort(depths.begin(), depths.end());
  result.depth = percentile(depths, 0.999);
}

void SkinMeasurement::measure_stretch(std::span<const int> vertices, std::span<const Vec3> positions,
                                      SkinMeasures& result) const {
  const std::vector<Vec3>& rest = surface_.rest.positions;
  std::vector<char> chosen(rest.size());
  for (const int v : vertices) chosen[index(v)] = 1;
  std::vector<double> stretches;
  for (const auto& [a, b] : mesh_edges(surface_.rest).vertices) {
    const double length = distance(rest[index(a)], rest[index(b)]);
    if (chosen[index(a)] && chosen[index(b)] && length > 0)
      stretches.push_back(distance(positions[index(a)], positions[index(b)]) / length);
  }
  if (stretches.empty()) return;
  std::sort(stretches.begin(), stretches.end());
  result.stretch = percentile(stretches, 0.99);
  result.largest_stretch = stretches.back();
  result.smallest_stretch = stretches.front();
}

// Sizes of sections across the limb, from one side of the joint to the other: mean squared distance of their vertices
// from the axis, which the twist leaves where it was, over rest.
double SkinMeasurement::thinnest_section(const LimbTurn& turn, std::span<const int> vertices,
                                         std::span<const Vec3> positions) const {
  const BoundingVolumeHierarchy tree(surface_.rest);
  const double radius = std::sqrt(tree.closest_point(turn.place).squared_distance);
  if (!(radius > 0)) return NAN;
  std::array<double, sections> now{}, rest{};
  std::array<int, sections> count{};
  for (const int v : vertices) {
    const Vec3 x = surface_.rest.positions[index(v)] - turn.place, p = positions[index(v)] - turn.place;
    const double at = (dot(x, turn.axis) / (measured_length * radius) + 0.5) * sections;
    if (!(at >= 0 && at < sections)) continue;
    const auto s = static_cast<std::size_t>(at);
    now[s] += squared_norm(cross(p, turn.axis));
    rest[s] += squared_norm(cross(x, turn.axis));
    ++count[s];
  }
  double thinnest = NAN;
  for (std::size_t s = 0; s < sections; ++s)
    if (count[s] >= least_in_section && rest[s] > 0) thinnest = std::fmin(thinnest, now[s] / rest[s]);
  return thinnest;
}

SkinMeasures SkinMeasurement::measure(const Bend& bend, std::span<const Affine> bones,
                                      std::span<const Vec3> positions) const {
  const std::vector<int> vertices = around(bend);
  SkinMeasures result;
  measure_volume(bend, bones, positions, result);
  measure_overlap(positions, result);
  measure_stretch(vertices, positions, result);
  result.thinnest = bend.twist ? thinnest_section(bend.turns.front(), vertices, positions) : NAN;
  return result;
}

}  // namespace sinew
