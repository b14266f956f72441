#include "remesh.h"

#include <algorithm>
#include <cmath>

#include "exact_math.h"
#include "mesh_editor.h"

namespace sinew::samples {

double Sizing::operator()(const Vec3& p) const {
  double length = base;
  for (const Detail& detail : details) {
    const double t = smooth_step(detail.radius, detail.radius + detail.falloff, distance(p, detail.centre));
    length = std::min(length, mix(detail.length, base, t));
  }
  return length;
}

Sizing& Sizing::add(const Vec3& centre, double radius, double length, double falloff) {
  details.push_back({centre, radius, length, falloff});
  return *this;
}

Sizing& Sizing::add_pair(const Vec3& centre, double radius, double length, double falloff) {
  return add(centre, radius, length, falloff).add(mirrored(centre), radius, length, falloff);
}

namespace {

class Remesher {
 public:
  Remesher(Surface surface, const Solid& solid, const Sizing& sizing)
      : mesh_(std::move(surface)), solid_(solid), sizing_(sizing) {
    refresh_sizes();
    for (Index v = 0; v < mesh_.position.size(); ++v) mesh_.normal[v] = solid_.normal(mesh_.position[v]);
  }

  void even_out(int rounds) {
    for (int round = 0; round < rounds; ++round) {
      split_long_edges();
      collapse_short_edges(0.8);
      flip_edges();
      relax();
    }
  }

  // After cutting: everything settles around the outlines of the paints, which are only straightened.
  void settle(int rounds) {
    for (int round = 0; round < rounds; ++round) {
      collapse_short_edges(0.55);
      flip_edges();
      relax();
    }
  }

  void cut(const Paint& paint) {
    std::vector<double> value(mesh_.position.size(), 1);
    for (Index v = 0; v < mesh_.position.size(); ++v)
      if (mesh_.is_used(v)) value[v] = paint.field(mesh_.position[v]);
    snap_to_outline(paint, value);
    for (const auto& [u, v] : mesh_.edges()) {
      if (value[u] * value[v] >= 0) continue;
      const Vec3 crossing = solid_.project(root(paint, u, v));
      const Index middle = mesh_.split(u, v, crossing, solid_.normal(crossing));
      mesh_.on_outline[middle] = true;
      size_.push_back(sizing_(mesh_.position[middle]));
      value.push_back(0);
    }
    for (Index t = 0; t < mesh_.triangle.size(); ++t) {
      if (!mesh_.alive[t]) continue;
      double sum = 0;
      for (Index v : mesh_.triangle[t]) sum += value[v];
      if (sum < 0) mesh_.region[t] = paint.region;
    }
  }

  Surface finish() { return mesh_.compact(); }

 private:
  double wanted(Index u, Index v) const { return 0.5 * (size_[u] + size_[v]); }
  double length(Index u, Index v) const { return distance(mesh_.position[u], mesh_.position[v]); }

  void refresh_sizes() {
    size_.resize(mesh_.position.size());
    for (Index v = 0; v < size_.size(); ++v) size_[v] = sizing_(mesh_.position[v]);
  }

  void split_long_edges() {
    for (const auto& [u, v] : mesh_.edges()) {
      if (length(u, v) <= wanted(u, v) * 4 / 3) continue;
      const Vec3 middle = 0.5 * (mesh_.position[u] + mesh_.position[v]);
      const Vec3 projected = solid_.project(middle, 0.5 * length(u, v)), normal = solid_.normal(projected);
      const bool fair = mesh_.split_keeps_orientation(u, v, projected, normal);
      const Index added = mesh_.split(u, v, fair ? projected : middle, normal);
      size_.push_back(sizing_(mesh_.position[added]));
    }
  }

  void collapse_short_edges(double ratio) {
    for (const auto& [u, v] : mesh_.edges()) {
      if (!mesh_.is_used(u) || !mesh_.is_used(v) || !mesh_.has_edge(u, v)) continue;
      if (length(u, v) >= wanted(u, v) * ratio) continue;
      Vec3 target = 0.5 * (mesh_.position[u] + mesh_.position[v]);
      Index kept = u, removed = v;
      if (mesh_.on_outline[u] || mesh_.on_outline[v]) {
        if (mesh_.on_outline[u] && mesh_.on_outline[v] && !mesh_.is_outline_edge(u, v)) continue;
        if (!mesh_.on_outline[u]) std::swap(kept, removed);
        target = mesh_.position[kept];
      } else {
        target = solid_.project(target, 0.5 * length(u, v));
      }
      const double longest = 1.4 * wanted(u, v);
      const Vec3 normal = solid_.normal(target);
      if (mesh_.can_collapse(kept, removed, target, normal, longest)) mesh_.collapse(kept, removed, target, normal);
    }
  }

