// How far vertices of a body rise under forces along +Y on one another, in one step.
//
// A step's system is constant in the vertices' own frames (docs/flesh.md), and so is its inverse: the three columns of
// a vertex are solved for when it first takes part in a contact and kept, rounded to single precision. Turned by the
// pose of a step they give the compliance that a search for contact forces multiplies with many times.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/linalg/cholesky.h"
#include "sinew/linalg/small.h"

namespace sinew {

class ContactCompliance {
 public:
  // `vertices`: the free vertices that may ever take part, ascending; of `free_vertices` in all.
  ContactCompliance() = default;
  ContactCompliance(std::span<const int> vertices, std::size_t free_vertices);

  // Row-major k x k for the k free vertices `touched` (ascending): entry (i, j) is how far i moves along up[i] under 1
  // N on j along up[j], metres per newton; `up` in the vertices' own frames. Symmetric to the last bit. `factor` is the
  // system's, the same in every call. The result does not depend on the calls before.
  void along(std::span<const int> touched, std::span<const Vec3> up, const BlockCholesky& factor,
             std::vector<double>& compliance);

 private:
  void drop_all_but(std::span<const int> touched);
  void keep_columns(int vertex, const BlockCholesky& factor);

  std::vector<int> vertices_, row_;          // row_: free vertex -> index into vertices_, or -1
  std::vector<std::vector<float>> columns_;  // per free vertex: a 3x3 block for each of vertices_, or empty
  std::size_t kept_ = 0;                     // vertices with columns
  std::vector<double> units_, solutions_;    // three right-hand sides
};

}  // namespace sinew
