#include "sinew/deform/mixed/handle_regions.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/mesh/embedding.h"
#include "sinew/mesh/quality.h"

namespace sinew {
namespace {

Vec3 barycentre(const TetrahedralMesh& mesh, int tetrahedron) {
  Vec3 sum;
  for (const int v : mesh.tetrahedra[index(tetrahedron)]) sum += mesh.positions[index(v)];
  return sum / 4;
}

std::vector<std::vector<int>> tetrahedra_of_vertices(const TetrahedralMesh& mesh) {
  std::vector<std::vector<int>> around(mesh.positions.size());
  for (std::size_t t = 0; t < mesh.tetrahedra.size(); ++t)
    for (const int v : mesh.tetrahedra[t]) around[index(v)].push_back(static_cast<int>(t));
  return around;
}

// The tetrahedra within the radius that hang together with the one at the place, ascending.
std::vector<int> connected_flesh(const TetrahedralMesh& mesh, const std::vector<std::vector<int>>& around,
                                 const HandleInBody& handle) {
  std::vector<int> found{handle.tetrahedron};
  std::vector<char> seen(mesh.tetrahedra.size(), 0);
  seen[index(handle.tetrahedron)] = 1;
  for (std::size_t k = 0; k < found.size(); ++k)
    for (const int v : mesh.tetrahedra[index(found[k])])
      for (const int next : around[index(v)]) {
        if (seen[index(next)]) continue;
        seen[index(next)] = 1;
        if (distance(barycentre(mesh, next), handle.place) <= handle.radius) found.push_back(next);
      }
  std::sort(found.begin(), found.end());
  return found;
}

void sort_out(std::vector<int>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

// All that the handle would hold if there were no others.
HandleRegion wanted_region(const TetrahedralMesh& mesh, const std::vector<std::vector<int>>& around,
                           const HandleInBody& handle) {
  HandleRegion region;
  region.tetrahedra = handle.skin.empty() ? connected_flesh(mesh, around, handle) : handle.skin;
  for (const int t : region.tetrahedra)
    for (const int v : mesh.tetrahedra[index(t)])
      if (!handle.skin.empty() || t == handle.tetrahedron ||
          distance(mesh.positions[index(v)], handle.place) <= handle.radius)
        region.vertices.push_back(v);
  sort_out(region.tetrahedra);
  sort_out(region.vertices);
  return region;
}

void refuse_outside(const TetrahedralMesh& mesh, const HandleInBody& handle) {
  const double outside = distance_outside(corners_of(mesh, index(handle.tetrahedron)), handle.place);
  if (outside <= handle.radius) return;
  char text[96];
  std::snprintf(text, sizeof(text), "%.3g m outside of the body, more than its radius of %.3g m", outside,
                handle.radius);
  throw usage_error(handle.words + " is " + text + "; place it in the body, on its skin or near it.");
}

// The handle that each of `count` elements belongs to, -1: none.
template <class Place>
std::vector<int> nearest_handles(std::size_t count, std::span<const HandleInBody> handles,
                                 const std::vector<HandleRegion>& regions, std::vector<int> HandleRegion::*member,
                                 const Place& place) {
  std::vector<int> owner(count, -1);
  std::vector<double> least(count, HUGE_VAL);
  for (std::size_t h = 0; h < handles.size(); ++h)
    for (const int k : regions[h].*member) {
      const double away = distance(place(k), handles[h].place) / handles[h].radius;
      if (away >= least[index(k)]) continue;
      least[index(k)] = away;
      owner[index(k)] = static_cast<int>(h);
    }
  return owner;
}

void leave_to_owners(const std::vector<int>& owner, std::vector<int> HandleRegion::*member,
                     std::vector<HandleRegion>& regions) {
  for (std::size_t h = 0; h < regions.size(); ++h)
    std::erase_if(regions[h].*member, [&](int k) { return owner[index(k)] != static_cast<int>(h); });
}

}  // namespace

std::vector<HandleRegion> handle_regions(const TetrahedralMesh& mesh, std::span<const HandleInBody> handles) {
  std::vector<HandleRegion> regions;
  if (handles.empty()) return regions;
  const std::vector<std::vector<int>> around = tetrahedra_of_vertices(mesh);
  for (const HandleInBody& handle : handles) {
    refuse_outside(mesh, handle);
    regions.push_back(wanted_region(mesh, around, handle));
  }
  leave_to_owners(nearest_handles(mesh.positions.size(), handles, regions, &HandleRegion::vertices,
                                  [&](int v) { return mesh.positions[index(v)]; }),
                  &HandleRegion::vertices, regions);
  leave_to_owners(nearest_handles(mesh.tetrahedra.size(), handles, regions, &HandleRegion::tetrahedra,
                                  [&](int t) { return barycentre(mesh, t); }),
                  &HandleRegion::tetrahedra, regions);
  for (std::size_t h = 0; h < handles.size(); ++h)
    if (regions[h].vertices.empty())
      throw usage_error(handles[h].words +
                        " holds nothing, since handles beside it hold all of the body there; place it elsewhere, make "
                        "their radii smaller, or ask for more tetrahedra.");
  return regions;
}

}  // namespace sinew