  void flip_edges() {
    for (int pass = 0; pass < 4; ++pass) {
      bool changed = false;
      for (const auto& [u, v] : mesh_.edges())
        if (mesh_.has_edge(u, v) && mesh_.improves_by_flip(u, v)) changed |= mesh_.flip(u, v);
      if (!changed) break;
    }
  }

  // Every vertex moves towards the centroid of its triangles, each weighted by its area in units
  // of the wanted area there, in the tangent plane of the solid.
  void relax() {
    refresh_sizes();
    std::vector<Vec3> moved = mesh_.position;
    for (Index v = 0; v < mesh_.position.size(); ++v) {
      if (!mesh_.is_used(v)) continue;
      if (mesh_.on_outline[v]) {
        moved[v] = relaxed_along_outline(v);
        continue;
      }
      Vec3 sum;
      double total = 0;
      for (Index t : mesh_.around[v]) {
        const auto& [a, b, c] = mesh_.triangle[t];
        const double wanted_length = (size_[a] + size_[b] + size_[c]) / 3;
        const double weight = norm(mesh_.area_vector(t)) / (wanted_length * wanted_length);
        sum += (mesh_.position[a] + mesh_.position[b] + mesh_.position[c]) / 3 * weight;
        total += weight;
      }
      const Vec3& normal = mesh_.normal[v];
      Vec3 step = (sum / total - mesh_.position[v]) * 0.7;
      step -= normal * dot(normal, step);
      moved[v] = solid_.project(mesh_.position[v] + step, 0.5 * size_[v]);
    }
    for (Index v = 0; v < mesh_.position.size(); ++v) {
      if (!mesh_.is_used(v) || moved[v] == mesh_.position[v]) continue;
      const Vec3 normal = solid_.normal(moved[v]);
      if (!mesh_.keeps_orientation(v, moved[v], normal)) continue;
      mesh_.position[v] = moved[v];
      mesh_.normal[v] = normal;
    }
  }

  // Straightens the outline: towards the middle of the two neighbours on it. Ends and forks stay.
  Vec3 relaxed_along_outline(Index v) const {
    const Vec3& p = mesh_.position[v];
    Vec3 sum;
    int count = 0;
    for (Index w : mesh_.neighbours(v)) {
      if (!mesh_.on_outline[w] || !mesh_.is_outline_edge(v, w)) continue;
      sum += mesh_.position[w];
      ++count;
    }
    return count == 2 ? solid_.project(mix(p, 0.5 * sum, 0.4), 0.5 * size_[v]) : p;
  }

  Vec3 root(const Paint& paint, Index u, Index v) const {
    Vec3 inside = mesh_.position[u], outside = mesh_.position[v];
    if (paint.field(inside) > 0) std::swap(inside, outside);
    for (int i = 0; i < 30; ++i) {
      const Vec3 middle = 0.5 * (inside + outside);
      (paint.field(middle) < 0 ? inside : outside) = middle;
    }
    return 0.5 * (inside + outside);
  }

  // Vertices close to the outline move onto it, so that cutting leaves no slivers.
  void snap_to_outline(const Paint& paint, std::vector<double>& value) {
    for (Index v = 0; v < mesh_.position.size(); ++v) {
      if (!mesh_.is_used(v) || mesh_.on_outline[v]) continue;
      Index nearest = v;
      double best = 0.38;
      for (Index w : mesh_.neighbours(v)) {
        if (value[v] * value[w] >= 0) continue;
        const double t = value[v] / (value[v] - value[w]);
        if (t < best) {
          best = t;
          nearest = w;
        }
      }
      if (nearest == v) continue;
      const Vec3 target = solid_.project(root(paint, v, nearest));
      const Vec3 normal = solid_.normal(target);
      if (!mesh_.keeps_orientation(v, target, normal)) continue;
      mesh_.position[v] = target;
      mesh_.normal[v] = normal;
      mesh_.on_outline[v] = true;
      value[v] = 0;
    }
  }

  MeshEditor mesh_;
  const Solid& solid_;
  const Sizing& sizing_;
  std::vector<double> size_;
};

}  // namespace

Surface remesh(Surface surface, const Solid& solid, const Sizing& sizing, const std::vector<Paint>& paints) {
  Remesher remesher(std::move(surface), solid, sizing);
  remesher.even_out(10);
  for (const Paint& paint : paints) remesher.cut(paint);
  remesher.settle(7);
  return remesher.finish();
}

}  // namespace sinew::samples
