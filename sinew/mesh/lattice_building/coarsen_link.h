// The test for edges whose collapse keeps the topology.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sinew/mesh/lattice_building/coarsen_complex.h"

namespace sinew {

// Tests the link condition for one edge after the other, without allocating for each.
class LinkCondition {
 public:
  explicit LinkCondition(const TetrahedralComplex& complex) : complex_(complex) {}

  // collapse_keeps_topology() of the complex as it is now.
  bool holds(int a, int b);

 private:
  using Edge = std::array<int, 2>;
  using Triangle = std::array<int, 3>;

  // The part of a vertex's link whose corners are all in the link of the edge: increasing, each element once.
  struct Link {
    std::vector<Edge> edges;
    std::vector<Triangle> triangles;
  };

  void mark(int vertex, std::vector<int>& stamps) { stamps[static_cast<std::size_t>(vertex)] = stamp_; }
  bool is_marked(int vertex, const std::vector<int>& stamps) const {
    return stamps[static_cast<std::size_t>(vertex)] == stamp_;
  }
  bool is_around(int vertex) const;
  void mark_vertices(int a, int b);
  bool another_vertex_is_joined_to_both(int a, int b) const;
  void find_boundary(int vertex, std::vector<Edge>& opposite) const;
  void find_link(int vertex, const std::vector<Edge>& boundary, Link& link) const;
  void add_triangle(Triangle triangle, Link& link) const;
  void find_edge_link(int a, int b);
  bool links_meet_in_that_of_the_edge() const;

  const TetrahedralComplex& complex_;
  int stamp_ = 0;
  std::vector<int> near_a_, around_;           // per vertex, the stamp at which it was in the star of a, of the edge
  bool border_edge_ = false;                   // whether the edge is on the boundary
  std::vector<Edge> boundary_a_, boundary_b_;  // edges opposite a and b in the triangles of the boundary
  Link link_a_, link_b_;
  std::vector<Edge> edge_link_;
};

}  // namespace sinew
