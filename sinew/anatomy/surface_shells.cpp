#include "sinew/anatomy/surface_shells.h"

#include <algorithm>
#include <cmath>
#include <queue>

#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/mesh/surface/ray_cast.h"
#include "sinew/mesh/surface/vertex_areas.h"
#include "sinew/mesh/surface/weld.h"
#include "sinew/mesh/topology.h"

namespace sinew {
namespace {

// Least ratio of width to thickness of a shell, on average and anywhere; largest ratio that is measured; and largest
// thickness relative to the character's longest side. Limbs, and necks as wide as flat ones are, have a ratio of 2.
constexpr double mean_flatness = 3.2, least_flatness = 2.4, widest_seen = 8, most_thickness = 0.065;
// Distance from the surface, relative to the longest side, at which rays start and end.
constexpr double beside_surface = 1e-6;
// More triangles than this are sampled evenly.
constexpr std::size_t most_rays = 2500;
// Limits of a shell's fraction of the skin, and its least ratio of length to thickness; shorter ones are brims.
constexpr double least_area = 4e-3, most_area = 0.35, least_length = 3;
// For an animal that is flat as a whole: its limbs are shells, and of them only what is thinner by this factor. The
// search is repeated at most so often.
constexpr double thinner = 0.9;
constexpr int most_questions = 14;
// Where a shell is not attached to the rest of the surface, its root is the part within this fraction of its extent
// from its joint.
constexpr double beginning = 0.15;
constexpr double mostly_open = 0.8;
constexpr double largest_hole = 0.05;  // relative to the area of the shells
// Least length of the mean normal of an open shell: it faces one direction more than a hemisphere does.
constexpr double least_facing = 0.6;
constexpr int most_rounds = 4;  // rounds of propagating ray results to vertices without any

enum class Shape : char { unknown, solid, thin, open };

struct Through {
  Shape shape = Shape::unknown;
  double thickness = 0, flatness = 0;
  int other = -1;  // triangle on the other side
};

// The next triangle of the same piece: other pieces may be inside it, such as eyes in a head.
RayHit cast_in_piece(const BoundingVolumeHierarchy& tree, const std::vector<int>& piece_of_vertex, int piece,
                     const Vec3& origin, const Vec3& direction, double nearest, double farthest) {
  constexpr int most_others = 16;
  const double step = nearest;
  for (int k = 0; k < most_others; ++k) {
    const RayHit hit = cast_ray(tree, origin, direction, nearest, farthest);
    if (hit.triangle < 0 || piece_of_vertex[index(tree.surface().triangles[index(hit.triangle)][0])] == piece)
      return hit;
    nearest = hit.distance + step;
  }
  return {};
}

// Casts a ray through the middle of a triangle: finds the distance to the other side of its piece, and the width there.
Through look_through(const BoundingVolumeHierarchy& tree, const Triangle& triangle,
                     const std::vector<int>& piece_of_vertex, double size) {
  const int piece = piece_of_vertex[index(triangle[0])];
  const auto corner = [&](std::size_t k) -> const Vec3& { return tree.surface().positions[index(triangle[k])]; };
  const Vec3 normal = normalized(cross(corner(1) - corner(0), corner(2) - corner(0)));
  if (normal == Vec3{}) return {};
  const double near = beside_surface * size, most = most_thickness * size;
  const Vec3 middle = (corner(0) + corner(1) + corner(2)) / 3;
  const RayHit across = cast_in_piece(tree, piece_of_vertex, piece, middle, -normal, near, 2 * size);
  if (across.triangle < 0) return {Shape::open};
  if (!across.leaves || across.distance > most) return {Shape::solid, across.distance};
  const Vec3 inside = middle - (0.5 * across.distance) * normal;
  // Two directions in the shell: at least one of them crosses a limb at less than 45 degrees.
  const Vec3 along = normalized(corner(1) - corner(0)), beside = cross(normal, along);
  double width = HUGE_VAL;
  for (const Vec3& direction : {along, beside}) {
    const double far = 0.5 * widest_seen * across.distance;
    const double there = cast_in_piece(tree, piece_of_vertex, piece, inside, direction, near, far).distance;
    const double back = cast_in_piece(tree, piece_of_vertex, piece, inside, -direction, near, far).distance;
    width = std::min(width, std::min(there, far) + std::min(back, far));
  }
  const double flatness = width / across.distance;
  return {flatness >= least_flatness ? Shape::thin : Shape::solid, across.distance, flatness, across.triangle};
}

std::vector<Through> look_through(const TriangleMesh& mesh, const SurfacePieces& pieces,
                                  const std::vector<char>& left_out) {
  std::vector<Through> result(mesh.triangles.size());
  const BoundingVolumeHierarchy tree(mesh);
  const double size = longest_side(mesh);
  const std::size_t stride = (mesh.triangles.size() + most_rays - 1) / most_rays;
  parallel_for((result.size() + stride - 1) / std::max<std::size_t>(stride, 1), 64, [&](std::size_t k) {
    const Triangle& triangle = mesh.triangles[k * stride];
    if (!left_out.empty() && left_out[index(triangle[0])]) return;
    result[k * stride] = look_through(tree, triangle, pieces.of_vertex, size);
  });
  // A body may be open at the neck; a single layer is a piece that is open nearly everywhere.
  std::vector<double> open(pieces.pieces.size(), 0.0), all(pieces.pieces.size(), 0.0);
  std::vector<Vec3> facing(pieces.pieces.size());
  const auto normal = [&](std::size_t t) {
    const auto at = [&](std::size_t k) -> const Vec3& { return mesh.positions[index(mesh.triangles[t][k])]; };
    return cross(at(1) - at(0), at(2) - at(0));
  };
  for (std::size_t t = 0; t < result.size(); ++t) {
    if (result[t].shape == Shape::unknown) continue;
    const std::size_t piece = index(pieces.of_vertex[index(mesh.triangles[t][0])]);
    all[piece] += norm(normal(t));
    facing[piece] += normal(t);
    if (result[t].shape == Shape::open) open[piece] += norm(normal(t));
  }
  for (std::size_t t = 0; t < result.size(); ++t) {
    const std::size_t piece = index(pieces.of_vertex[index(mesh.triangles[t][0])]);
    if (result[t].shape == Shape::open &&
        (open[piece] < mostly_open * all[piece] || norm(facing[piece]) < least_facing * all[piece]))
      result[t].shape = Shape::solid;
  }
  return result;
}

// Positions of the surface, which several vertices share along seams of weights. For each, the fraction of ray results
// around it that find a shell: 0 to 1, or -1 without results.
struct Places {
  std::vector<int> of_vertex;
  Rows neighbours;  // by edges
};

Places places_of(const TriangleMesh& mesh) {
  Places places;
  WeldOptions options;
  options.tolerance = same_place * longest_side(mesh);
  places.of_vertex = weld(mesh.positions, options).welded;
  std::size_t count = 0;
  for (const int place : places.of_vertex) count = std::max(count, index(place) + 1);
  TriangleMesh welded{std::vector<Vec3>(count), mesh.triangles};
  for (Triangle& triangle : welded.triangles)
    for (int& v : triangle) v = places.of_vertex[index(v)];
  const MeshEdges edges = mesh_edges(welded);
  std::vector<int> degree(count, 0);
  for (const auto& [a, b] : edges.vertices) ++degree[index(a)], ++degree[index(b)];
  Rows& rows = places.neighbours;
  rows.offsets.resize(count + 1, 0);
  for (std::size_t p = 0; p < count; ++p) rows.offsets[p + 1] = rows.offsets[p] + degree[p];
  rows.items.resize(index(rows.offsets[count]));
  std::vector<int> end(rows.offsets.begin(), rows.offsets.end() - 1);
  for (const auto& [a, b] : edges.vertices) {
    rows.items[index(end[index(a)]++)] = b;
    rows.items[index(end[index(b)]++)] = a;
  }
  return places;
}

std::vector<double> shares(const TriangleMesh& mesh, const std::vector<Through>& through, const Places& places) {
  const std::size_t count = places.neighbours.size();
  std::vector<double> shell(count, 0.0), all(count, 0.0);
  for (std::size_t t = 0; t < through.size(); ++t) {
    if (through[t].shape == Shape::unknown) continue;
    const Triangle& corners = mesh.triangles[t];
    const auto at = [&](std::size_t k) -> const Vec3& { return mesh.positions[index(corners[k])]; };
    const double area = norm(cross(at(1) - at(0), at(2) - at(0)));
    for (const int v : corners) {
      const std::size_t p = index(places.of_vertex[index(v)]);
      all[p] += area;
      if (through[t].shape == Shape::thin || through[t].shape == Shape::open) shell[p] += area;
    }
  }
  std::vector<double> share(count);
  for (std::size_t p = 0; p < count; ++p) share[p] = all[p] > 0 ? shell[p] / all[p] : -1;
  for (int round = 0; round < most_rounds; ++round) {
    const std::vector<double> before = share;
    for (std::size_t p = 0; p < count; ++p) {
      if (before[p] >= 0) continue;
      double sum = 0, known = 0;
      for (const int other : places.neighbours[p])
        if (before[index(other)] >= 0) sum += before[index(other)], known += 1;
      if (known > 0) share[p] = sum / known;
    }
  }
  return share;
}

// Adds the rims of thin regions: what is no farther away, along edges, than the region is thick.
void add_rims(const TriangleMesh& mesh, const std::vector<Through>& through, const Places& places,
              const std::vector<char>& left_out, std::vector<char>& flagged) {
  std::vector<double> thickness(flagged.size(), 0.0), area(flagged.size(), 0.0), left(flagged.size(), 0.0);
  std::vector<int> first(flagged.size(), -1);
  for (std::size_t v = mesh.positions.size(); v-- > 0;) first[index(places.of_vertex[v])] = static_cast<int>(v);
  for (std::size_t t = 0; t < through.size(); ++t) {
    if (through[t].shape != Shape::thin) continue;
    for (const int v : mesh.triangles[t]) {
      const std::size_t p = index(places.of_vertex[index(v)]);
      thickness[p] += through[t].thickness;
      area[p] += 1;
    }
  }
  using Entry = std::pair<double, int>;
  std::priority_queue<Entry> open;
  for (std::size_t p = 0; p < flagged.size(); ++p) {
    if (!flagged[p] || area[p] == 0) continue;
    left[p] = thickness[p] / area[p];
    open.push({left[p], static_cast<int>(p)});
  }
  while (!open.empty()) {
    const auto [at, place] = open.top();
    open.pop();
    if (at < left[index(place)]) continue;
    for (const int other : places.neighbours[index(place)]) {
      if (flagged[index(other)] == 1 || (!left_out.empty() && left_out[index(first[index(other)])])) continue;
      const double there =
          at - distance(mesh.positions[index(first[index(place)])], mesh.positions[index(first[index(other)])]);
      if (there <= left[index(other)]) continue;
      left[index(other)] = there;
      flagged[index(other)] = 2;
      open.push({there, other});
    }
  }
  for (char& flag : flagged) flag = flag != 0;
}

// Adds parts that are not thin, but too small to be a body to which a shell is attached, such as the tip of a rim.
void fill_holes(const TriangleMesh& mesh, const Places& places, const std::vector<double>& areas,
                const std::vector<char>& left_out, std::vector<char>& flagged) {
  DisjointSets sets(flagged.size());
  std::vector<double> area(flagged.size(), 0.0);
  std::vector<char> keep(flagged.size(), 0);
  double shells = 0;
  for (std::size_t p = 0; p < flagged.size(); ++p)
    for (const int other : places.neighbours[p])
      if (!flagged[p] && !flagged[index(other)]) sets.unite(static_cast<int>(p), other);
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const std::size_t place = index(places.of_vertex[v]), set = index(sets.find(static_cast<int>(place)));
    if (flagged[place]) shells += areas[v];
    area[set] += areas[v];
    keep[set] |= !left_out.empty() && left_out[v];
  }
  std::vector<char> touches(flagged.size(), 0);
  for (std::size_t p = 0; p < flagged.size(); ++p)
    for (const int other : places.neighbours[p])
      if (!flagged[p] && flagged[index(other)]) touches[index(sets.find(static_cast<int>(p)))] = 1;
  for (std::size_t p = 0; p < flagged.size(); ++p) {
    const std::size_t set = index(sets.find(static_cast<int>(p)));
    if (!flagged[p] && touches[set] && !keep[set] && area[set] < largest_hole * shells) flagged[p] = 1;
  }
}

// Distance along edges from the root, per position of the set.
std::vector<double> root_distances(const SimulationSurface& surface, const Places& places,
                                   const std::vector<int>& vertices, const std::vector<char>& flagged) {
  const std::vector<Vec3>& x = surface.rest.positions;
  std::vector<double> from_root(places.neighbours.size(), HUGE_VAL);
  std::vector<int> first(places.neighbours.size(), -1);
  for (std::size_t v = x.size(); v-- > 0;) first[index(places.of_vertex[v])] = static_cast<int>(v);
  using Entry = std::pair<double, int>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  const auto start = [&](int place) {
    from_root[index(place)] = 0;
    open.push({0, place});
  };
  for (const int v : vertices) {
    const int place = places.of_vertex[index(v)];
    if (from_root[index(place)] == 0) continue;
    for (const int other : places.neighbours[index(place)])
      if (!flagged[index(other)]) {
        start(place);
        break;
      }
  }
  if (open.empty()) {
    // The joint nearest to the root of the skeleton among those that carry any of the shell.
    int top = -1, least = 0;
    for (const int v : vertices) {
      const Influences& on = surface.influences[index(v)];
      if (on.count == 0) continue;
      int depth = 0;
      for (int up = on.joint[0]; up >= 0; up = surface.bones[index(up)].parent) ++depth;
      if (top < 0 || depth < least) top = on.joint[0], least = depth;
    }
    if (top >= 0) {
      const Vec3 joint = inverse(surface.bones[index(top)].rest_to_joint).translation;
      double near = HUGE_VAL, far = 0;
      for (const int v : vertices)
        near = std::min(near, distance(x[index(v)], joint)), far = std::max(far, distance(x[index(v)], joint));
      for (const int v : vertices)
        if (distance(x[index(v)], joint) <= near + beginning * (far - near) &&
            from_root[index(places.of_vertex[index(v)])] > 0)
          start(places.of_vertex[index(v)]);
    }
  }
  while (!open.empty()) {
    const auto [at, place] = open.top();
    open.pop();
    if (at > from_root[index(place)]) continue;
    for (const int other : places.neighbours[index(place)]) {
      if (!flagged[index(other)]) continue;
      const double there = at + distance(x[index(first[index(place)])], x[index(first[index(other)])]);
      if (there >= from_root[index(other)]) continue;
      from_root[index(other)] = there;
      open.push({there, other});
    }
  }
  return from_root;
}

// Connected shells, without distances from the root. `flagged`: per position, whether it belongs to one.
std::vector<SurfaceShell> connected_sheets(const SimulationSurface& surface, const SurfacePieces& pieces,
                                           const std::vector<char>& left_out, const std::vector<Through>& through,
                                           const Places& places, const std::vector<double>& areas,
                                           std::vector<char>& flagged) {
  const TriangleMesh& mesh = surface.rest;
  const std::vector<double> share = shares(mesh, through, places);
  flagged.assign(share.size(), 0);
  for (std::size_t v = 0; v < mesh.positions.size(); ++v)
    if (pieces.of_vertex[v] >= 0 && (left_out.empty() || !left_out[v]))
      flagged[index(places.of_vertex[v])] = share[index(places.of_vertex[v])] > 0.5;
  add_rims(mesh, through, places, left_out, flagged);
  fill_holes(mesh, places, areas, left_out, flagged);
  DisjointSets sets(share.size());
  const auto place_of = [&](int triangle, std::size_t k) {
    return places.of_vertex[index(mesh.triangles[index(triangle)][k])];
  };
  for (std::size_t t = 0; t < through.size(); ++t)
    if (through[t].shape == Shape::thin) {
      const int here = place_of(static_cast<int>(t), 0), there = place_of(through[t].other, 0);
      if (flagged[index(here)] && flagged[index(there)]) sets.unite(here, there);
    }
  for (std::size_t p = 0; p < share.size(); ++p)
    for (const int other : places.neighbours[p])
      if (flagged[p] && flagged[index(other)]) sets.unite(static_cast<int>(p), other);

  std::vector<SurfaceShell> result;
  std::vector<int> shell_of(share.size(), -1);
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const int place = places.of_vertex[v];
    if (!flagged[index(place)] || (!left_out.empty() && left_out[v])) continue;
    int& shell = shell_of[index(sets.find(place))];
    if (shell < 0) {
      shell = static_cast<int>(result.size());
      result.emplace_back();
    }
    result[index(shell)].vertices.push_back(static_cast<int>(v));
  }

