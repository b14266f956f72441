// Which collapses keep the topology.
#include <algorithm>

#include "sinew/mesh/coarsen_complex.h"

namespace sinew {
namespace {

// Stands for the vertex beyond the boundary, to which every boundary triangle is joined by a tetrahedron.
constexpr int beyond_the_border = -1;

// The link of a simplex: what its tetrahedra have besides it. Simplices by their vertices, increasing; all sorted.
struct Link {
  std::vector<int> vertices;
  std::vector<std::array<int, 2>> edges;
  std::vector<std::array<int, 3>> triangles;
};

template <class T>
void sort_unique(std::vector<T>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

std::array<int, 2> sorted(std::array<int, 2> edge) {
  std::sort(edge.begin(), edge.end());
  return edge;
}

void add_triangle(Link& link, std::array<int, 3> triangle) {
  std::sort(triangle.begin(), triangle.end());
  link.triangles.push_back(triangle);
  for (std::size_t k = 0; k < 3; ++k) {
    link.vertices.push_back(triangle[k]);
    link.edges.push_back(sorted({triangle[k], triangle[(k + 1) % 3]}));
  }
}

Link link_of_vertex(const TetrahedralComplex& complex, int vertex, const std::vector<std::array<int, 3>>& boundary) {
  Link link;
  for (int t : complex.star[static_cast<std::size_t>(vertex)]) {
    std::array<int, 3> others;
    std::size_t count = 0;
    for (int v : complex.tetrahedra[static_cast<std::size_t>(t)])
      if (v != vertex) others[count++] = v;
    add_triangle(link, others);
  }
  for (const auto& t : boundary) add_triangle(link, {beyond_the_border, t[1], t[2]});
  sort_unique(link.vertices);
  sort_unique(link.edges);
  sort_unique(link.triangles);
  return link;
}

Link link_of_edge(const TetrahedralComplex& complex, int a, int b,
                  const std::vector<std::array<int, 3>>& boundary_of_a) {
  Link link;
  for (int t : complex.star[static_cast<std::size_t>(a)]) {
    const Tetrahedron& corners = complex.tetrahedra[static_cast<std::size_t>(t)];
    if (!has_vertex(corners, b)) continue;
    std::array<int, 2> others;
    std::size_t count = 0;
    for (int v : corners)
      if (v != a && v != b) others[count++] = v;
    link.edges.push_back(sorted(others));
  }
  for (const auto& t : boundary_of_a)
    if (t[1] == b || t[2] == b) link.edges.push_back({beyond_the_border, t[1] == b ? t[2] : t[1]});
  for (const auto& e : link.edges) link.vertices.insert(link.vertices.end(), e.begin(), e.end());
  sort_unique(link.vertices);
  sort_unique(link.edges);
  return link;
}

template <class T>
std::vector<T> common(const std::vector<T>& a, const std::vector<T>& b) {
  std::vector<T> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

}  // namespace

bool collapse_keeps_topology(const TetrahedralComplex& complex, int a, int b) {
  // Vertices alone decide most cases; those beyond the boundary wait, since faces have to be searched for them.
  std::vector<int> around;
  for (int t : around_edge(complex, a, b))
    for (int v : complex.tetrahedra[static_cast<std::size_t>(t)])
      if (v != a && v != b) around.push_back(v);
  sort_unique(around);
  if (common(neighbours(complex, a), neighbours(complex, b)) != around) return false;
  const auto boundary_a = boundary_triangles(complex, a), boundary_b = boundary_triangles(complex, b);
  const Link of_a = link_of_vertex(complex, a, boundary_a), of_b = link_of_vertex(complex, b, boundary_b);
  const Link of_both = link_of_edge(complex, a, b, boundary_a);
  return common(of_a.vertices, of_b.vertices) == of_both.vertices && common(of_a.edges, of_b.edges) == of_both.edges &&
         common(of_a.triangles, of_b.triangles).empty();
}

}  // namespace sinew
