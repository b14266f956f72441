// Ways through a solid, from vertex to vertex, that never leave it: what is near along the body, as a hand and a thigh
// that touch are not.
#pragma once

#include <vector>

#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

// Straight links between vertices: the edges, and from corner to corner of two tetrahedra through the face that they
// share, where the segment crosses it. Edges alone know few directions: in the body-centred lattice that bodies are
// made of, their shortest ways are up to 1.24 times as long as the straight line, with the others up to 1.13 times.
struct GeodesicGraph {
  std::vector<int> start{0};   // vertices + 1: links of a vertex, neighbours ascending
  std::vector<int> neighbour;  // per link
  std::vector<double> length;  // per link, metres
};

// Throws usage_error for a tetrahedron of a vertex that does not exist.
GeodesicGraph geodesic_graph(const TetrahedralMesh& mesh, bool through_faces = true);

// Lengths of the shortest ways from one vertex, nearest vertices first (Dijkstra 1959); equal lengths in order of the
// vertices' numbers. An instance holds work space for one thread, and refers to the graph.
class GeodesicSearch {
 public:
  explicit GeodesicSearch(const GeodesicGraph& graph);

  // Begins anew at `source`.
  void begin(int source);
  // The next nearest vertex, the source first; -1 where all that can be reached have been.
  int next();
  // Of the vertex that next() gave last, metres.
  double distance() const { return distance_; }

 private:
  struct Entry {
    double distance;
    int vertex;
  };
  const GeodesicGraph& graph_;
  std::vector<double> best_;  // per vertex, of this search
  std::vector<int> touched_;  // vertices to be put back to infinity
  std::vector<Entry> heap_;
  double distance_ = 0;
};

}  // namespace sinew
