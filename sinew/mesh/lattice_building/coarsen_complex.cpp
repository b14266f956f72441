#include "sinew/mesh/lattice_building/coarsen_complex.h"
#include "sinew/base/index.h"
#include "sinew/mesh/tetrahedron.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace sinew {
namespace {

// Least mean ratio of tetrahedra after a split.
constexpr double flattest = 1e-7;

Tetrahedron with(Tetrahedron tetrahedron, int old_vertex, int new_vertex) {
  for (int& v : tetrahedron)
    if (v == old_vertex) v = new_vertex;
  return tetrahedron;
}

void erase_value(std::vector<int>& list, int value) { list.erase(std::find(list.begin(), list.end(), value)); }

void add(TetrahedralComplex& complex, Replacement& replacement, const Tetrahedron& tetrahedron) {
  std::array<Vec3, 4> corners;
  for (std::size_t k = 0; k < 4; ++k)
    corners[k] = tetrahedron[k] == replacement.moved ? replacement.position : complex.positions[index(tetrahedron[k])];
  replacement.added.push_back(tetrahedron);
  replacement.corners.push_back(corners);
}

int add_vertex(TetrahedralComplex& complex, const Vec3& p, int like) {
  complex.positions.push_back(p);
  complex.like.push_back(complex.like[index(like)]);
  complex.star.emplace_back();
  complex.chains_of.emplace_back();
  return static_cast<int>(complex.positions.size()) - 1;
}

// Completes a split with the new, last vertex, or removes the vertex again.
int finish_split(TetrahedralComplex& complex, const Replacement& replacement) {
  const int vertex = static_cast<int>(complex.positions.size()) - 1;
  std::vector<int> points, home;
  if (!(smallest_mean_ratio(replacement) > flattest) || !distribute_points(complex, replacement, points, home)) {
    complex.positions.pop_back();
    complex.like.pop_back();
    complex.star.pop_back();
    complex.chains_of.pop_back();
    return -1;
  }
  replace(complex, replacement, points, home);
  return vertex;
}

struct Shape {
  double volume = 0, squares = 0;  // the latter: sum of squared edges
};

Shape shape_of(const std::array<Vec3, 4>& p) {
  Shape shape{volume(p[0], p[1], p[2], p[3]), 0};
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = i + 1; j < 4; ++j) shape.squares += squared_norm(p[i] - p[j]);
  return shape;
}

// The tetrahedron with the least mean ratio. Compares cubes, which are monotonic and need no root.
struct Worst {
  double cube = HUGE_VAL;
  std::array<Vec3, 4> corners;
  bool is_none = true;

  void consider(const std::array<Vec3, 4>& tetrahedron) {
    const auto [volume, squares] = shape_of(tetrahedron);
    const double here = squares > 0 ? volume * std::abs(volume) / (squares * squares * squares) : 0;
    if (!is_none && !(here < cube)) return;
    cube = here;
    corners = tetrahedron;
    is_none = false;
  }
  double ratio() const { return is_none ? HUGE_VAL : mean_ratio(corners); }
};

// Searches for the tetrahedron that across() returns.
int found_across(const TetrahedralComplex& complex, int tetrahedron, std::size_t k) {
  const Tetrahedron& t = complex.tetrahedra[index(tetrahedron)];
  int a = t[(k + 1) % 4], b = t[(k + 2) % 4], c = t[(k + 3) % 4];
  // Searches around the corner with the fewest tetrahedra.
  if (complex.star[index(b)].size() < complex.star[index(a)].size()) std::swap(a, b);
  if (complex.star[index(c)].size() < complex.star[index(a)].size()) std::swap(a, c);
  for (int other : complex.star[index(a)])
    if (other != tetrahedron && has_vertex(complex.tetrahedra[index(other)], b) &&
        has_vertex(complex.tetrahedra[index(other)], c))
      return other;
  return -1;
}

// The corner of `of` opposite the face beyond which `tetrahedron` is, or was.
std::size_t corner_towards(const TetrahedralComplex& complex, int of, int tetrahedron) {
  const std::array<int, 4>& beyond = complex.beyond[index(of)];
  return static_cast<std::size_t>(std::find(beyond.begin(), beyond.end(), tetrahedron) - beyond.begin());
}

void part_from_neighbours(TetrahedralComplex& complex, int tetrahedron) {
  for (const int other : complex.beyond[index(tetrahedron)])
    if (other >= 0) complex.beyond[index(other)][corner_towards(complex, other, tetrahedron)] = -1;
  complex.beyond[index(tetrahedron)] = {-1, -1, -1, -1};
}

