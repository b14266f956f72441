// A tetrahedral complex under change: tetrahedra split, edges collapse, vertices move. It carries points, each in one
// tetrahedron, and chains of edges. Every change asked for here either keeps all of this true or does not happen:
//
//   - every tetrahedron has positive volume, and faces match;
//   - every carried point lies in a tetrahedron, as deep as its allowance asks for;
//   - every chain is a path of edges.
//
// Vertices, tetrahedra and points are numbered from 0; those that are gone keep their numbers.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "sinew/linalg/small.h"
#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

// A tetrahedron by its corners' positions and the inward unit normals of its faces, face i opposite corner i.
struct TetrahedronPlanes {
  std::array<double, 4> x, y, z;  // of the normals: side by side, four planes take hardly longer than one
  std::array<double, 4> offset;

  Vec3 normal(std::size_t i) const { return {x[i], y[i], z[i]}; }
  // Distance from the nearest face's plane, negative outside.
  double depth(const Vec3& p) const {
    std::array<double, 4> of_face;
    for (std::size_t i = 0; i < 4; ++i) of_face[i] = x[i] * p.x + y[i] * p.y + z[i] * p.z - offset[i];
    return std::min(std::min(of_face[0], of_face[1]), std::min(of_face[2], of_face[3]));
  }
};
TetrahedronPlanes planes_of(const std::array<Vec3, 4>& corners);

// 12 (3 V)^(2/3) over the sum of squared edges: 1 for the regular tetrahedron, 0 for a flat one, negative inside out
// (mean ratio; Liu and Joe 1994).
double mean_ratio(const std::array<Vec3, 4>& corners);

// A mesh of cubes is full of ties: edges and shapes that are as long and as good as each other. Rounding, that of files
// in another unit too, must not decide between them. So costs and qualities are compared as `coarse` has them, and
// lengths that are no more than `tie_length` cubes apart are the same.
constexpr double tie_length = 1e-3;

// To 1/64 at most of itself.
double coarse(double value);

struct TetrahedralComplex {
  std::vector<Vec3> positions;          // in cubes
  std::vector<Tetrahedron> tetrahedra;  // {-1, -1, -1, -1} where it is gone
  std::vector<std::vector<int>> star;   // per vertex, the tetrahedra that have it; none where it is gone
  std::vector<std::array<int, 4>>
      beyond;                     // per tetrahedron, those across the face opposite each corner; -1 at the boundary
  std::vector<int> like;          // per vertex, one of the mesh given at first that it was, or was near
  std::vector<Vec3> points;       // carried, metres
  std::vector<double> allowance;  // per point, so far outside its tetrahedron it may be, metres
  std::vector<std::vector<int>> carried;  // per tetrahedron, its points

  std::vector<std::vector<int>> chains;     // of vertices, each joined to the next by an edge
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

// The tetrahedra that have both vertices, or all three.
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
// Takes a vertex out of the chains that pass through it.
void remove_from_chains(TetrahedralComplex& complex, int vertex);
// Whether a and b are neighbours on some chain.
bool is_chain_edge(const TetrahedralComplex& complex, int a, int b);

// Splits put a new vertex at `p` and return it, or -1 where a tetrahedron would not have positive volume. Points go
// where they are deepest; one that was inside stays inside, since no boundary moves inwards (an edge or a face of the
// boundary is split only by a point on it or beyond). An edge of a chain stays one, with the vertex in it.
int split_tetrahedron(TetrahedralComplex& complex, int tetrahedron, const Vec3& p);
int split_face(TetrahedralComplex& complex, int tetrahedron, std::size_t opposite, const Vec3& p);
int split_edge(TetrahedralComplex& complex, int a, int b, const Vec3& p);

// Cells that take the place of others, before they do.
struct Replacement {
  std::vector<int> removed;                  // tetrahedra
  std::vector<Tetrahedron> added;            // by their vertices
  std::vector<std::array<Vec3, 4>> corners;  // of `added`; a vertex that moves stands at its new place
  int moved = -1;                            // the vertex that moves, if any
  Vec3 position;                             // to there
};
double smallest_mean_ratio(const Replacement& replacement);
double volume_added(const TetrahedralComplex& complex, const Replacement& replacement);

// The points that the removed tetrahedra carry, and per point the added one (its place in `added`) that holds it
// deepest. False where some point has none. `hint`, if given, is a point to try first, and receives the one that
// failed.
bool distribute_points(const TetrahedralComplex& complex, const Replacement& replacement, std::vector<int>& points,
                       std::vector<int>& home, int* hint = nullptr);

// Makes it so. `home` as distribute_points() gives it.
void replace(TetrahedralComplex& complex, const Replacement& replacement, std::span<const int> points,
             std::span<const int> home);

// The vertex moved to `position`.
Replacement moved_vertex(const TetrahedralComplex& complex, int vertex, const Vec3& position);

// `gone` merged into `kept`, which moves to `position`.
Replacement collapsed_edge(const TetrahedralComplex& complex, int kept, int gone, const Vec3& position);

// The link condition, with a vertex beyond the boundary (Dey, Edelsbrunner, Guha and Nekhayev 1999): collapsing the
// edge changes no topology.
bool collapse_keeps_topology(const TetrahedralComplex& complex, int a, int b);

}  // namespace sinew
