// The last resort of what is shown: no edge of the surface is much longer or shorter than the rig alone has it.
// Elasticity that stiffens keeps flesh well within (docs/flesh.md, What is shown); folds at a bent joint, where the rig
// itself squeezes the skin together, it does not know.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "sinew/linalg/small.h"
#include "sinew/mesh/topology.h"

namespace sinew {

struct StrainBound {
  double most = 1.3;       // times as long as in the goal; and no shorter than this part of it
  double most_turn = 0.9;  // of an edge's length: how far its ends may move apart, so that no triangle turns over
  double slack = 0;        // metres: less is not seen
  int sweeps = 24;         // at most
};

// Neighbours by edges of the triangles, per vertex.
Rows edge_neighbours(std::size_t vertices, std::span<const std::array<int, 3>> triangles);

class BoundedStrain {
 public:
  // `fixed`: per vertex 1 where it stays where it is, or empty.
  BoundedStrain(Rows neighbours, std::vector<char> fixed, StrainBound bound);

  // Moves the ends of edges beyond the bound together or apart, Jacobi sweep by sweep, until none is beyond it by more
  // than a hundredth; vertices far from such edges do not move. `goal`: per vertex, where the rig alone has it, metres,
  // world; `displacement` is from there. Returns the number of vertices that it moved. Same bits for any number of threads.
  std::size_t operator()(std::span<const Vec3> goal, std::span<Vec3> displacement);

 private:
  Vec3 correction(std::size_t vertex, std::span<const Vec3> goal, std::span<const Vec3> displacement, bool& beyond) const;

  Rows neighbours_;
  std::vector<char> fixed_;
  StrainBound bound_;
  std::vector<char> active_, beyond_;
  std::vector<int> list_;
  std::vector<Vec3> moved_;
};

}  // namespace sinew
