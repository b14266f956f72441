#include "sinew/shape/limb_surface.h"

#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

#include "sinew/base/index.h"

namespace sinew {
namespace {

TriangleMesh part_of_mesh(const TriangleMesh& whole, std::span<const int> triangles) {
  TriangleMesh part{whole.positions, {}};
  for (const int t : triangles) part.triangles.push_back(whole.triangles[index(t)]);
  return part;
}

}  // namespace

LimbSurface::Limb::Limb(const TriangleMesh& whole, const std::vector<int>& chosen)
    : triangle(chosen), mesh(part_of_mesh(whole, chosen)), tree(mesh) {}

ClosestPoint LimbSurface::Limb::closest(const Vec3& p) const {
  ClosestPoint found = tree.closest_point(p);
  if (found.triangle >= 0) found.triangle = triangle[index(found.triangle)];
  return found;
}

ClosestPoint LimbSurface::Limb::closest_facing(const Vec3& p, const Vec3& normal, double reach) const {
  ClosestPoint nearest;
  nearest.triangle = -1;
  nearest.squared_distance = reach * reach;
  const Vec3 far{reach, reach, reach};
  tree.for_each_overlapping({p - far, p + far}, [&](int t) {
    const Triangle& corners = mesh.triangles[index(t)];
    const Vec3 &a = mesh.positions[index(corners[0])], &b = mesh.positions[index(corners[1])],
               &c = mesh.positions[index(corners[2])];
    if (!(dot(area_vector(a, b, c), normal) > 0)) return;
    ClosestPoint here = closest_point_on_triangle(p, a, b, c);
    here.triangle = triangle[index(t)];
    if (std::tie(here.squared_distance, here.triangle) < std::tie(nearest.squared_distance, nearest.triangle))
      nearest = here;
  });
  return nearest;
}

LimbSurface::LimbSurface(TriangleMesh mesh, std::span<const std::vector<int>> triangles, double slack)
    : mesh_(std::move(mesh)), slack_(slack) {
  for (const std::vector<int>& each : triangles) limbs_.emplace_back(mesh_, each);
  std::vector<int> all(mesh_.triangles.size());
  std::iota(all.begin(), all.end(), 0);
  limbs_.emplace_back(mesh_, all);
}

template <class Find>
ClosestPoint LimbSurface::on_limb(int limb, const Find& find) const {
  const ClosestPoint anywhere = find(limbs_.back());
  if (limb < 0 || index(limb) + 1 >= limbs_.size() || anywhere.triangle < 0) return anywhere;
  const ClosestPoint there = find(limbs_[index(limb)]);
  const bool near =
      there.triangle >= 0 && std::sqrt(there.squared_distance) <= std::sqrt(anywhere.squared_distance) + slack_;
  return near ? there : anywhere;
}

ClosestPoint LimbSurface::closest(const Vec3& p, int limb) const {
  return on_limb(limb, [&](const Limb& where) { return where.closest(p); });
}

ClosestPoint LimbSurface::closest_facing(const Vec3& p, const Vec3& normal, int limb, double reach) const {
  return on_limb(limb, [&](const Limb& where) { return where.closest_facing(p, normal, reach); });
}

}  // namespace sinew
