#include "sinew/mesh/volume/surface_fitted_mesh.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/mesh/boundary_surface.h"
#include "sinew/mesh/quality.h"
#include "sinew/mesh/topology.h"
#include "sinew/mesh/triangle_geometry.h"

namespace sinew {
namespace {

constexpr double smallest_angle = 10, largest_angle = 160;  // dihedral, degrees
constexpr double smallest_part = 0.05;                      // of what the tetrahedron had
constexpr int drawing_rounds = 8, smoothing_sweeps = 4;
constexpr int widest_search = 6;  // rings of tetrahedra around a vertex

// Per vertex, the tetrahedra around it, increasing.
Rows tetrahedra_around(const std::vector<Tetrahedron>& tetrahedra, std::size_t vertices) {
  Rows rows;
  rows.offsets.assign(vertices + 1, 0);
  for (const Tetrahedron& t : tetrahedra)
    for (const int v : t) ++rows.offsets[index(v) + 1];
  for (std::size_t v = 0; v < vertices; ++v) rows.offsets[v + 1] += rows.offsets[v];
  rows.items.resize(4 * tetrahedra.size());
  std::vector<int> next(rows.offsets.begin(), rows.offsets.end() - 1);
  for (std::size_t e = 0; e < tetrahedra.size(); ++e)
    for (const int v : tetrahedra[e]) rows.items[index(next[index(v)]++)] = static_cast<int>(e);
  return rows;
}

// Moves the boundary vertices of a body onto its surface.
class Fitting {
 public:
  Fitting(const TriangleMesh& surface, VolumeMesh body)
      : surface_(surface),
        body_(std::move(body)),
        original_(body_.mesh.positions),
        around_(tetrahedra_around(body_.mesh.tetrahedra, original_.size())),
        triangles_(triangles_around_vertices(surface)),
        kept_(body_.mesh.tetrahedra.size(), 1) {
    held_.resize(body_.mesh.tetrahedra.size());
    for (std::size_t v = 0; v < body_.embedding.points.size(); ++v)
      if (body_.embedding.points[v].tetrahedron >= 0)
        held_[index(body_.embedding.points[v].tetrahedron)].push_back(static_cast<int>(v));
    boundary_.assign(original_.size(), 0);
    for (const Triangle& t : boundary_surface(body_.mesh).triangles)
      for (const int v : t) boundary_[index(v)] = 1;
  }

  SurfaceFittedMesh run() {
    find_places();
    share_.assign(original_.size(), 1);
    place_all();
    drop_flat_tetrahedra();
    draw_back();
    return assembled();
  }

 private:
  struct Place {
    SurfaceAnchor anchor;
    Vec3 point;  // on the surface, rest
  };

