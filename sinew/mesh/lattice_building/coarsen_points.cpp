#include "sinew/mesh/lattice_building/coarsen_points.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/index.h"
#include "sinew/mesh/embedding.h"

namespace sinew {
namespace {

constexpr int outward_sweeps = 16;
// Mean ratio above which tetrahedra may lose some of it to enclose points.
constexpr double well_shaped = 0.1;
constexpr int most_walked = 400;

void add_point(TetrahedralComplex& complex, const Vec3& p, int tetrahedron) {
  complex.carried[index(tetrahedron)].push_back(static_cast<int>(complex.points.size()));
  complex.points.push_back(p);
  complex.allowance.push_back(HUGE_VAL);
}

// Assigns points that no walk from the corners of their triangle reached (around a hole, through a very thin part of
// the solid) to any tetrahedron that contains them.
void settle(TetrahedralComplex& complex, const std::vector<int>& unreached) {
  if (unreached.empty()) return;
  std::vector<Vec3> positions;
  for (int p : unreached) positions.push_back(complex.points[index(p)]);
  const Embedding embedding = embed_points({complex.positions, complex.tetrahedra}, positions);
  const std::vector<int> home = homes(complex);
  for (std::size_t i = 0; i < unreached.size(); ++i) {
    const int p = unreached[i], before = home[index(p)], after = embedding.points[i].tetrahedron;
    if (planes_of(complex.corners(after)).depth(positions[i]) <= planes_of(complex.corners(before)).depth(positions[i]))
      continue;
    std::vector<int>& list = complex.carried[index(before)];
    list.erase(std::find(list.begin(), list.end(), p));
    complex.carried[index(after)].push_back(p);
  }
}

void add_samples(TetrahedralComplex& complex, const TriangleMesh& surface, std::span<const int> home, double spacing) {
  std::vector<int> unreached;
  for (const Triangle& t : surface.triangles) {
    const Vec3 &a = surface.positions[index(t[0])], &b = surface.positions[index(t[1])],
               &c = surface.positions[index(t[2])];
    const double longest = std::sqrt(std::max({squared_norm(b - a), squared_norm(c - b), squared_norm(a - c)}));
    const int n = static_cast<int>(std::min(200.0, std::ceil(longest / spacing)));
    for (int i = 0; i <= n; ++i)
      for (int j = 0; i + j <= n; ++j) {
        const int k = n - i - j;
        if (i == n || j == n || k == n) continue;
        const Vec3 p = (double(i) * a + double(j) * b + double(k) * c) / double(n);
        int best = -1;
        double deepest = -HUGE_VAL;
        for (int v : t) {
          const int found = walk_to(complex, home[index(v)], p);
          const double depth = planes_of(complex.corners(found)).depth(p);
          if (depth <= deepest) continue;
          deepest = depth;
          best = found;
          if (depth >= 0) break;
        }
        if (deepest < 0) unreached.push_back(static_cast<int>(complex.points.size()));
        add_point(complex, p, best);
      }
  }
  settle(complex, unreached);
}

// Per boundary vertex, the displacement that encloses the points outside the faces around it.
struct BoundarySteps {
  std::vector<Vec3> direction;
  std::vector<double> length;

