// How far vertices of a body move along directions under forces along directions on one another, in one step.
//
// A step's system is constant in the vertices' own frames (docs/flesh.md), and so is its inverse: the three columns of
// a vertex are solved for when it first takes part and kept. Turned by the pose of a step they give the compliance that
// a search for contact forces multiplies with many times, and that of held points. Held points are few and stay the
// same from step to step: of their columns only the entries among each other are solved for, which reads less of the
// factor. All that simulate one body share what was solved, on any thread.
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
  // `vertices`: the free vertices that may ever take part, ascending; of `free_vertices` in all.
  VertexCompliance(std::span<const int> vertices, std::size_t free_vertices);

  // Row-major k x k for k directions, their vertices ascending: entry (i, j) is how far the vertex of i moves along i
  // under 1 N along j on that of j, metres per newton. Symmetric to the last bit. `factor` is the system's, the same in
  // every call. The result does not depend on the calls before.
  void between(std::span<const VertexDirection> directions, const BlockCholesky& factor, std::span<double> compliance);

  // Solves for the columns of the first `count` of these vertices that have none, so that a between() that is still to
  // come finds them. It does nothing where they would take more memory than between() keeps.
  void prepare(std::span<const int> vertices, std::size_t count, const BlockCholesky& factor);

  // Gives what between() gives, for a few vertices that the next calls ask for again.
  void between_few(std::span<const VertexDirection> directions, const BlockCholesky& factor,
                   std::span<double> compliance);

 private:
  float* columns_of(int vertex) {
    return &memory_[static_cast<std::size_t>(place_[static_cast<std::size_t>(vertex)]) * 9 * vertices_.size()];
  }
  bool has_columns(int vertex) const { return place_[static_cast<std::size_t>(vertex)] >= 0; }
  void make_room_for(std::size_t vertices);
  void drop_all_but(std::span<const VertexDirection> directions);
  void keep_columns(std::span<const int> vertices, const BlockCholesky& factor);

  std::mutex mutex_;                 // of all that follows
  std::vector<int> vertices_, row_;  // row_: free vertex -> index into vertices_, or -1
  // Columns: a 3x3 block for each of vertices_, in one piece of memory, of which the system gives what is written to.
  std::unique_ptr<float[]> memory_;
  std::vector<char> parts_;  // of the factor, that solving for these rows reads (BlockCholesky::solve_in())
  std::vector<int> place_;   // free vertex -> where its columns are in there, or -1
  std::vector<int> free_places_;
  std::size_t places_ = 0;
  std::vector<int> few_;          // those of the last between_few(), ascending
  std::vector<float> among_few_;  // their columns, a 3x3 block for each of them
};

}  // namespace sinew
