// A tetrahedral complex that is edited: tetrahedra split, edges collapse, vertices move. It carries points, each in one
// tetrahedron, and chains of edges. Every operation here either preserves the following or is not carried out:
//   - every tetrahedron has positive volume, and faces match;
//   - every carried point lies in a tetrahedron, or outside it by no more than its allowance;
//   - every chain is a path of edges.
//
// Vertices, tetrahedra and points are numbered from 0; removed ones keep their numbers.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "sinew/linalg/small.h"
#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

// A tetrahedron as the positions of its corners and the inward unit normals of its faces; face i is opposite corner i.
struct TetrahedronPlanes {
  std::array<double, 4> x, y, z;  // normals, side by side: four planes cost hardly more than one
  std::array<double, 4> offset;

  Vec3 normal(std::size_t i) const { return {x[i], y[i], z[i]}; }
  // Distance from the plane of the nearest face; negative outside.
  double depth(const Vec3& p) const {
    std::array<double, 4> of_face;
    for (std::size_t i = 0; i < 4; ++i) of_face[i] = x[i] * p.x + y[i] * p.y + z[i] * p.z - offset[i];
    return std::min(std::min(of_face[0], of_face[1]), std::min(of_face[2], of_face[3]));
  }
};
TetrahedronPlanes planes_of(const std::array<Vec3, 4>& corners);

// Mean ratio: 12 (3 V)^(2/3) over the sum of squared edges (Liu and Joe 1994). 1 for the regular tetrahedron, 0 for a
// flat one, negative for an inverted one.
double mean_ratio(const std::array<Vec3, 4>& corners);

// Lengths, in cubes, that differ by no more than this count as equal. A mesh of cubes is full of ties, edges of equal
// length and shapes of equal quality, which rounding (also that of a file in another unit) must not decide. Costs and
// qualities are compared after rounding by coarse().
constexpr double tie_length = 1e-3;

// `value` rounded to within 1/64 of itself.
double coarse(double value);

struct TetrahedralComplex {
  std::vector<Vec3> positions;          // in cubes
  std::vector<Tetrahedron> tetrahedra;  // {-1, -1, -1, -1} for removed ones
  std::vector<std::vector<int>> star;   // per vertex, the tetrahedra that have it; empty for removed ones
  std::vector<std::array<int, 4>>
      beyond;                     // per tetrahedron, those across the face opposite each corner; -1 at the boundary
  std::vector<int> like;          // per vertex, a vertex of the original mesh that it was, or was near to
  std::vector<Vec3> points;       // carried, metres
  std::vector<double> allowance;  // per point, how far outside its tetrahedron it may be, metres
  std::vector<std::vector<int>> carried;  // per tetrahedron, its points

  std::vector<std::vector<int>> chains;     // vertices; each is joined to the next by an edge
  std::vector<std::vector<int>> chains_of;  // per vertex, the chains it is on

  TetrahedralComplex() = default;
  explicit TetrahedralComplex(const TetrahedralMesh& mesh);

  std::array<Vec3, 4> corners(int tetrahedron) const {
    const Tetrahedron& t = tetrahedra[static_cast<std::size_t>(tetrahedron)];
    return {positions[static_cast<std::size_t>(t[0])], positions[static_cast<std::size_t>(t[1])],
            positions[static_cast<std::size_t>(t[2])], positions[static_cast<std::size_t>(t[3])]};
  }
  bool is_alive(int tetrahedron) const { return tetrahedra[static_cast<std::size_t>(tetrahedron)][0] >= 0; }
  bool on_chain(int vertex) const { return !chains_of[static_cast<std::size_t>(vertex)].empty(); }
};

inline bool has_vertex(const Tetrahedron& t, int vertex) {
  return t[0] == vertex || t[1] == vertex || t[2] == vertex || t[3] == vertex;
}
int alive_tetrahedra(const TetrahedralComplex& complex);

// The tetrahedra that contain both vertices, or all three.
std::vector<int> around_edge(const TetrahedralComplex& complex, int a, int b);
std::vector<int> around_face(const TetrahedralComplex& complex, int a, int b, int c);

// The tetrahedron beyond the face opposite corner k; -1 at the boundary.
inline int across(const TetrahedralComplex& complex, int tetrahedron, std::size_t k) {
  return complex.beyond[static_cast<std::size_t>(tetrahedron)][k];
}

// Vertices joined to `vertex` by an edge, increasing.
std::vector<int> neighbours(const TetrahedralComplex& complex, int vertex);

// Triangles of the boundary around a vertex, counter-clockwise seen from outside, `vertex` first.
std::vector<std::array<int, 3>> boundary_triangles(const TetrahedralComplex& complex, int vertex);
bool on_boundary(const TetrahedralComplex& complex, int vertex);

// Adds a chain; each vertex is joined to the next by an edge.
void add_chain(TetrahedralComplex& complex, std::vector<int> vertices);
// Removes a vertex from the chains that pass through it.
void remove_from_chains(TetrahedralComplex& complex, int vertex);
// True if a and b are neighbours on a chain.
bool is_chain_edge(const TetrahedralComplex& complex, int a, int b);

// Splits add a new vertex at `p` and return it, or -1 where a tetrahedron would not have positive volume. Points go to
// the tetrahedron that contains them deepest; those inside stay inside, since the boundary never moves inwards (an edge
// or face of the boundary is only split by a point on it or beyond). An edge of a chain becomes two.
int split_tetrahedron(TetrahedralComplex& complex, int tetrahedron, const Vec3& p);
int split_face(TetrahedralComplex& complex, int tetrahedron, std::size_t opposite, const Vec3& p);
int split_edge(TetrahedralComplex& complex, int a, int b, const Vec3& p);

// A planned replacement of tetrahedra by others.
struct Replacement {
  std::vector<int> removed;                  // tetrahedra
  std::vector<Tetrahedron> added;            // vertices of the added tetrahedra
  std::vector<std::array<Vec3, 4>> corners;  // corners of `added`, with a moving vertex at its new place
  int moved = -1;                            // the vertex that moves, or -1
  Vec3 position;                             // the new place of `moved`
};
double smallest_mean_ratio(const Replacement& replacement);
// Smallest ratio of the tetrahedra around a vertex; infinite if there are none.
double smallest_mean_ratio_around(const TetrahedralComplex& complex, int vertex);
double volume_added(const TetrahedralComplex& complex, const Replacement& replacement);

// Finds the points that the removed tetrahedra carry and, per point, the added tetrahedron (index into `added`) that
// contains it deepest. Returns false where a point has none.
bool distribute_points(const TetrahedralComplex& complex, const Replacement& replacement, std::vector<int>& points,
                       std::vector<int>& home);

// Carries out the replacement; `home` is the result of distribute_points().
void replace(TetrahedralComplex& complex, const Replacement& replacement, std::span<const int> points,
             std::span<const int> home);

// The replacement that moves a vertex to `position`.
Replacement moved_vertex(const TetrahedralComplex& complex, int vertex, const Vec3& position);

// The replacement that merges `gone` into `kept` and moves `kept` to `position`.
Replacement collapsed_edge(const TetrahedralComplex& complex, int kept, int gone, const Vec3& position);

// True if collapsing the edge changes no topology: the link condition, with a virtual vertex beyond the boundary (Dey,
// Edelsbrunner, Guha and Nekhayev 1999).
bool collapse_keeps_topology(const TetrahedralComplex& complex, int a, int b);

}  // namespace sinew
