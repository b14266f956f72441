#include "sinew/mesh/lattice_building/coarsen_copies.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <queue>
#include <utility>

#include "sinew/base/index.h"
#include "sinew/mesh/lattice_building/coarsen_complex.h"
#include "sinew/mesh/topology.h"

namespace sinew {
namespace {

constexpr int repair_sweeps = 30;
// Mean ratio below which tetrahedra are repaired, as inverted ones are.
constexpr double worst_mean_ratio = 0.02;

double worst_around(const TetrahedralMesh& mesh, const std::vector<int>& star, int vertex, const Vec3& p) {
  double worst = HUGE_VAL;
  for (int t : star) {
    std::array<Vec3, 4> corners;
    for (std::size_t k = 0; k < 4; ++k) {
      const int v = mesh.tetrahedra[index(t)][k];
      corners[k] = v == vertex ? p : mesh.positions[index(v)];
    }
    worst = std::min(worst, mean_ratio(corners));
  }
  return worst;
}

// Moves vertices of bad tetrahedra to where the worst one around them improves. Returns true when none is bad.
bool repair(TetrahedralMesh& mesh) {
  std::vector<std::vector<int>> star(mesh.positions.size());
  for (std::size_t t = 0; t < mesh.tetrahedra.size(); ++t)
    for (int v : mesh.tetrahedra[t]) star[index(v)].push_back(static_cast<int>(t));
  for (int sweep = 0; sweep < repair_sweeps; ++sweep) {
    std::vector<int> bad;
    for (std::size_t t = 0; t < mesh.tetrahedra.size(); ++t) {
      const Tetrahedron& c = mesh.tetrahedra[t];
      const double ratio = mean_ratio({mesh.positions[index(c[0])], mesh.positions[index(c[1])],
                                       mesh.positions[index(c[2])], mesh.positions[index(c[3])]});
      if (!(ratio > worst_mean_ratio)) bad.insert(bad.end(), c.begin(), c.end());
    }
    if (bad.empty()) return true;
    std::sort(bad.begin(), bad.end());
    bad.erase(std::unique(bad.begin(), bad.end()), bad.end());
    for (int v : bad) {
      Vec3& p = mesh.positions[index(v)];
      Vec3 middle;
      double reach = 0, count = 0;
      for (int t : star[index(v)])
        for (int w : mesh.tetrahedra[index(t)]) {
          middle += mesh.positions[index(w)];
          count += 1;
          reach = std::max(reach, distance(p, mesh.positions[index(w)]));
        }
      double best = worst_around(mesh, star[index(v)], v, p);
      const Vec3 from = p;
      const auto consider = [&](const Vec3& q) {
        const double worst = worst_around(mesh, star[index(v)], v, q);
        if (worst <= best) return;
        best = worst;
        p = q;
      };
      consider(0.5 * (from + middle / count));
      for (const double step : {0.2, 0.08, 0.03})
        for (std::size_t axis = 0; axis < 3; ++axis)
          for (const double sign : {-1.0, 1.0}) {
            Vec3 q = from;
            q[axis] += sign * step * reach;
            consider(q);
          }
    }
  }
  return false;
}

}  // namespace

std::optional<MergedMesh> merge_copies(const TetrahedralMesh& mesh, std::span<const int> cell,
                                       const std::function<bool(int a, int b)>& alike) {
  std::map<int, std::vector<int>> copies;
  for (std::size_t t = 0; t < cell.size(); ++t) copies[cell[t]].push_back(static_cast<int>(t));
  DisjointSets sets(mesh.positions.size());
  for (const auto& [number, list] : copies)
    for (std::size_t i = 0; i < list.size(); ++i)
      for (std::size_t j = i + 1; j < list.size(); ++j)
        if (alike(list[i], list[j]))
          for (std::size_t k = 0; k < 4; ++k)
            sets.unite(mesh.tetrahedra[index(list[i])][k], mesh.tetrahedra[index(list[j])][k]);
  MergedMesh merged;
  std::vector<int> number(mesh.positions.size(), -1), members;
  for (std::size_t v = 0; v < number.size(); ++v) {
    const std::size_t root = index(sets.find(static_cast<int>(v)));
    if (number[root] < 0) {
      number[root] = static_cast<int>(merged.mesh.positions.size());
      merged.mesh.positions.emplace_back();
      merged.vertex.push_back(static_cast<int>(root));
      members.push_back(0);
    }
    number[v] = number[root];
    merged.mesh.positions[index(number[v])] += mesh.positions[v];
    ++members[index(number[v])];
  }
  for (std::size_t v = 0; v < members.size(); ++v)
    if (members[v] > 1) merged.mesh.positions[v] = merged.mesh.positions[v] / members[v];
  std::map<Tetrahedron, int> known;
  for (const Tetrahedron& t : mesh.tetrahedra) {
    Tetrahedron corners = t;
    for (int& v : corners) v = number[index(v)];
    Tetrahedron key = corners;
    std::sort(key.begin(), key.end());
    const auto [at, is_new] = known.try_emplace(key, static_cast<int>(merged.mesh.tetrahedra.size()));
    if (is_new) merged.mesh.tetrahedra.push_back(corners);
    merged.tetrahedron.push_back(at->second);
  }
  if (!repair(merged.mesh)) return std::nullopt;
  return merged;
}

bool are_near_along_edges(const TetrahedralMesh& mesh, std::span<const std::vector<int>> around, int a, int b,
                          double within) {
  const Tetrahedron &from = mesh.tetrahedra[index(a)], &to = mesh.tetrahedra[index(b)];
  using Entry = std::pair<double, int>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  std::map<int, double> known;
  for (int v : from) {
    known[v] = 0;
    queue.push({0, v});
  }
  while (!queue.empty()) {
    const auto [d, v] = queue.top();
    queue.pop();
    if (has_vertex(to, v)) return true;
    if (d > known[v]) continue;
    for (int w : around[index(v)]) {
      const double next = d + distance(mesh.positions[index(v)], mesh.positions[index(w)]);
      if (next > within) continue;
      const auto [at, is_new] = known.try_emplace(w, next);
      if (!is_new && at->second <= next) continue;
      at->second = next;
      queue.push({next, w});
    }
  }
  return false;
}

}  // namespace sinew