  // Vertices of the surface in the tetrahedra around `vertex`, and in wider rings if there are too few to locate the
  // surface.
  std::vector<int> surface_around(std::size_t vertex) const {
    std::vector<int> vertices{static_cast<int>(vertex)}, tetrahedra, found;
    for (int ring = 0; ring < widest_search; ++ring) {
      tetrahedra.clear();
      for (const int v : vertices)
        tetrahedra.insert(tetrahedra.end(), around_[index(v)].begin(), around_[index(v)].end());
      std::sort(tetrahedra.begin(), tetrahedra.end());
      tetrahedra.erase(std::unique(tetrahedra.begin(), tetrahedra.end()), tetrahedra.end());
      vertices.clear();
      found.clear();
      for (const int e : tetrahedra) {
        vertices.insert(vertices.end(), body_.mesh.tetrahedra[index(e)].begin(), body_.mesh.tetrahedra[index(e)].end());
        found.insert(found.end(), held_[index(e)].begin(), held_[index(e)].end());
      }
      std::sort(vertices.begin(), vertices.end());
      vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
      // One ring more than the first non-empty one: the closest triangle may be in the next one.
      if (ring > 0 && found.size() >= 3) break;
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  // Three of `vertices` that are far apart around `p`.
  std::array<int, 3> frame_around(const std::vector<int>& vertices, const Vec3& p) const {
    std::array<int, 3> frame{-1, -1, -1};
    const double reach = 1.5 * body_.cell_size;
    double best = -1;
    const auto at = [&](int v) { return surface_.positions[index(v)]; };
    const auto consider = [&](std::size_t k, const auto& value) {
      best = -1;
      for (const int v : vertices) {
        if (distance(at(v), p) > reach) continue;
        const double d = value(v);
        if (d > best) best = d, frame[k] = v;
      }
    };
    consider(0, [&](int v) { return distance(at(v), p); });
    if (frame[0] < 0) return frame;
    consider(1, [&](int v) { return distance(at(v), at(frame[0])); });
    consider(2, [&](int v) { return norm(cross(at(v) - at(frame[0]), at(frame[1]) - at(frame[0]))); });
    if (!(best > 1e-4 * body_.cell_size * body_.cell_size)) frame[0] = -1;
    return frame;
  }

  Place place_of(std::size_t vertex) const {
    Place place;
    std::vector<int> near = surface_around(vertex), triangles;
    for (const int v : near)
      triangles.insert(triangles.end(), triangles_[index(v)].begin(), triangles_[index(v)].end());
    std::sort(triangles.begin(), triangles.end());
    triangles.erase(std::unique(triangles.begin(), triangles.end()), triangles.end());
    if (triangles.empty()) {  // no vertex of a triangle is in the tetrahedra nearby: use any triangle
      triangles.resize(surface_.triangles.size());
      for (std::size_t t = 0; t < triangles.size(); ++t) triangles[t] = static_cast<int>(t);
    }
    ClosestPoint best;
    best.squared_distance = HUGE_VAL;
    for (const int t : triangles) {
      const Triangle& v = surface_.triangles[index(t)];
      const ClosestPoint c =
          closest_point_on_triangle(original_[vertex], surface_.positions[index(v[0])], surface_.positions[index(v[1])],
                                    surface_.positions[index(v[2])]);
      if (!(c.squared_distance < best.squared_distance)) continue;
      best = c;
      best.triangle = t;
    }
    const Triangle& v = surface_.triangles[index(best.triangle)];
    for (std::size_t k = 0; k < 3; ++k) {
      place.anchor.vertex[k] = v[k];
      place.anchor.weight[k] = best.barycentric[k];
    }
    place.point = best.point;
    place.anchor.frame = frame_around(near, best.point);
    if (place.anchor.frame[0] < 0) place.anchor.frame = place.anchor.vertex;
    return place;
  }

  void find_places() {
    places_.resize(original_.size());
    parallel_for(original_.size(), 32, [&](std::size_t v) {
      if (boundary_[v]) places_[v] = place_of(v);
    });
  }

  void place_all() {
    for (std::size_t v = 0; v < original_.size(); ++v)
      if (boundary_[v]) body_.mesh.positions[v] = original_[v] + share_[v] * (places_[v].point - original_[v]);
  }

  double original_volume(const Tetrahedron& t) const {
    return volume(original_[index(t[0])], original_[index(t[1])], original_[index(t[2])], original_[index(t[3])]);
  }

  bool well_shaped(std::size_t e) const {
    const std::array<Vec3, 4> p = corners_of(body_.mesh, e);
    if (!(volume(p[0], p[1], p[2], p[3]) > smallest_part * original_volume(body_.mesh.tetrahedra[e]))) return false;
    const AngleRange cosines = dihedral_cosines(p);
    return cosines.smallest <= std::cos(smallest_angle * radians_per_degree) &&
           cosines.largest >= std::cos(largest_angle * radians_per_degree);
  }

  // Removes tetrahedra of boundary vertices only that became flat on the surface. They stay, with their thickness,
  // where a part of the surface would otherwise have no body near it, such as an open sheet.
  void drop_flat_tetrahedra() {
    std::vector<char> flat(kept_.size(), 0);
    for (std::size_t e = 0; e < kept_.size(); ++e) {
      const Tetrahedron& t = body_.mesh.tetrahedra[e];
      flat[e] = std::all_of(t.begin(), t.end(), [&](int v) { return boundary_[index(v)] != 0; }) && !well_shaped(e);
    }
    const auto vertex_stays = [&](int v) {
      return std::any_of(around_[index(v)].begin(), around_[index(v)].end(), [&](int e) { return !flat[index(e)]; });
    };
    std::vector<char> needed(kept_.size(), 0);
    for (std::size_t e = 0; e < kept_.size(); ++e) {
      const Tetrahedron& t = body_.mesh.tetrahedra[e];
      needed[e] = flat[e] && !held_[e].empty() && std::none_of(t.begin(), t.end(), vertex_stays);
    }
    for (std::size_t e = 0; e < kept_.size(); ++e) {
      kept_[e] = !flat[e] || needed[e];
      if (!needed[e]) continue;
      for (const int v : body_.mesh.tetrahedra[e]) share_[index(v)] = 0;
    }
    place_all();
  }

  // Moves vertices towards the mean of their neighbours where the tetrahedra around do not become worse.
  void smooth_interior() {
    for (int sweep = 0; sweep < smoothing_sweeps; ++sweep)
      for (std::size_t v = 0; v < original_.size(); ++v) {
        if (boundary_[v]) continue;
        bool all_well = true;
        for (const int e : around_[v]) all_well = all_well && (!kept_[index(e)] || well_shaped(index(e)));
        if (all_well) continue;
        Vec3 mean;
        double count = 0;
        for (const int e : around_[v])
          for (const int other : body_.mesh.tetrahedra[index(e)])
            if (index(other) != v) mean += body_.mesh.positions[index(other)], ++count;
        const Vec3 old = body_.mesh.positions[v];
        const double before = worst_around(v);
        body_.mesh.positions[v] = old + 0.5 * (mean / count - old);
        if (worst_around(v) < before) body_.mesh.positions[v] = old;
      }
  }

  // Smallest volume around a vertex, relative to the original one.
  double worst_around(std::size_t v) const {
    double worst = HUGE_VAL;
    for (const int e : around_[v]) {
      if (!kept_[index(e)]) continue;
      const std::array<Vec3, 4> p = corners_of(body_.mesh, index(e));
      worst = std::min(worst, volume(p[0], p[1], p[2], p[3]) / original_volume(body_.mesh.tetrahedra[index(e)]));
    }
    return worst;
  }

  // Moves vertices of badly shaped tetrahedra back by half their displacement, and finally by all of it.
  void draw_back() {
    for (int round = 0; round < drawing_rounds; ++round) {
      smooth_interior();
      std::vector<char> back(original_.size(), 0);
      bool any = false;
      for (std::size_t e = 0; e < kept_.size(); ++e)
        if (kept_[e] && !well_shaped(e)) {
          any = true;
          for (const int v : body_.mesh.tetrahedra[e]) back[index(v)] = 1;
        }
      if (!any) return;
      for (std::size_t v = 0; v < original_.size(); ++v) {
        if (!back[v]) continue;
        if (boundary_[v])
          share_[v] = round + 2 >= drawing_rounds ? 0 : 0.5 * share_[v];
        else if (round + 2 >= drawing_rounds)
          body_.mesh.positions[v] = original_[v];
      }
      place_all();
    }
  }

  SurfaceFittedMesh assembled() const {
    SurfaceFittedMesh result;
    result.cell_size = body_.cell_size;
    std::vector<char> used(original_.size(), 0);
    for (std::size_t e = 0; e < kept_.size(); ++e)
      if (kept_[e])
        for (const int v : body_.mesh.tetrahedra[e]) used[index(v)] = 1;
    std::vector<int> number(original_.size(), -1);
    for (const bool outer : {true, false})
      for (std::size_t v = 0; v < original_.size(); ++v) {
        if (!used[v] || (boundary_[v] != 0) != outer) continue;
        number[v] = static_cast<int>(result.mesh.positions.size());
        result.mesh.positions.push_back(body_.mesh.positions[v]);
        if (!outer) continue;
        SurfaceAnchor anchor = places_[v].anchor;
        if (share_[v] == 1)
          anchor.frame = {-1, -1, -1};
        else
          anchor.offset = offset_in_frame(anchor.frame, surface_.positions, body_.mesh.positions[v] - places_[v].point);
        result.anchors.push_back(anchor);
      }
    for (std::size_t e = 0; e < kept_.size(); ++e) {
      if (!kept_[e]) continue;
      Tetrahedron t = body_.mesh.tetrahedra[e];
      bool beside = false;  // true if a vertex is outside the surface
      for (int& v : t) {
        beside = beside || (boundary_[index(v)] && share_[index(v)] < 1);
        v = number[index(v)];
      }
      result.mesh.tetrahedra.push_back(t);
      result.inside_fraction.push_back(beside ? body_.inside_fraction[e] : 1);
    }
    return result;
  }

  const TriangleMesh& surface_;
  VolumeMesh body_;
  std::vector<Vec3> original_;
  Rows around_, triangles_;
  std::vector<std::vector<int>> held_;  // per tetrahedron: the vertices of the surface in it
  std::vector<char> boundary_, kept_;
  std::vector<Place> places_;
  std::vector<double> share_;  // fraction of its displacement to the surface that a vertex keeps
};

}  // namespace

SurfaceFittedMesh fit_to_surface(const TriangleMesh& surface, VolumeMesh body) {
  return Fitting(surface, std::move(body)).run();
}

}  // namespace sinew