  std::vector<double> thin(result.size(), 0.0), open(result.size(), 0.0);
  for (std::size_t t = 0; t < through.size(); ++t) {
    if (through[t].shape != Shape::thin && through[t].shape != Shape::open) continue;
    const int place = place_of(static_cast<int>(t), 0);
    const int of = flagged[index(place)] ? shell_of[index(sets.find(place))] : -1;
    if (of < 0) continue;
    const double area = areas[index(mesh.triangles[t][0])];
    if (through[t].shape == Shape::open) {
      open[index(of)] += area;
      continue;
    }
    thin[index(of)] += area;
    result[index(of)].thickness += area * through[t].thickness;
    result[index(of)].flatness += area * through[t].flatness;
  }
  for (std::size_t k = 0; k < result.size(); ++k) {
    SurfaceShell& shell = result[k];
    const bool closed = thin[k] > open[k];
    shell.thickness = closed ? shell.thickness / thin[k] : 0;
    shell.flatness = closed ? shell.flatness / thin[k] : 0;
    std::vector<double> of_bone(surface.bones.size(), 0.0);
    for (const int v : shell.vertices) {
      shell.area += areas[index(v)];
      if (surface.influences[index(v)].count > 0)
        of_bone[index(surface.influences[index(v)].joint[0])] += areas[index(v)];
    }
    shell.bone = static_cast<int>(std::max_element(of_bone.begin(), of_bone.end()) - of_bone.begin());
  }
  return result;
}

}  // namespace

