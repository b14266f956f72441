#include <algorithm>
#include <array>
#include <utility>

#include "sinew/character/defects.h"
#include "sinew/mesh/surface/defects.h"
#include "sinew/mesh/surface/weld.h"

namespace sinew {
namespace {

// Of the largest extent; what seams leave between the two copies of a vertex after skinning.
constexpr double weld_tolerance = 1e-6;

// The posed surface whose defects are looked for, and the way back to the file's numbers.
struct WeldedCharacter {
  std::vector<int> parts;  // indices into Character::parts
  JoinedMesh joined;
  WeldMap map;
  TriangleMesh mesh;  // welded
};

double largest_extent(const std::vector<Vec3>& positions) {
  if (positions.empty()) return 0;
  Vec3 low = positions.front(), high = low;
  for (const Vec3& x : positions) {
    low = min(low, x);
    high = max(high, x);
  }
  const Vec3 extent = high - low;
  return std::max({extent.x, extent.y, extent.z});
}

// The skinned parts in the default pose, or all where nothing is skinned.
WeldedCharacter weld_character(const Character& character) {
  const bool any_skin = std::any_of(character.parts.begin(), character.parts.end(), is_skinned_surface);
  const Pose pose = sample(character.skeleton, nullptr, 0);
  WeldedCharacter result;
  std::vector<TriangleMesh> posed;
  for (std::size_t p = 0; p < character.parts.size(); ++p) {
    const Part& part = character.parts[p];
    if (!is_surface(part) || (any_skin && part.skin < 0)) continue;
    result.parts.push_back(static_cast<int>(p));
    posed.push_back({posed_positions(character, part, pose), part.surface.triangles});
  }
  std::vector<const TriangleMesh*> pointers;
  for (const TriangleMesh& mesh : posed) pointers.push_back(&mesh);
  result.joined = join(pointers);
  result.map = weld(result.joined.mesh.positions,
                    WeldOptions{weld_tolerance * largest_extent(result.joined.mesh.positions), {}});
  result.mesh = apply_weld(result.joined.mesh, result.map);
  return result;
}

class Report {
 public:
  Report(const Character& character, const WeldedCharacter& welded) : character_(character), welded_(welded) {}

  void triangles(const char* name, std::vector<int> joined, const char* action) {
    add(name, "triangle", std::move(joined), welded_.joined.triangle_offset, action);
  }
  // Welded vertices are named by the first of the file's vertices that they stand for.
  void vertices(const char* name, const std::vector<int>& welded, const char* action) {
    std::vector<int> joined;
    joined.reserve(welded.size());
    for (const int vertex : welded) joined.push_back(welded_.map.source[static_cast<std::size_t>(vertex)]);
    add(name, "vertex", std::move(joined), welded_.joined.vertex_offset, action);
  }
  void edges(const char* name, const std::vector<std::array<int, 2>>& edges, const char* action) {
    std::vector<int> ends;
    for (const auto& edge : edges) ends.insert(ends.end(), edge.begin(), edge.end());
    vertices(name, ends, action);
  }
  void whole(const char* name, const std::string& action) { defects_.push_back({name, "", "", {}, action, false}); }
  std::vector<Defect> take() { return std::move(defects_); }

 private:
  // One defect per part that is concerned, with the numbers that the part itself uses.
  void add(const char* name, const char* kind, std::vector<int> joined, const std::vector<int>& offset,
           const char* action) {
    std::sort(joined.begin(), joined.end());
    joined.erase(std::unique(joined.begin(), joined.end()), joined.end());
    auto next = joined.begin();
    for (std::size_t p = 0; p < welded_.parts.size(); ++p) {
      std::vector<int> own;
      for (; next != joined.end() && *next < offset[p + 1]; ++next) own.push_back(*next - offset[p]);
      const Part& part = character_.parts[static_cast<std::size_t>(welded_.parts[p])];
      if (!own.empty()) defects_.push_back({name, part.name, kind, std::move(own), action, false});
    }
  }

  const Character& character_;
  const WeldedCharacter& welded_;
  std::vector<Defect> defects_;
};

// The triangles of pairs, all or only the first of each.
std::vector<int> first_of(const std::vector<std::array<int, 2>>& pairs) {
  std::vector<int> triangles;
  for (const auto& pair : pairs) triangles.push_back(pair[0]);
  return triangles;
}

std::vector<int> both_of(const std::vector<std::array<int, 2>>& pairs) {
  std::vector<int> triangles;
  for (const auto& pair : pairs) triangles.insert(triangles.end(), pair.begin(), pair.end());
  return triangles;
}

}  // namespace

std::vector<Defect> find_surface_defects(const Character& character) {
  const WeldedCharacter welded = weld_character(character);
  const SurfaceDefects found = find_defects(welded.mesh);
  Report report(character, welded);
  report.vertices("unreferenced vertex", found.unreferenced_vertices,
                  "No triangle uses the vertex; it moves with its joints.");
  report.triangles("degenerate triangle", found.degenerate_triangles,
                   "The triangle has no area; it is carried along and encloses nothing.");
  report.triangles("duplicate triangle", first_of(found.duplicate_triangles),
                   "The triangle lies on another one; both are carried along.");
  report.edges(
      "non-manifold edge", found.non_manifold_edges,
      "More than two triangles meet between the vertices; inside is decided by winding numbers, which allow that.");
  report.edges(
      "inconsistent winding", found.inconsistent_edges,
      "Two neighbours face opposite ways between the vertices; inside is decided by winding numbers of the whole.");
  std::vector<int> rims;
  for (const std::vector<int>& loop : found.boundary_loops) rims.insert(rims.end(), loop.begin(), loop.end());
  report.vertices(
      "open boundary", rims,
      "The surface ends at the vertices; holes are closed by winding numbers, and sheets get cells of their own.");
  report.triangles("self-intersecting", both_of(found.self_intersections),
                   "The triangles cross others; what they enclose twice counts as inside once.");
  if (found.islands > 1)
    report.whole("separate pieces", "The surface has " + std::to_string(found.islands) +
                                        " pieces that share no vertex; each gets flesh, pieces that overlap share it.");
  return report.take();
}

}  // namespace sinew
