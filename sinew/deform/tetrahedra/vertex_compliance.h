// Compliance of a body's vertices in one step: displacements along directions under unit forces along directions.
//
// A step's system is constant in the vertices' own frames (docs/flesh.md), and so is its inverse. The three columns of
// a vertex are computed when it is first used, and kept. Rotated by the pose they give the compliance matrix that the
// search for contact forces multiplies with many times. Held points are few and stay the same over many steps, so that
// only the entries between them are computed, which reads less of the factor. All simulations of a body share the
// columns, on any thread.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "sinew/linalg/cholesky.h"
#include "sinew/linalg/small.h"

namespace sinew {

// A free vertex and a direction, in the vertex's own frame.
struct VertexDirection {
  int vertex = 0;
  Vec3 along;
};

class VertexCompliance {
 public:
  // `vertices`: the free vertices that may ever be used, ascending, out of `free_vertices`.
  VertexCompliance(std::span<const int> vertices, std::size_t free_vertices);

  // Computes the k x k compliance matrix, row-major, for k directions with ascending vertices: entry (i, j) is the
  // displacement along i of its vertex under 1 N along j on that of j, metres per newton. Exactly symmetric. `factor`
  // is that of the system and the same in every call. The result does not depend on earlier calls.
  void between(std::span<const VertexDirection> directions, const BlockCholesky& factor, std::span<double> compliance);

  // Computes the displacements of some vertices, in their own frames, metres per newton, under 1 N along each of k
  // directions with ascending vertices, with the columns that between() uses: for each direction a vector per vertex.
  void at_vertices(std::span<const int> vertices, std::span<const VertexDirection> directions,
                   const BlockCholesky& factor, std::span<Vec3> moved);

  // Computes the columns of the first `count` of these vertices that have none, for a later between(). Does nothing if
  // they would exceed the memory that between() keeps.
  void prepare(std::span<const int> vertices, std::size_t count, const BlockCholesky& factor);

  // Computes the same matrix as between(), for a few vertices that later calls will use again.
  void between_few(std::span<const VertexDirection> directions, const BlockCholesky& factor,
                   std::span<double> compliance);

 private:
  float* columns_of(int vertex) {
    return &memory_[static_cast<std::size_t>(place_[static_cast<std::size_t>(vertex)]) * 9 * vertices_.size()];
  }
  bool has_columns(int vertex) const { return place_[static_cast<std::size_t>(vertex)] >= 0; }
  void make_room_for(std::size_t vertices);
  void need(std::span<const VertexDirection> directions, const BlockCholesky& factor);
  void drop_all_but(std::span<const VertexDirection> directions);
  void keep_columns(std::span<const int> vertices, const BlockCholesky& factor);

  std::mutex mutex_;                 // guards all members below
  std::vector<int> vertices_, row_;  // row_: free vertex -> index into vertices_, or -1
  // Columns: a 3x3 block for each of vertices_, in one allocation whose pages the system provides as they are written.
  std::unique_ptr<float[]> memory_;
  std::vector<char> parts_;  // parts of the factor that solving for these rows reads (BlockCholesky::solve_in())
  std::vector<int> place_;   // free vertex -> place of its columns in memory_, or -1
  std::vector<int> free_places_;
  std::size_t places_ = 0;
  std::vector<int> few_;          // vertices of the last between_few(), ascending
  std::vector<float> among_few_;  // their columns, a 3x3 block for each pair
};

}  // namespace sinew
