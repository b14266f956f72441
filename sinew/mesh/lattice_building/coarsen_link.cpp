// The test for collapses that keep the topology.
#include <algorithm>

#include "sinew/mesh/lattice_building/coarsen_complex.h"

namespace sinew {
namespace {

// Number of a virtual vertex beyond the boundary, which forms a tetrahedron with every boundary triangle.
constexpr int beyond_the_border = -1;

using Edge = std::array<int, 2>;
using Triangle = std::array<int, 3>;

// The part of a link whose corners are all in a given set: increasing, each element once.
struct Link {
  std::vector<Edge> edges;
  std::vector<Triangle> triangles;
};

template <class T>
void sort_unique(std::vector<T>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

Edge sorted(Edge edge) {
  std::sort(edge.begin(), edge.end());
  return edge;
}

bool has(const std::vector<int>& increasing, int value) {
  return std::binary_search(increasing.begin(), increasing.end(), value);
}

void add_triangle(Triangle triangle, const std::vector<int>& within, Link& link) {
  const std::array<bool, 3> in{has(within, triangle[0]), has(within, triangle[1]), has(within, triangle[2])};
  for (std::size_t k = 0; k < 3; ++k)
    if (in[k] && in[(k + 1) % 3]) link.edges.push_back(sorted({triangle[k], triangle[(k + 1) % 3]}));
  if (!in[0] || !in[1] || !in[2]) return;
  std::sort(triangle.begin(), triangle.end());
  link.triangles.push_back(triangle);
}

// The part of a vertex's link whose corners are `within` the set.
Link link_of_vertex(const TetrahedralComplex& complex, int vertex, const std::vector<Triangle>& boundary,
                    const std::vector<int>& within) {
  Link link;
  for (int t : complex.star[static_cast<std::size_t>(vertex)]) {
    Triangle others;
    std::size_t count = 0;
    for (int v : complex.tetrahedra[static_cast<std::size_t>(t)])
      if (v != vertex) others[count++] = v;
    add_triangle(others, within, link);
  }
  for (const Triangle& t : boundary) add_triangle({beyond_the_border, t[1], t[2]}, within, link);
  sort_unique(link.edges);
  sort_unique(link.triangles);
  return link;
}

std::vector<Edge> link_of_edge(const TetrahedralComplex& complex, int a, int b,
                               const std::vector<Triangle>& boundary_of_a) {
  std::vector<Edge> edges;
  for (int t : complex.star[static_cast<std::size_t>(a)]) {
    const Tetrahedron& corners = complex.tetrahedra[static_cast<std::size_t>(t)];
    if (!has_vertex(corners, b)) continue;
    Edge others;
    std::size_t count = 0;
    for (int v : corners)
      if (v != a && v != b) others[count++] = v;
    edges.push_back(sorted(others));
  }
  for (const Triangle& t : boundary_of_a)
    if (t[1] == b || t[2] == b) edges.push_back({beyond_the_border, t[1] == b ? t[2] : t[1]});
  sort_unique(edges);
  return edges;
}

std::vector<int> around(const TetrahedralComplex& complex, int a, int b) {
  std::vector<int> vertices;
  for (int t : complex.star[static_cast<std::size_t>(a)]) {
    const Tetrahedron& corners = complex.tetrahedra[static_cast<std::size_t>(t)];
    if (!has_vertex(corners, b)) continue;
    for (int v : corners)
      if (v != a && v != b) vertices.push_back(v);
  }
  sort_unique(vertices);
  return vertices;
}

// True if a vertex that is not in `around`, the link of the edge, is joined to both of its ends.
bool another_is_joined_to_both(const TetrahedralComplex& complex, int a, int b, const std::vector<int>& around) {
  const std::vector<int> of_a = neighbours(complex, a);
  for (int t : complex.star[static_cast<std::size_t>(b)])
    for (int v : complex.tetrahedra[static_cast<std::size_t>(t)])
      if (v != a && v != b && has(of_a, v) && !has(around, v)) return true;
  return false;
}

bool has_vertex(const std::vector<Triangle>& triangles, int vertex) {
  return std::any_of(triangles.begin(), triangles.end(),
                     [&](const Triangle& t) { return std::find(t.begin(), t.end(), vertex) != t.end(); });
}

template <class T>
std::vector<T> common(const std::vector<T>& a, const std::vector<T>& b) {
  std::vector<T> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

}  // namespace

bool collapse_keeps_topology(const TetrahedralComplex& complex, int a, int b) {
  // The common part of both links must be the edge's link: compare vertices first, which decide most cases.
  std::vector<int> vertices = around(complex, a, b);
  if (another_is_joined_to_both(complex, a, b, vertices)) return false;
  const auto boundary_a = boundary_triangles(complex, a), boundary_b = boundary_triangles(complex, b);
  const bool on_border = has_vertex(boundary_a, b);
  if ((!boundary_a.empty() && !boundary_b.empty()) != on_border) return false;
  if (on_border) vertices.insert(vertices.begin(), beyond_the_border);
  // Edges and triangles can only be common if all their corners are.
  const Link of_a = link_of_vertex(complex, a, boundary_a, vertices);
  const Link of_b = link_of_vertex(complex, b, boundary_b, vertices);
  return common(of_a.edges, of_b.edges) == link_of_edge(complex, a, b, boundary_a) &&
         common(of_a.triangles, of_b.triangles).empty();
}

}  // namespace sinew