// The corner of `of` that is not a corner of `t`.
std::size_t corner_beside(const Tetrahedron& of, const Tetrahedron& t) {
  std::size_t k = 0;
  while (k < 3 && has_vertex(t, of[k])) ++k;
  return k;
}

void join_to_neighbours(TetrahedralComplex& complex, int tetrahedron) {
  for (std::size_t k = 0; k < 4; ++k) {
    const int other = found_across(complex, tetrahedron, k);
    complex.beyond[index(tetrahedron)][k] = other;
    if (other < 0) continue;
    const std::size_t back = corner_beside(complex.tetrahedra[index(other)], complex.tetrahedra[index(tetrahedron)]);
    complex.beyond[index(other)][back] = tetrahedron;
  }
}

}  // namespace

TetrahedronPlanes planes_of(const std::array<Vec3, 4>& corners) {
  TetrahedronPlanes planes;
  for (std::size_t i = 0; i < 4; ++i) {
    const Vec3 &a = corners[outward_faces[i][0]], &b = corners[outward_faces[i][1]], &c = corners[outward_faces[i][2]];
    const Vec3 normal = -normalized(cross(b - a, c - a));
    planes.x[i] = normal.x;
    planes.y[i] = normal.y;
    planes.z[i] = normal.z;
    planes.offset[i] = dot(normal, a);
  }
  return planes;
}

double coarse(double value) {
  // Keeps 5 of the 52 fraction bits. Half of the last one is added first, which may carry into the exponent.
  constexpr int dropped = 52 - 5;
  if (!std::isnormal(value)) return value;
  const auto bits = std::bit_cast<std::uint64_t>(value) + (std::uint64_t{1} << (dropped - 1));
  return std::bit_cast<double>(bits >> dropped << dropped);
}

double mean_ratio(const std::array<Vec3, 4>& p) {
  const Shape shape = shape_of(p);
  const double root = std::cbrt(3 * shape.volume);
  return shape.squares > 0 ? std::copysign(12 * root * root / shape.squares, root) : 0;
}

TetrahedralComplex::TetrahedralComplex(const TetrahedralMesh& mesh)
    : positions(mesh.positions),
      tetrahedra(mesh.tetrahedra),
      star(mesh.positions.size()),
      beyond(mesh.tetrahedra.size()),
      like(mesh.positions.size()),
      carried(mesh.tetrahedra.size()),
      chains_of(mesh.positions.size()) {
  std::iota(like.begin(), like.end(), 0);
  for (std::size_t t = 0; t < tetrahedra.size(); ++t)
    for (int v : tetrahedra[t]) star[index(v)].push_back(static_cast<int>(t));
  for (std::size_t t = 0; t < tetrahedra.size(); ++t)
    for (std::size_t k = 0; k < 4; ++k) beyond[t][k] = found_across(*this, static_cast<int>(t), k);
}

int alive_tetrahedra(const TetrahedralComplex& complex) {
  return static_cast<int>(std::count_if(complex.tetrahedra.begin(), complex.tetrahedra.end(),
                                        [](const Tetrahedron& t) { return t[0] >= 0; }));
}

std::vector<int> around_edge(const TetrahedralComplex& complex, int a, int b) {
  std::vector<int> found;
  for (int t : complex.star[index(a)])
    if (has_vertex(complex.tetrahedra[index(t)], b)) found.push_back(t);
  return found;
}

std::vector<int> around_face(const TetrahedralComplex& complex, int a, int b, int c) {
  std::vector<int> found;
  for (int t : complex.star[index(a)])
    if (has_vertex(complex.tetrahedra[index(t)], b) && has_vertex(complex.tetrahedra[index(t)], c)) found.push_back(t);
  return found;
}

