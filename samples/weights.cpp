#include "weights.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

#include "exact_math.h"

namespace sinew::samples {
namespace {

constexpr Index none = std::numeric_limits<Index>::max();

// The cells of a grid that lie in the solid, numbered, with their six neighbours.
struct Voxels {
  Vec3 origin;  // centre of cell 0, 0, 0
  double cell = 0;
  std::array<std::size_t, 3> size{};
  std::vector<Index> number;  // per grid cell, none outside
  std::vector<Vec3> centre;
  std::vector<std::array<Index, 6>> neighbour;

  std::size_t slot(std::size_t i, std::size_t j, std::size_t k) const { return (k * size[1] + j) * size[0] + i; }
};

Voxels voxelize(const Solid& solid, const Surface& surface, double cell) {
  Vec3 low = surface.position[0], high = low;
  for (const Vec3& p : surface.position) {
    low = min(low, p);
    high = max(high, p);
  }
  Voxels voxels;
  voxels.cell = cell;
  voxels.origin = low - Vec3{1, 1, 1} * cell;
  for (std::size_t axis = 0; axis < 3; ++axis)
    voxels.size[axis] = static_cast<std::size_t>(std::ceil((high[axis] - low[axis]) / cell)) + 3;
  voxels.number.assign(voxels.size[0] * voxels.size[1] * voxels.size[2], none);
  for (std::size_t k = 0; k < voxels.size[2]; ++k)
    for (std::size_t j = 0; j < voxels.size[1]; ++j)
      for (std::size_t i = 0; i < voxels.size[0]; ++i) {
        const Vec3 p =
            voxels.origin + Vec3{static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)} * cell;
        // Thin parts keep a connected row of cells.
        if (solid(p) > 0.35 * cell) continue;
        voxels.number[voxels.slot(i, j, k)] = static_cast<Index>(voxels.centre.size());
        voxels.centre.push_back(p);
      }
  const std::size_t steps[3] = {1, voxels.size[0], voxels.size[0] * voxels.size[1]};
  for (std::size_t slot = 0; slot < voxels.number.size(); ++slot) {
    if (voxels.number[slot] == none) continue;
    std::array<Index, 6> around{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      around[2 * axis] = voxels.number[slot - steps[axis]];
      around[2 * axis + 1] = voxels.number[slot + steps[axis]];
    }
    voxels.neighbour.push_back(around);
  }
  return voxels;
}

double distance_to_axis(const Bone& bone, const Vec3& p) {
  const Vec3 axis = bone.b - bone.a;
  const double squared = squared_norm(axis);
  const double t = squared > 0 ? std::clamp(dot(p - bone.a, axis) / squared, 0.0, 1.0) : 0.0;
  return distance(p, bone.a + axis * t);
}

struct NearestBone {
  std::vector<Index> bone;       // per voxel
  std::vector<double> distance;  // metres through the flesh from the bone's capsule
};

// Dijkstra's algorithm from all cells within the bones' capsules at once.
NearestBone nearest_bones(const Voxels& voxels, const std::vector<Bone>& bones) {
  const std::size_t count = voxels.centre.size();
  NearestBone nearest{std::vector<Index>(count, none), std::vector<double>(count, 1e9)};
  using Entry = std::pair<double, Index>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  for (Index v = 0; v < count; ++v) {
    double best = 1;
    for (Index b = 0; b < bones.size(); ++b) {
      const double ratio = distance_to_axis(bones[b], voxels.centre[v]) / std::max(bones[b].radius, 0.87 * voxels.cell);
      if (ratio >= best) continue;
      best = ratio;
      nearest.bone[v] = b;
      nearest.distance[v] = 0;
    }
    if (nearest.bone[v] != none) queue.push({0, v});
  }
  while (!queue.empty()) {
    const auto [d, v] = queue.top();
    queue.pop();
    if (d > nearest.distance[v]) continue;
    for (Index w : voxels.neighbour[v]) {
      if (w == none || d + voxels.cell >= nearest.distance[w]) continue;
      nearest.distance[w] = d + voxels.cell;
      nearest.bone[w] = nearest.bone[v];
      queue.push({nearest.distance[w], w});
    }
  }
  return nearest;
}

// Solves (L + H) w = H p by conjugate gradients, with L the graph Laplacian of the voxels, H the
// heat that the nearest bone gives and p one where that bone is the joint's.
std::vector<double> diffuse(const Voxels& voxels, const std::vector<double>& heat, const std::vector<double>& source) {
  const std::size_t count = voxels.centre.size();
  const auto apply = [&](const std::vector<double>& x, std::vector<double>& y) {
    for (std::size_t v = 0; v < count; ++v) {
      double sum = heat[v] * x[v];
      for (Index w : voxels.neighbour[v])
        if (w != none) sum += x[v] - x[w];
      y[v] = sum;
    }
  };
  std::vector<double> diagonal(count), x = source, r(count), z(count), p(count), q(count);
  for (std::size_t v = 0; v < count; ++v) {
    diagonal[v] = heat[v];
    for (Index w : voxels.neighbour[v]) diagonal[v] += w != none;
  }
  apply(x, q);
  double product = 0, first = 0;
  for (std::size_t v = 0; v < count; ++v) {
    r[v] = heat[v] * source[v] - q[v];
    p[v] = z[v] = r[v] / diagonal[v];
    product += r[v] * z[v];
  }
  first = product;
  for (int iteration = 0; iteration < 300 && product > 1e-12 * first; ++iteration) {
    apply(p, q);
    double curvature = 0;
    for (std::size_t v = 0; v < count; ++v) curvature += p[v] * q[v];
    const double step = product / curvature;
    double next = 0;
    for (std::size_t v = 0; v < count; ++v) {
      x[v] += step * p[v];
      r[v] -= step * q[v];
      z[v] = r[v] / diagonal[v];
      next += r[v] * z[v];
    }
    for (std::size_t v = 0; v < count; ++v) p[v] = z[v] + next / product * p[v];
    product = next;
  }
  return x;
}

// Trilinear among the cells of the solid around p; 0 where there are none.
double sample(const Voxels& voxels, const std::vector<double>& field, const Vec3& p) {
  const Vec3 q = (p - voxels.origin) / voxels.cell;
  const Vec3 low{std::floor(q.x), std::floor(q.y), std::floor(q.z)};
  double sum = 0, total = 0;
  for (unsigned corner = 0; corner < 8; ++corner) {
    double share = 1;
    std::array<std::size_t, 3> index{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const bool upper = corner >> axis & 1;
      share *= upper ? q[axis] - low[axis] : 1 - (q[axis] - low[axis]);
      index[axis] = static_cast<std::size_t>(low[axis]) + upper;
    }
    const Index v = voxels.number[voxels.slot(index[0], index[1], index[2])];
    if (v == none) continue;
    sum += share * field[v];
    total += share;
  }
  return total > 0 ? sum / total : 0;
}

// Averages with the neighbours on the surface, which takes the grid's steps out.
void smooth(const Surface& surface, std::vector<std::vector<double>>& weights, int rounds) {
  const std::size_t count = surface.position.size();
  for (int round = 0; round < rounds; ++round)
    for (std::vector<double>& field : weights) {
      std::vector<double> sum(count, 0), total(count, 0);
      for (const Triangle& t : surface.triangle)
        for (std::size_t i = 0; i < 3; ++i) {
          sum[t[i]] += field[t[(i + 1) % 3]] + field[t[(i + 2) % 3]];
          total[t[i]] += 2;
        }
      for (std::size_t v = 0; v < count; ++v) field[v] = 0.5 * field[v] + 0.5 * sum[v] / total[v];
    }
}

void take_share(const Share& share, const Vec3& p, Index vertex, std::vector<std::vector<double>>& weights) {
  const Vec3 offset = p - share.centre;
  const double r = norm({offset.x / share.radii.x, offset.y / share.radii.y, offset.z / share.radii.z});
  const double taken = share.strength * bump(r, 1);
  if (taken <= 0) return;
  for (std::vector<double>& field : weights) field[vertex] *= 1 - taken;
  weights[share.joint][vertex] += taken;
}

// The four largest, each less the fifth, so that influences fade instead of jumping.
Influences four_largest(const std::vector<std::vector<double>>& weights, Index vertex) {
  std::vector<Influence> all;
  for (Index j = 0; j < weights.size(); ++j)
    if (weights[j][vertex] > 0.004) all.push_back({j, weights[j][vertex] - 0.004});
  std::stable_sort(all.begin(), all.end(), [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
  const double fifth = all.size() > 4 ? all[4].weight : 0;
  Influences result{};
  double total = 0;
  for (std::size_t i = 0; i < std::min<std::size_t>(4, all.size()); ++i) {
    result[i] = {all[i].joint, all[i].weight - fifth};
    total += result[i].weight;
  }
  for (Influence& influence : result) {
    influence.weight /= total;
    if (influence.weight == 0) influence.joint = 0;
  }
  return result;
}

}  // namespace

void BoneList::add(const std::string& joint, const Vec3& a, const Vec3& b, double radius) {
  bones.push_back({skeleton_.index(joint), a, b, radius});
}

void BoneList::add_pair(const std::string& joint, const Vec3& a, const Vec3& b, double radius) {
  add(joint + "_l", a, b, radius);
  add(joint + "_r", mirrored(a), mirrored(b), radius);
}

void BoneList::add_limbs(const std::string& joint, const Vec3& a, const Vec3& b, double from, double to,
                         double radius) {
  add_pair(joint, mix(a, b, from), mix(a, b, to), radius);
}

std::vector<Influences> skin_weights(const Surface& surface, const Solid& solid, const std::vector<Bone>& bones,
                                     const std::vector<Share>& shares, std::size_t joints, double cell) {
  const Voxels voxels = voxelize(solid, surface, cell);
  const NearestBone nearest = nearest_bones(voxels, bones);
  std::vector<double> heat(voxels.centre.size());
  for (std::size_t v = 0; v < heat.size(); ++v) {
    const double cells = nearest.distance[v] / cell + 1;
    heat[v] = 1 / (cells * cells);
  }
  std::vector<std::vector<double>> weights(joints, std::vector<double>(surface.position.size(), 0));
  std::vector<Vec3> place(surface.position.size());
  for (std::size_t v = 0; v < place.size(); ++v)
    place[v] = surface.position[v] - solid.normal(surface.position[v]) * (0.5 * cell);
  for (Index joint = 0; joint < joints; ++joint) {
    std::vector<double> source(voxels.centre.size(), 0);
    bool any = false;
    for (std::size_t v = 0; v < source.size(); ++v)
      if (nearest.bone[v] != none && bones[nearest.bone[v]].joint == joint) {
        source[v] = 1;
        any = true;
      }
    if (!any) continue;
    const std::vector<double> field = diffuse(voxels, heat, source);
    for (std::size_t v = 0; v < place.size(); ++v) weights[joint][v] = std::max(0.0, sample(voxels, field, place[v]));
  }
  smooth(surface, weights, 6);
  for (const Share& share : shares)
    for (Index v = 0; v < surface.position.size(); ++v) take_share(share, surface.position[v], v, weights);
  std::vector<Influences> result;
  for (Index v = 0; v < surface.position.size(); ++v) result.push_back(four_largest(weights, v));
  return result;
}

}  // namespace sinew::samples
