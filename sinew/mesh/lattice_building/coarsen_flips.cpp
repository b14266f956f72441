// Flips: the tetrahedra around an edge, or on both sides of a face, are replaced by others that fill the same space.
#include <algorithm>
#include <cmath>

#include "sinew/base/index.h"
#include "sinew/mesh/lattice_building/coarsen_improve.h"

namespace sinew {
namespace {

constexpr std::size_t longest_ring = 8;
// Least factor by which the smallest mean ratio must increase, so that flips do not alternate.
constexpr double gain = 1.02;

double ratio_of(const TetrahedralComplex& complex, int a, int b, int c, int d) {
  return mean_ratio({complex.positions[index(a)], complex.positions[index(b)], complex.positions[index(c)],
                     complex.positions[index(d)]});
}

void add_tetrahedron(const TetrahedralComplex& complex, Replacement& replacement, const Tetrahedron& t) {
  replacement.added.push_back(t);
  replacement.corners.push_back({complex.positions[index(t[0])], complex.positions[index(t[1])],
                                 complex.positions[index(t[2])], complex.positions[index(t[3])]});
}

bool replace_if_covered(TetrahedralComplex& complex, const Replacement& replacement) {
  std::vector<int> points, home;
  if (!distribute_points(complex, replacement, points, home)) return false;
  replace(complex, replacement, points, home);
  return true;
}

// The vertices around the edge a, b in counter-clockwise order seen from b; `closed` if they form a full ring. Empty if
// the tetrahedra around the edge form several fans.
std::vector<int> ring_around(const TetrahedralComplex& complex, int a, int b, std::span<const int> tetrahedra,
                             bool& closed) {
  std::vector<std::array<int, 2>> steps;
  for (int t : tetrahedra) {
    std::array<int, 2> others{};
    std::size_t count = 0;
    for (int v : complex.tetrahedra[index(t)])
      if (v != a && v != b) others[count++] = v;
    if (volume(complex.positions[index(a)], complex.positions[index(b)], complex.positions[index(others[0])],
               complex.positions[index(others[1])]) < 0)
      std::swap(others[0], others[1]);
    steps.push_back(others);
  }
  // Starts at the vertex that no other leads to, if there is one.
  std::size_t first = 0, starts = 0;
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (std::none_of(steps.begin(), steps.end(), [&](const auto& s) { return s[1] == steps[i][0]; })) {
      first = i;
      ++starts;
    }
  closed = starts == 0;
  if (starts > 1) return {};
  std::vector<int> ring{steps[first][0]};
  for (std::size_t used = 0; used < steps.size(); ++used) {
    const auto next = std::find_if(steps.begin(), steps.end(), [&](const auto& s) { return s[0] == ring.back(); });
    if (next == steps.end()) return {};
    ring.push_back((*next)[1]);
  }
  if (closed) {
    if (ring.back() != ring.front()) return {};
    ring.pop_back();
  }
  std::vector<int> sorted = ring;
  std::sort(sorted.begin(), sorted.end());
  return std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end() ? ring : std::vector<int>{};
}

// Removes the edge by the triangulation of its ring that maximises the smallest mean ratio (Klincsek 1980; Freitag and
// Ollivier-Gooch 1997).
bool remove_edge(TetrahedralComplex& complex, int a, int b) {
  const std::vector<int> around = around_edge(complex, a, b);
  if (around.size() < 3 || around.size() > longest_ring) return false;
  double before = HUGE_VAL;
  for (int t : around) before = std::min(before, mean_ratio(complex.corners(t)));
  bool closed = false;
  const std::vector<int> ring = ring_around(complex, a, b, around, closed);
  const std::size_t n = ring.size();
  // The face in a ring of three consists of existing edges; where parts overlap, the face itself may exist already.
  if (n < 3 || (n == 3 && closed && !around_face(complex, ring[0], ring[1], ring[2]).empty())) return false;
  std::array<std::array<double, longest_ring + 1>, longest_ring + 1> best{};
  std::array<std::array<std::size_t, longest_ring + 1>, longest_ring + 1> middle{};
  for (std::size_t i = 0; i + 1 < n; ++i) best[i][i + 1] = HUGE_VAL;
  for (std::size_t span = 2; span < n; ++span)
    for (std::size_t i = 0; i + span < n; ++i) {
      const std::size_t j = i + span;
      best[i][j] = -HUGE_VAL;
      // In a closed ring, the side from the last to the first vertex is a side of the ring; all others are new edges.
      if (!(closed && i == 0 && j == n - 1) && !around_edge(complex, ring[i], ring[j]).empty()) continue;
      for (std::size_t k = i + 1; k < j; ++k) {
        const double value = std::min({best[i][k], best[k][j], ratio_of(complex, ring[i], ring[k], ring[j], b),
                                       ratio_of(complex, ring[i], ring[j], ring[k], a)});
        if (coarse(value) <= coarse(best[i][j])) continue;
        best[i][j] = value;
        middle[i][j] = k;
      }
    }
  if (!(best[0][n - 1] > gain * before) || !(best[0][n - 1] > 0)) return false;
  Replacement replacement;
  replacement.removed = around;
  std::vector<std::array<std::size_t, 2>> open{{0, n - 1}};
  while (!open.empty()) {
    const auto [i, j] = open.back();
    open.pop_back();
    if (j - i < 2) continue;
    const std::size_t k = middle[i][j];
    add_tetrahedron(complex, replacement, {ring[i], ring[k], ring[j], b});
    add_tetrahedron(complex, replacement, {ring[i], ring[j], ring[k], a});
    open.push_back({i, k});
    open.push_back({k, j});
  }
  return replace_if_covered(complex, replacement);
}

// Replaces two tetrahedra with a common face by three around the edge between their other corners.
bool remove_face(TetrahedralComplex& complex, int t, std::size_t k) {
  const int other = across(complex, t, k);
  if (other < t) return false;
  const Tetrahedron corners = complex.tetrahedra[index(t)];
  const int d = corners[k];
  int e = -1;
  for (int v : complex.tetrahedra[index(other)])
    if (!has_vertex(corners, v)) e = v;
  if (e < 0 || !around_edge(complex, d, e).empty()) return false;
  const double before = std::min(mean_ratio(complex.corners(t)), mean_ratio(complex.corners(other)));
  Replacement replacement;
  replacement.removed = {t, other};
  for (std::size_t i = 0; i < 4; ++i) {
    if (i == k) continue;
    Tetrahedron added = corners;
    added[i] = e;
    add_tetrahedron(complex, replacement, added);
  }
  return smallest_mean_ratio(replacement) > gain * before && replace_if_covered(complex, replacement);
}

}  // namespace

int flip_edges_and_faces(TetrahedralComplex& complex) {
  int flips = 0;
  for (std::size_t v = 0; v < complex.positions.size(); ++v) {
    const int a = static_cast<int>(v);
    for (int b : neighbours(complex, a))
      if (a < b && !is_chain_edge(complex, a, b) && remove_edge(complex, a, b)) ++flips;
  }
  for (std::size_t t = 0; t < complex.tetrahedra.size(); ++t)
    for (std::size_t k = 0; k < 4 && complex.is_alive(static_cast<int>(t)); ++k)
      if (remove_face(complex, static_cast<int>(t), k)) {
        ++flips;
        break;
      }
  return flips;
}

}  // namespace sinew
