#include "sinew/rig/implicit/skin_parts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <set>

#include "sinew/base/index.h"
#include "sinew/mesh/surface/vertex_areas.h"
#include "sinew/mesh/topology.h"
#include "sinew/rig/bone_distance.h"

namespace sinew {
namespace {

constexpr std::size_t least_vertices = 12;  // of a part
constexpr std::size_t most_points = 80;     // on a part's skin: times of fields and of their fit
constexpr std::size_t most_skin = 400;      // points that tell where a part has skin
constexpr double seam_gap = 0.3;            // of an end's radius: nearer to the seam no points are taken
constexpr double open = 0.5;                // mean of the unit normals around a closed ring is below this
constexpr int dome_points = 6;              // around an end's pole

// Any unit vector across a unit vector.
Vec3 across(const Vec3& n) { return normalized(cross(n, std::abs(n.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0})); }

// Indices of as many of the candidates as asked, each the farthest from those before it (Gonzalez 1985).
std::vector<int> spread_out(const std::vector<Vec3>& positions, const std::vector<int>& candidates, std::size_t count) {
  std::vector<int> chosen;
  if (candidates.empty()) return chosen;
  std::vector<double> far(candidates.size(), HUGE_VAL);
  std::size_t next = 0;
  while (chosen.size() < count) {
    chosen.push_back(candidates[next]);
    for (std::size_t k = 0; k < candidates.size(); ++k)
      far[k] = std::min(far[k], distance(positions[index(candidates[k])], positions[index(chosen.back())]));
    // The first of equals, so that rounding does not decide.
    next = 0;
    for (std::size_t k = 1; k < far.size(); ++k)
      if (far[k] > (1 + 1e-9) * far[next]) next = k;
    if (!(far[next] > 0)) break;
  }
  return chosen;
}

// The border of a part's skin with that of another: vertices of both on either side.
struct Seam {
  std::set<int> here, there;
};

class Division {
 public:
  explicit Division(const SimulationSurface& surface)
      : surface_(surface),
        x_(surface.rest.positions),
        area_(vertex_areas(surface.rest)),
        normal_(vertex_area_vectors(x_, surface.rest.triangles)) {
    for (Vec3& n : normal_) n = normalized(n);
    find_parts();
    find_pieces();
    find_seams();
    for (std::size_t p = 0; p < result_.parts.size(); ++p) find_points(static_cast<int>(p));
  }

  SkinParts result() { return std::move(result_); }

 private:
  // The part of most weight, by which part each bone belongs to; the first of equals. -1: no weight.
  int strongest(int vertex, const std::vector<int>& part_of_bone) const {
    const Influences& on = surface_.influences[index(vertex)];
    std::map<int, double> weight;
    for (std::size_t k = 0; k < index(on.count); ++k)
      if (const int p = part_of_bone[index(on.joint[k])]; p >= 0) weight[p] += on.weight[k];
    int best = -1;
    double most = 0;
    for (const auto& [p, w] : weight)
      if (w > most) best = p, most = w;
    return best;
  }

  // Bones give up their skin to their parents, those that are farthest from the root first, until each has enough.
  void find_parts() {
    const std::size_t bones = surface_.bones.size();
    std::vector<int> depth(bones), order(bones);
    for (std::size_t b = 0; b < bones; ++b) {
      order[b] = static_cast<int>(b);
      for (int up = surface_.bones[b].parent; up >= 0 && depth[b] < static_cast<int>(bones);
           up = surface_.bones[index(up)].parent)
        ++depth[b];
    }
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return depth[index(a)] > depth[index(b)]; });
    std::vector<int> owner(bones);
    for (std::size_t b = 0; b < bones; ++b) owner[b] = static_cast<int>(b);
    const auto give = [&](int bone) {
      const int to = surface_.bones[index(bone)].parent;
      for (int& one : owner)
        if (one == bone) one = to;
    };
    for (const int b : order)
      if (surface_.bones[index(b)].helper) give(b);
    for (const int b : order) {
      std::size_t count = 0;
      if (owner[index(b)] != b) continue;
      for (std::size_t v = 0; v < x_.size(); ++v) count += strongest(static_cast<int>(v), owner) == b ? 1 : 0;
      if (count < least_vertices) give(b);
    }
    std::vector<int> number(bones, -1);
    for (std::size_t b = 0; b < bones; ++b) {
      if (owner[b] != static_cast<int>(b)) continue;
      number[b] = static_cast<int>(result_.parts.size());
      result_.parts.push_back({static_cast<int>(b), -1, {}, {}, 0});
    }
    for (const int o : owner) result_.of_bone.push_back(o < 0 ? -1 : number[index(o)]);
    for (SkinPart& part : result_.parts)
      if (const int up = surface_.bones[index(part.bone)].parent; up >= 0) part.parent = result_.of_bone[index(up)];
    for (std::size_t v = 0; v < x_.size(); ++v)
      result_.of_vertex.push_back(strongest(static_cast<int>(v), result_.of_bone));
  }

