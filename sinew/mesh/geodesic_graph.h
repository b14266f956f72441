// Distances along the inside of a solid, from vertex to vertex. A hand that touches a thigh is near it in space, but
// far along the body.
#pragma once

#include <vector>

#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

// Straight links between vertices: the edges, and links between the opposite corners of two neighbouring tetrahedra
// where the segment crosses their common face. Edges alone have few directions: in the body-centred lattice that bodies
// are made of, their shortest paths are up to 1.24 times as long as the straight line; with the other links, 1.13
// times.
struct GeodesicGraph {
  std::vector<int> start{0};   // vertices + 1: first link of each vertex; neighbours ascend
  std::vector<int> neighbour;  // per link
  std::vector<double> length;  // per link, metres
};

// Throws usage_error for a tetrahedron with a vertex that does not exist.
GeodesicGraph geodesic_graph(const TetrahedralMesh& mesh, bool through_faces = true);

// Shortest path lengths from one vertex, nearest vertices first (Dijkstra 1959); equal lengths in the order of vertex
// numbers. An instance holds work space for one thread, and refers to the graph.
class GeodesicSearch {
 public:
  explicit GeodesicSearch(const GeodesicGraph& graph);

  // Starts a new search at `source`.
  void begin(int source);
  // The next nearest vertex, beginning with the source; -1 when no more can be reached.
  int next();
  // Distance of the vertex that next() returned last, metres.
  double distance() const { return distance_; }

 private:
  struct Entry {
    double distance;
    int vertex;
  };
  const GeodesicGraph& graph_;
  std::vector<double> best_;  // per vertex: best distance of this search
  std::vector<int> touched_;  // vertices whose `best_` must be reset to infinity
  std::vector<Entry> heap_;
  double distance_ = 0;
};

}  // namespace sinew
