#include "sinew/mesh/lattice_building/coarsen_link.h"

#include <algorithm>

#include "sinew/base/index.h"
#include "sinew/mesh/tetrahedron.h"

namespace sinew {
namespace {

// Number of a virtual vertex beyond the boundary, which forms a tetrahedron with every boundary triangle.
constexpr int beyond_the_border = -1;

template <class T>
void sort_unique(std::vector<T>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

std::array<int, 2> sorted(std::array<int, 2> edge) {
  if (edge[1] < edge[0]) std::swap(edge[0], edge[1]);
  return edge;
}

bool has_end(const std::vector<std::array<int, 2>>& edges, int vertex) {
  return std::any_of(edges.begin(), edges.end(),
                     [&](const std::array<int, 2>& edge) { return edge[0] == vertex || edge[1] == vertex; });
}

// Calls use(x) for each element of both sorted lists; stops and returns false where use() does.
template <class T, class Use>
bool for_each_common(const std::vector<T>& a, const std::vector<T>& b, const Use& use) {
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i] < b[j]) {
      ++i;
    } else if (b[j] < a[i]) {
      ++j;
    } else {
      if (!use(a[i])) return false;
      ++i;
      ++j;
    }
  }
  return true;
}

}  // namespace

bool LinkCondition::is_around(int vertex) const {
  return vertex == beyond_the_border ? border_edge_ : is_marked(vertex, around_);
}

// Marks the vertices of the star of a, and those of the edge's link.
void LinkCondition::mark_vertices(int a, int b) {
  near_a_.resize(complex_.positions.size(), 0);
  around_.resize(complex_.positions.size(), 0);
  ++stamp_;
  for (const int t : complex_.star[index(a)]) {
    const Tetrahedron& corners = complex_.tetrahedra[index(t)];
    const bool at_edge = has_vertex(corners, b);
    for (const int v : corners) {
      if (v == a || v == b) continue;
      mark(v, near_a_);
      if (at_edge) mark(v, around_);
    }
  }
}

bool LinkCondition::another_vertex_is_joined_to_both(int a, int b) const {
  for (const int t : complex_.star[index(b)])
    for (const int v : complex_.tetrahedra[index(t)])
      if (v != a && v != b && is_marked(v, near_a_) && !is_marked(v, around_)) return true;
  return false;
}

void LinkCondition::find_boundary(int vertex, std::vector<Edge>& opposite) const {
  opposite.clear();
  for (const int t : complex_.star[index(vertex)]) {
    const Tetrahedron& corners = complex_.tetrahedra[index(t)];
    for (std::size_t k = 0; k < 4; ++k) {
      if (corners[k] == vertex || across(complex_, t, k) >= 0) continue;
      Edge edge;
      std::size_t count = 0;
      for (const std::size_t i : outward_faces[k])
        if (corners[i] != vertex) edge[count++] = corners[i];
      opposite.push_back(edge);
    }
  }
}

void LinkCondition::add_triangle(Triangle triangle, Link& link) const {
  const std::array<bool, 3> in{is_around(triangle[0]), is_around(triangle[1]), is_around(triangle[2])};
  for (std::size_t k = 0; k < 3; ++k)
    if (in[k] && in[(k + 1) % 3]) link.edges.push_back(sorted({triangle[k], triangle[(k + 1) % 3]}));
  if (!in[0] || !in[1] || !in[2]) return;
  std::sort(triangle.begin(), triangle.end());
  link.triangles.push_back(triangle);
}

void LinkCondition::find_link(int vertex, const std::vector<Edge>& boundary, Link& link) const {
  link.edges.clear();
  link.triangles.clear();
  for (const int t : complex_.star[index(vertex)]) {
    Triangle others;
    std::size_t count = 0;
    for (const int v : complex_.tetrahedra[index(t)])
      if (v != vertex) others[count++] = v;
    add_triangle(others, link);
  }
  for (const Edge& edge : boundary) add_triangle({beyond_the_border, edge[0], edge[1]}, link);
  sort_unique(link.edges);
  sort_unique(link.triangles);
}

void LinkCondition::find_edge_link(int a, int b) {
  edge_link_.clear();
  for (const int t : complex_.star[index(a)]) {
    const Tetrahedron& corners = complex_.tetrahedra[index(t)];
    if (!has_vertex(corners, b)) continue;
    Edge others;
    std::size_t count = 0;
    for (const int v : corners)
      if (v != a && v != b) others[count++] = v;
    edge_link_.push_back(sorted(others));
  }
  for (const Edge& edge : boundary_a_)
    if (edge[0] == b || edge[1] == b) edge_link_.push_back({beyond_the_border, edge[0] == b ? edge[1] : edge[0]});
  sort_unique(edge_link_);
}

bool LinkCondition::links_meet_in_that_of_the_edge() const {
  std::size_t common = 0;
  const bool same = for_each_common(link_a_.edges, link_b_.edges, [&](const Edge& edge) {
    return common < edge_link_.size() && edge_link_[common++] == edge;
  });
  return same && common == edge_link_.size() &&
         for_each_common(link_a_.triangles, link_b_.triangles, [](const Triangle&) { return false; });
}

bool LinkCondition::holds(int a, int b) {
  // The common part of both links must be the edge's link: compare vertices first, which decide most cases.
  mark_vertices(a, b);
  if (another_vertex_is_joined_to_both(a, b)) return false;
  find_boundary(a, boundary_a_);
  find_boundary(b, boundary_b_);
  border_edge_ = has_end(boundary_a_, b);
  if ((!boundary_a_.empty() && !boundary_b_.empty()) != border_edge_) return false;
  // Edges and triangles can only be common if all their corners are.
  find_link(a, boundary_a_, link_a_);
  find_link(b, boundary_b_, link_b_);
  find_edge_link(a, b);
  return links_meet_in_that_of_the_edge();
}

bool collapse_keeps_topology(const TetrahedralComplex& complex, int a, int b) {
  return LinkCondition(complex).holds(a, b);
}

}  // namespace sinew
