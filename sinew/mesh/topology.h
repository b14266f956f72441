// Topology of triangle meshes: edges with the triangles around them, and connected components. Works for any mesh,
// non-manifold ones included. Indices must be valid.
#pragma once

#include <array>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

// Compressed rows: row i is items[offsets[i]] up to items[offsets[i + 1]].
struct Rows {
  std::vector<int> offsets{0};
  std::vector<int> items;

  std::size_t size() const { return offsets.size() - 1; }
  std::span<const int> operator[](std::size_t row) const {
    const auto first = static_cast<std::size_t>(offsets[row]), last = static_cast<std::size_t>(offsets[row + 1]);
    return {items.data() + first, last - first};
  }
};

struct MeshEdges {
  std::vector<std::array<int, 2>> vertices;  // per edge, smaller index first; sorted
  // Per triangle, edge from corner k to corner k + 1; -1 for equal corners.
  std::vector<std::array<int, 3>> edge_of_triangle;
  Rows triangles;  // per edge, triangles around it, increasing
};

// Edges between two different vertices, each once.
MeshEdges mesh_edges(const TriangleMesh& mesh);

// Per vertex, the triangles around it, increasing.
Rows triangles_around_vertices(const TriangleMesh& mesh);

// Union-find; the representative of a set is its smallest member.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t count) { reset(count); }
  // Every item is a set of its own again.
  void reset(std::size_t count) {
    parent_.resize(count);
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  int find(int i) {
    while (parent_[static_cast<std::size_t>(i)] != i) {
      int& parent = parent_[static_cast<std::size_t>(i)];
      parent = parent_[static_cast<std::size_t>(parent)];
      i = parent;
    }
    return i;
  }
  void unite(int i, int j) {
    i = find(i);
    j = find(j);
    if (i < j) parent_[static_cast<std::size_t>(j)] = i;
    if (j < i) parent_[static_cast<std::size_t>(i)] = j;
  }

 private:
  std::vector<int> parent_;
};

}  // namespace sinew