  // The connected piece of skin with most area of a part tells its shape.
  void find_pieces() {
    DisjointSets pieces(x_.size());
    for (const Triangle& t : surface_.rest.triangles) pieces.unite(t[0], t[1]), pieces.unite(t[1], t[2]);
    std::vector<std::map<int, double>> share(result_.parts.size());
    for (std::size_t v = 0; v < x_.size(); ++v)
      if (const int p = result_.of_vertex[v]; p >= 0) share[index(p)][pieces.find(static_cast<int>(v))] += area_[v];
    result_.on_shape.assign(x_.size(), 0);
    for (std::size_t v = 0; v < x_.size(); ++v) {
      const int p = result_.of_vertex[v];
      if (p < 0) continue;
      const auto& shares = share[index(p)];
      const auto most = std::max_element(shares.begin(), shares.end(),
                                         [](const auto& a, const auto& b) { return a.second < b.second; });
      result_.on_shape[v] = most->second > 0 && most->first == pieces.find(static_cast<int>(v)) ? 1 : 0;
    }
  }

  void find_seams() {
    for (const auto& [a, b] : mesh_edges(surface_.rest).vertices) {
      const int p = result_.of_vertex[index(a)], q = result_.of_vertex[index(b)];
      if (p == q || p < 0 || q < 0 || !result_.on_shape[index(a)] || !result_.on_shape[index(b)]) continue;
      Seam& of_p = seams_[{p, q}];
      of_p.here.insert(a);
      of_p.there.insert(b);
      Seam& of_q = seams_[{q, p}];
      of_q.here.insert(b);
      of_q.there.insert(a);
    }
  }

  Vec3 mean(const std::set<int>& vertices, const std::vector<Vec3>& of) const {
    Vec3 sum;
    for (const int v : vertices) sum += of[index(v)];
    return sum / static_cast<double>(vertices.size());
  }

  // A dome over the end of part p where the skin goes on in another part. Returns the end's radius; 0 where the seam is
  // no ring, so that there is nothing to close.
  double close_end(int p, const Seam& seam) {
    const Vec3 out = mean(seam.there, x_) - mean(seam.here, x_);
    if (!(norm(out) > 0) || norm(mean(seam.here, normal_)) > open) return 0;
    const Vec3 n = normalized(out);
    const Vec3 centre = mean(seam.here, x_);
    double radius = 0;
    for (const int v : seam.here)
      radius += norm(cross(x_[index(v)] - centre, n)) / static_cast<double>(seam.here.size());
    SkinPart& part = result_.parts[index(p)];
    part.points.push_back({centre + radius * n, n});
    const Vec3 side = across(n), up = cross(n, side);
    for (int k = 0; k < dome_points; ++k) {
      const double turn = 2 * std::numbers::pi * k / dome_points;
      const Vec3 direction = normalized(n + std::cos(turn) * side + std::sin(turn) * up);
      part.points.push_back({centre + radius * direction, direction});
    }
    return radius;
  }

  void find_points(int p) {
    SkinPart& part = result_.parts[index(p)];
    const Bone& bone = surface_.bones[index(part.bone)];
    std::vector<std::pair<Vec3, double>> kept_free;  // around seams: place, radius
    for (const auto& [pair, seam] : seams_) {
      if (pair.first != p) continue;
      const double radius = close_end(p, seam);
      for (const int v : seam.here) kept_free.push_back({x_[index(v)], seam_gap * radius});
    }
    std::vector<int> candidates, all;
    double area = 0;
    for (std::size_t v = 0; v < x_.size(); ++v) {
      if (result_.of_vertex[v] != p || !result_.on_shape[v]) continue;
      const Vec3 from_bone = x_[v] - nearest_point(bone, x_[v]);
      if (!(dot(normal_[v], from_bone) > 0)) continue;  // inside of a mouth, under a fold
      part.radius += area_[v] * norm(from_bone);
      area += area_[v];
      all.push_back(static_cast<int>(v));
      if (std::none_of(kept_free.begin(), kept_free.end(),
                       [&](const auto& seam) { return distance(x_[v], seam.first) < seam.second; }))
        candidates.push_back(static_cast<int>(v));
    }
    if (area > 0) part.radius /= area;
    for (const int v : spread_out(x_, candidates.size() < least_vertices ? all : candidates, most_points))
      part.points.push_back({x_[index(v)], normal_[index(v)]});
    std::vector<Vec3> places;
    for (const int v : all) places.push_back(x_[index(v)]);
    for (const Triangle& t : surface_.rest.triangles)
      if (std::all_of(t.begin(), t.end(),
                      [&](int v) { return result_.of_vertex[index(v)] == p && result_.on_shape[index(v)]; }))
        places.push_back((x_[index(t[0])] + x_[index(t[1])] + x_[index(t[2])]) / 3);
    std::vector<int> every(places.size());
    std::iota(every.begin(), every.end(), 0);
    for (const int k : spread_out(places, every, most_skin)) part.skin.push_back(places[index(k)]);
  }

  const SimulationSurface& surface_;
  const std::vector<Vec3>& x_;
  std::vector<double> area_;  // per vertex, square metres
  std::vector<Vec3> normal_;  // per vertex, unit, rest space
  std::map<std::pair<int, int>, Seam> seams_;
  SkinParts result_;
};

}  // namespace

SkinParts skin_parts(const SimulationSurface& surface) { return Division(surface).result(); }

}  // namespace sinew