std::vector<SurfaceShell> surface_shells(const SimulationSurface& surface, const SurfacePieces& pieces,
                                         std::vector<char> left_out, const std::vector<char>& trunk) {
  std::vector<SurfaceShell> result;
  if (!surface.weighted) return result;
  const TriangleMesh& mesh = surface.rest;
  std::vector<Through> through = look_through(mesh, pieces, left_out);
  const auto is_sheet = [](const Through& t) { return t.shape == Shape::thin || t.shape == Shape::open; };
  if (std::none_of(through.begin(), through.end(), is_sheet)) return result;
  const Places places = places_of(mesh);
  const std::vector<double> areas = vertex_areas(mesh);
  double all = 0;
  for (const double area : areas) all += area;

  double limit = most_thickness * longest_side(surface);
  std::vector<char> flagged;
  for (int question = 0; question < most_questions; ++question) {
    if (question == 1) {
      left_out.resize(mesh.positions.size(), 0);
      for (std::size_t v = 0; v < left_out.size(); ++v)
        if (surface.influences[v].count > 0 && trunk[index(surface.influences[v].joint[0])]) left_out[v] = 1;
    }
    if (question > 1) limit *= thinner;
    for (std::size_t t = 0; t < through.size(); ++t)
      if (through[t].shape == Shape::thin &&
          (through[t].thickness > limit || (question == 1 && left_out[index(mesh.triangles[t][0])])))
        through[t].shape = Shape::solid;
    result = connected_sheets(surface, pieces, left_out, through, places, areas, flagged);
    const auto largest =
        std::max_element(result.begin(), result.end(), [](const auto& a, const auto& b) { return a.area < b.area; });
    if (largest == result.end() || largest->area <= most_area * all) break;
  }
  std::erase_if(result, [&](const SurfaceShell& shell) {
    return shell.area < least_area * all || shell.area > most_area * all ||
           (shell.thickness > 0 && shell.flatness < mean_flatness);
  });
  for (SurfaceShell& shell : result) {
    const std::vector<double> from_root = root_distances(surface, places, shell.vertices, flagged);
    for (const int v : shell.vertices) {
      const double at = from_root[index(places.of_vertex[index(v)])];
      shell.out.push_back(at < HUGE_VAL ? at : 0);
      shell.longest = std::max(shell.longest, shell.out.back());
    }
  }
  std::erase_if(result, [](const SurfaceShell& shell) { return shell.longest <= least_length * shell.thickness; });
  std::stable_sort(result.begin(), result.end(),
                   [](const SurfaceShell& a, const SurfaceShell& b) { return a.area > b.area; });
  return result;
}

}  // namespace sinew