  // Adds the displacement of the boundary faces of tetrahedron t that p is outside of.
  void let_in(const TetrahedralComplex& complex, int t, const TetrahedronPlanes& planes, const Vec3& p, double margin) {
    for (std::size_t k = 0; k < 4; ++k) {
      const double outside = planes.offset[k] - dot(planes.normal(k), p);
      if (outside <= 0 || across(complex, t, k) >= 0) continue;
      for (std::size_t i = 0; i < 4; ++i) {
        if (i == k) continue;
        const std::size_t v = index(complex.tetrahedra[index(t)][i]);
        if (outside + margin > length[v]) {
          length[v] = outside + margin;
          direction[v] += outside * -planes.normal(k);
        }
      }
    }
  }
};

std::vector<Vec3> boundary_steps(const TetrahedralComplex& complex, double margin) {
  BoundarySteps steps{std::vector<Vec3>(complex.positions.size()), std::vector<double>(complex.positions.size(), 0.0)};
  for (std::size_t t = 0; t < complex.tetrahedra.size(); ++t) {
    if (complex.carried[t].empty()) continue;
    const TetrahedronPlanes planes = planes_of(complex.corners(static_cast<int>(t)));
    for (int point : complex.carried[t]) {
      const Vec3& p = complex.points[index(point)];
      if (planes.depth(p) >= 0) continue;
      steps.let_in(complex, static_cast<int>(t), planes, p, margin);
      // Beyond an inner face the point may be outside the boundary of the neighbour there.
      for (std::size_t k = 0; k < 4; ++k) {
        const int other = across(complex, static_cast<int>(t), k);
        if (other >= 0 && dot(planes.normal(k), p) < planes.offset[k])
          steps.let_in(complex, other, planes_of(complex.corners(other)), p, margin);
      }
    }
  }
  for (std::size_t v = 0; v < steps.direction.size(); ++v)
    steps.direction[v] = steps.length[v] * normalized(steps.direction[v]);
  return std::move(steps.direction);
}

bool push(TetrahedralComplex& complex, int vertex, Vec3 step) {
  double before = HUGE_VAL;
  for (int t : complex.star[index(vertex)]) before = std::min(before, mean_ratio(complex.corners(t)));
  for (int halvings = 0; halvings < 4; ++halvings, step *= 0.5) {
    const Replacement moved = moved_vertex(complex, vertex, complex.positions[index(vertex)] + step);
    std::vector<int> points, home;
    if (!(smallest_mean_ratio(moved) >= std::min(0.9 * before, well_shaped)) ||
        !distribute_points(complex, moved, points, home))
      continue;
    replace(complex, moved, points, home);
    return true;
  }
  return false;
}

// Sets the allowance of points that their tetrahedra do not contain. Returns their number.
int set_allowances(TetrahedralComplex& complex) {
  int outside = 0;
  for (std::size_t t = 0; t < complex.tetrahedra.size(); ++t) {
    if (complex.carried[t].empty()) continue;
    const TetrahedronPlanes planes = planes_of(complex.corners(static_cast<int>(t)));
    for (int p : complex.carried[t]) {
      const double distance_out = -planes.depth(complex.points[index(p)]);
      complex.allowance[index(p)] = std::max(0.0, distance_out);
      outside += distance_out > 0;
    }
  }
  return outside;
}

}  // namespace

int walk_to(const TetrahedralComplex& complex, int start, const Vec3& p) {
  int best = start;
  double deepest = -HUGE_VAL;
  std::vector<int> seen;
  for (int t = start; t >= 0 && static_cast<int>(seen.size()) < most_walked;) {
    const TetrahedronPlanes planes = planes_of(complex.corners(t));
    std::array<std::pair<double, std::size_t>, 4> depth;
    for (std::size_t k = 0; k < 4; ++k) depth[k] = {dot(planes.normal(k), p) - planes.offset[k], k};
    std::sort(depth.begin(), depth.end());
    if (depth[0].first > deepest) {
      deepest = depth[0].first;
      best = t;
    }
    if (deepest >= 0) return best;
    seen.push_back(t);
    int next = -1;
    for (const auto& [d, k] : depth) {
      if (d >= 0 || next >= 0) break;
      const int other = across(complex, t, k);
      if (other >= 0 && std::find(seen.begin(), seen.end(), other) == seen.end()) next = other;
    }
    t = next;
  }
  return best;
}

void carry_surface(TetrahedralComplex& complex, const TriangleMesh& surface, std::span<const int> home,
                   double spacing) {
  for (std::size_t v = 0; v < surface.positions.size(); ++v) add_point(complex, surface.positions[v], home[v]);
  add_samples(complex, surface, home, spacing);
}

int enclose_points(TetrahedralComplex& complex, double margin) {
  int outside = set_allowances(complex);
  for (int sweep = 0; sweep < outward_sweeps && outside > 0; ++sweep) {
    // In the first half of the sweeps, a point may move farther outside for the sake of others.
    if (sweep < outward_sweeps / 2)
      for (double& allowance : complex.allowance) allowance += margin;
    const std::vector<Vec3> steps = boundary_steps(complex, margin);
    bool moved = false;
    for (std::size_t v = 0; v < steps.size(); ++v)
      if (squared_norm(steps[v]) > 0 && !complex.on_chain(static_cast<int>(v)))
        moved |= push(complex, static_cast<int>(v), steps[v]);
    outside = set_allowances(complex);
    if (!moved) break;
  }
  return outside;
}

std::vector<int> homes(const TetrahedralComplex& complex) {
  std::vector<int> home(complex.points.size(), -1);
  for (std::size_t t = 0; t < complex.carried.size(); ++t)
    for (int p : complex.carried[t]) home[index(p)] = static_cast<int>(t);
  return home;
}

double farthest_outside(const TetrahedralComplex& complex, int* worst) {
  double farthest = 0;
  if (worst) *worst = -1;
  for (std::size_t t = 0; t < complex.tetrahedra.size(); ++t) {
    if (complex.carried[t].empty()) continue;
    const TetrahedronPlanes planes = planes_of(complex.corners(static_cast<int>(t)));
    for (int p : complex.carried[t]) {
      const double outside = -planes.depth(complex.points[index(p)]);
      if (outside <= farthest) continue;
      farthest = outside;
      if (worst) *worst = p;
    }
  }
  return farthest;
}

}  // namespace sinew