std::vector<int> neighbours(const TetrahedralComplex& complex, int vertex) {
  std::vector<int> found;
  for (int t : complex.star[index(vertex)])
    for (int v : complex.tetrahedra[index(t)])
      if (v != vertex) found.push_back(v);
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::vector<std::array<int, 3>> boundary_triangles(const TetrahedralComplex& complex, int vertex) {
  std::vector<std::array<int, 3>> triangles;
  for (int t : complex.star[index(vertex)]) {
    const Tetrahedron& corners = complex.tetrahedra[index(t)];
    for (std::size_t k = 0; k < 4; ++k) {
      if (corners[k] == vertex || across(complex, t, k) >= 0) continue;
      std::array<int, 3> triangle;
      for (std::size_t i = 0; i < 3; ++i) triangle[i] = corners[outward_faces[k][i]];
      std::rotate(triangle.begin(), std::find(triangle.begin(), triangle.end(), vertex), triangle.end());
      triangles.push_back(triangle);
    }
  }
  return triangles;
}

bool on_boundary(const TetrahedralComplex& complex, int vertex) {
  for (int t : complex.star[index(vertex)])
    for (std::size_t k = 0; k < 4; ++k)
      if (complex.tetrahedra[index(t)][k] != vertex && across(complex, t, k) < 0) return true;
  return false;
}

void add_chain(TetrahedralComplex& complex, std::vector<int> vertices) {
  const int chain = static_cast<int>(complex.chains.size());
  for (int v : vertices) {
    std::vector<int>& of = complex.chains_of[index(v)];
    if (of.empty() || of.back() != chain) of.push_back(chain);
  }
  complex.chains.push_back(std::move(vertices));
}

void remove_from_chains(TetrahedralComplex& complex, int vertex) {
  for (int chain : complex.chains_of[index(vertex)]) erase_value(complex.chains[index(chain)], vertex);
  complex.chains_of[index(vertex)].clear();
}

bool is_chain_edge(const TetrahedralComplex& complex, int a, int b) {
  for (int chain : complex.chains_of[index(a)]) {
    const std::vector<int>& v = complex.chains[index(chain)];
    for (std::size_t i = 0; i + 1 < v.size(); ++i)
      if ((v[i] == a && v[i + 1] == b) || (v[i] == b && v[i + 1] == a)) return true;
  }
  return false;
}

double smallest_mean_ratio(const Replacement& replacement) {
  Worst worst;
  for (const std::array<Vec3, 4>& corners : replacement.corners) worst.consider(corners);
  return worst.ratio();
}

double smallest_mean_ratio_around(const TetrahedralComplex& complex, int vertex) {
  Worst worst;
  for (const int t : complex.star[index(vertex)]) worst.consider(complex.corners(t));
  return worst.ratio();
}

double volume_added(const TetrahedralComplex& complex, const Replacement& replacement) {
  double sum = 0;
  for (const std::array<Vec3, 4>& p : replacement.corners) sum += volume(p[0], p[1], p[2], p[3]);
  for (int t : replacement.removed) {
    const std::array<Vec3, 4> p = complex.corners(t);
    sum -= volume(p[0], p[1], p[2], p[3]);
  }
  return sum;
}

bool distribute_points(const TetrahedralComplex& complex, const Replacement& replacement, std::vector<int>& points,
                       std::vector<int>& home) {
  points.clear();
  home.clear();
  for (int t : replacement.removed)
    points.insert(points.end(), complex.carried[index(t)].begin(), complex.carried[index(t)].end());
  if (points.empty()) return true;
  if (replacement.corners.empty()) return false;
  std::vector<TetrahedronPlanes> planes;
  planes.reserve(replacement.corners.size());
  for (const std::array<Vec3, 4>& corners : replacement.corners) planes.push_back(planes_of(corners));
  std::size_t last = 0;
  for (int p : points) {
    const Vec3& x = complex.points[index(p)];
    double deepest = planes[last].depth(x);
    // Points come cell by cell: the tetrahedron of the last point often contains this one, and a point inside needs no
    // deeper one.
    if (deepest < 0)
      for (std::size_t i = 0; i < planes.size() && deepest < 0; ++i) {
        const double depth = planes[i].depth(x);
        if (depth > deepest) {
          deepest = depth;
          last = i;
        }
      }
    if (!(deepest >= -complex.allowance[index(p)])) return false;
    home.push_back(static_cast<int>(last));
  }
  return true;
}

void replace(TetrahedralComplex& complex, const Replacement& replacement, std::span<const int> points,
             std::span<const int> home) {
  if (replacement.moved >= 0) complex.positions[index(replacement.moved)] = replacement.position;
  for (int t : replacement.removed) {
    part_from_neighbours(complex, t);
    for (int v : complex.tetrahedra[index(t)]) erase_value(complex.star[index(v)], t);
    complex.tetrahedra[index(t)] = {-1, -1, -1, -1};
    complex.carried[index(t)].clear();
  }
  std::vector<int> number;
  for (std::size_t i = 0; i < replacement.added.size(); ++i) {
    // Numbers of removed tetrahedra are used again.
    int t = -1;
    if (i < replacement.removed.size()) {
      t = replacement.removed[i];
    } else {
      t = static_cast<int>(complex.tetrahedra.size());
      complex.tetrahedra.emplace_back();
      complex.beyond.emplace_back();
      complex.carried.emplace_back();
    }
    complex.tetrahedra[index(t)] = replacement.added[i];
    for (int v : replacement.added[i]) complex.star[index(v)].push_back(t);
    number.push_back(t);
  }
  for (const int t : number) join_to_neighbours(complex, t);
  for (std::size_t i = 0; i < points.size(); ++i) complex.carried[index(number[index(home[i])])].push_back(points[i]);
}

int split_tetrahedron(TetrahedralComplex& complex, int tetrahedron, const Vec3& p) {
  const Tetrahedron t = complex.tetrahedra[index(tetrahedron)];
  const int vertex = add_vertex(complex, p, t[0]);
  Replacement replacement;
  replacement.removed = {tetrahedron};
  for (int v : t) add(complex, replacement, with(t, v, vertex));
  return finish_split(complex, replacement);
}

int split_face(TetrahedralComplex& complex, int tetrahedron, std::size_t opposite, const Vec3& p) {
  const int other = across(complex, tetrahedron, opposite);
  const Tetrahedron t = complex.tetrahedra[index(tetrahedron)];
  const int vertex = add_vertex(complex, p, t[(opposite + 1) % 4]);
  Replacement replacement;
  replacement.removed = {tetrahedron};
  if (other >= 0) replacement.removed.push_back(other);
  for (std::size_t k = 0; k < 4; ++k) {
    if (k == opposite) continue;
    add(complex, replacement, with(t, t[k], vertex));
    if (other >= 0) add(complex, replacement, with(complex.tetrahedra[index(other)], t[k], vertex));
  }
  return finish_split(complex, replacement);
}

int split_edge(TetrahedralComplex& complex, int a, int b, const Vec3& p) {
  const int vertex = add_vertex(complex, p, a);
  Replacement replacement;
  replacement.removed = around_edge(complex, a, b);
  for (int t : replacement.removed) {
    add(complex, replacement, with(complex.tetrahedra[index(t)], a, vertex));
    add(complex, replacement, with(complex.tetrahedra[index(t)], b, vertex));
  }
  if (finish_split(complex, replacement) < 0) return -1;
  for (int chain : complex.chains_of[index(a)]) {
    std::vector<int>& v = complex.chains[index(chain)];
    for (std::size_t i = 0; i + 1 < v.size(); ++i)
      if ((v[i] == a && v[i + 1] == b) || (v[i] == b && v[i + 1] == a)) {
        v.insert(v.begin() + static_cast<std::ptrdiff_t>(i) + 1, vertex);
        complex.chains_of[index(vertex)].push_back(chain);
        break;
      }
  }
  return vertex;
}

Replacement moved_vertex(const TetrahedralComplex& complex, int vertex, const Vec3& position) {
  Replacement replacement;
  replacement.moved = vertex;
  replacement.position = position;
  replacement.removed = complex.star[index(vertex)];
  for (int t : replacement.removed) {
    replacement.added.push_back(complex.tetrahedra[index(t)]);
    std::array<Vec3, 4> corners = complex.corners(t);
    for (std::size_t k = 0; k < 4; ++k)
      if (complex.tetrahedra[index(t)][k] == vertex) corners[k] = position;
    replacement.corners.push_back(corners);
  }
  return replacement;
}

Replacement collapsed_edge(const TetrahedralComplex& complex, int kept, int gone, const Vec3& position) {
  Replacement replacement = moved_vertex(complex, kept, position);
  std::size_t left = 0;
  for (std::size_t i = 0; i < replacement.added.size(); ++i) {
    if (has_vertex(replacement.added[i], gone)) continue;
    replacement.added[left] = replacement.added[i];
    replacement.corners[left++] = replacement.corners[i];
  }
  replacement.added.resize(left);
  replacement.corners.resize(left);
  for (int t : complex.star[index(gone)]) {
    const Tetrahedron& old = complex.tetrahedra[index(t)];
    if (has_vertex(old, kept)) continue;
    replacement.removed.push_back(t);
    replacement.added.push_back(with(old, gone, kept));
    std::array<Vec3, 4> corners = complex.corners(t);
    for (std::size_t k = 0; k < 4; ++k)
      if (old[k] == gone) corners[k] = position;
    replacement.corners.push_back(corners);
  }
  return replacement;
}

}  // namespace sinew
