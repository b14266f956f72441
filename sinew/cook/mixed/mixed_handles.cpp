#include "sinew/cook/mixed/mixed_handles.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/contact/surface_patch.h"
#include "sinew/deform/acting_settings.h"

namespace sinew {
namespace {

double radius_of(const HandleSettings& handle, double height) {
  return handle.radius.value_or(hand_of_height * height);
}

void sort_once(std::vector<int>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

// Vertices of the skin within the radius of its point nearest to the place, and those of that point, ascending.
std::vector<int> skin_around(const TriangleMesh& rest, const Vec3& place, double radius) {
  std::vector<int> vertices;
  const SurfacePoint middle = nearest_surface_point(rest, place);
  for (const PatchVertex& vertex : patch_around(rest, middle, radius)) vertices.push_back(vertex.vertex);
  for (const int vertex : middle.vertex)
    if (vertex >= 0) vertices.push_back(vertex);
  sort_once(vertices);
  return vertices;
}

// Tetrahedra that carry vertices of the skin, ascending.
std::vector<int> carriers_of(const HandledBody& body, std::span<const int> skin) {
  std::vector<int> carriers;
  for (const int vertex : skin) carriers.push_back(body.embedding.points[index(vertex)].tetrahedron);
  sort_once(carriers);
  return carriers;
}

// The handles that hold flesh, which are all but those that slide.
struct HoldingHandles {
  std::vector<HandleInBody> in_body;
  std::vector<std::size_t> handle;  // of each: its number among all
};

HoldingHandles holding_handles(const HandledBody& body, std::span<const HandleSettings> handles) {
  HoldingHandles result;
  std::vector<Vec3> places;
  for (const HandleSettings& handle : handles) places.push_back(handle.place);
  const Embedding embedded = embed_points(body.mesh, places);
  for (std::size_t h = 0; h < handles.size(); ++h) {
    if (handles[h].kind == HandleKind::slide) continue;
    const double radius = radius_of(handles[h], body.height);
    HandleInBody handle{
        "handles: " + handle_words(handles[h], h), places[h], radius, embedded.points[h].tetrahedron, {}};
    if (handles[h].grip == HandleGrip::skin)
      handle.skin = carriers_of(body, skin_around(body.surface.rest, places[h], radius));
    result.in_body.push_back(std::move(handle));
    result.handle.push_back(h);
  }
  return result;
}

// The skin that a handle lets slide across the mean normal there.
std::vector<SlidingVertex> sliding_skin(const HandledBody& body, const HandleSettings& handle, std::size_t number,
                                        std::span<const Vec3> normals) {
  const double radius = radius_of(handle, body.height);
  const std::vector<int> skin = skin_around(body.surface.rest, handle.place, radius);
  double nearest = HUGE_VAL;
  for (const int vertex : skin)
    nearest = std::min(nearest, distance(body.surface.rest.positions[index(vertex)], handle.place));
  Vec3 normal;
  for (const int vertex : skin) normal += normals[index(vertex)];
  std::vector<SlidingVertex> slides;
  for (const int vertex : skin) slides.push_back({vertex, normalized(normal)});
  if (nearest > radius || !(norm(normal) > 0))
    throw usage_error("handles: " + handle_words(handle, number) +
                      " has no vertex of the skin within its radius to hold; place it on the skin, or make its radius "
                      "larger.");
  return slides;
}

// Sums of the normals of the triangles around each vertex, by area.
std::vector<Vec3> outward_normals(const TriangleMesh& mesh) {
  std::vector<Vec3> normals(mesh.positions.size());
  for (const Triangle& t : mesh.triangles) {
    const auto corner = [&](std::size_t k) { return mesh.positions[index(t[k])]; };
    const Vec3 normal = cross(corner(1) - corner(0), corner(2) - corner(0));
    for (const int v : t) normals[index(v)] += normal;
  }
  return normals;
}

void refuse_whole_body(const TetrahedralMesh& mesh, const std::vector<HandleRegion>& regions) {
  std::size_t held = 0;
  for (const HandleRegion& region : regions) held += region.vertices.size();
  if (held == mesh.positions.size())
    throw usage_error("handles: they hold all " + std::to_string(held) +
                      " vertices of the body, so that nothing is left to deform; leave some out, make their radii "
                      "smaller, or ask for more tetrahedra.");
}

// A bone without length.
Bone bone_at(std::string name, const Vec3& place) { return {std::move(name), -1, -1, {}, {{place, place}}, false}; }

}  // namespace

PlacedHandles place_handles(const HandledBody& body, std::span<const HandleSettings> handles, std::size_t bones) {
  PlacedHandles placed;
  placed.movers.bones = bones;
  if (handles.empty()) return placed;
  const HoldingHandles holding = holding_handles(body, handles);
  if (bones == 0 && holding.handle.empty())
    throw usage_error(
        "handles: slides alone leave a body without bones free to move; add a point or a frame that holds it.");
  const std::vector<HandleRegion> regions = handle_regions(body.mesh, holding.in_body);
  refuse_whole_body(body.mesh, regions);
  placed.regions.resize(handles.size());
  placed.movers.handles.resize(handles.size());
  for (std::size_t k = 0; k < regions.size(); ++k) {
    const std::size_t h = holding.handle[k];
    placed.regions[h] = regions[k];
    if (handles[h].kind == HandleKind::frame && regions[k].tetrahedra.empty())
      throw usage_error(holding.in_body[k].words +
                        " turns nothing, since handles beside it hold all of the body there; make their radii smaller, "
                        "or ask for more tetrahedra.");
    placed.movers.handles[h] = {
        handles[h].kind == HandleKind::frame, handles[h].place, holding.in_body[k].tetrahedron, {}};
  }
  const std::vector<Vec3> normals = outward_normals(body.surface.rest);
  for (std::size_t h = 0; h < handles.size(); ++h)
    if (handles[h].kind == HandleKind::slide)
      placed.movers.handles[h].slides = sliding_skin(body, handles[h], h, normals);
  return placed;
}

std::vector<Bone> rotation_sources(std::span<const Bone> bones, const PlacedHandles& handles,
                                   std::span<const HandleSettings> settings) {
  std::vector<Bone> sources(bones.begin(), bones.end());
  for (std::size_t h = 0; h < settings.size(); ++h)
    if (settings[h].kind == HandleKind::frame)
      sources.push_back(bone_at(handle_words(settings[h], h), settings[h].place));
  if (handles.movers.fits_points()) sources.push_back(bone_at("all points", handles.movers.handles.front().place));
  return sources;
}

RotationClusters clusters_of_sources(const TetrahedralMesh& mesh, const RotationClusters& of_bones,
                                     std::span<const Bone> sources, const PlacedHandles& handles) {
  const std::vector<int> movers = handles.movers.of_handles();
  RotationClusters clusters = of_bones;
  if (handles.movers.fits_points()) {
    clusters = {std::vector<int>(mesh.tetrahedra.size(), 0), std::vector<char>(mesh.tetrahedra.size(), 0)};
  } else if (handles.movers.bones == 0) {
    clusters = rotation_clusters(mesh, sources, ClusterRule::segment);
  }
  for (std::size_t h = 0; h < handles.regions.size(); ++h)
    if (handles.movers.handles[h].is_frame)
      for (const int t : handles.regions[h].tetrahedra) {
        clusters.bone[index(t)] = movers[h];
        clusters.boneless[index(t)] = 0;
      }
  return clusters;
}

BonePins pins_of_handles(const PlacedHandles& handles) {
  const std::vector<int> movers = handles.movers.of_handles();
  BonePins pins;
  for (std::size_t h = 0; h < handles.regions.size(); ++h)
    for (const int v : handles.regions[h].vertices) {
      pins.vertex.push_back(v);
      pins.bone.push_back(movers[h]);
    }
  return pins;
}

}  // namespace sinew
