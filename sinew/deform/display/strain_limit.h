// A safety clamp on what is displayed: no edge of the surface is much longer or shorter than the rig alone has it.
// Elasticity that stiffens keeps flesh well within (docs/flesh.md, What is displayed); it does not know folds at a bent
// joint, where the rig itself squeezes the skin together.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/linalg/small.h"
#include "sinew/mesh/topology.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

struct StrainLimit {
  double most = 1.3;  // largest length of an edge over its length in the goal, and the inverse of the smallest
  double slack = 0;   // metres: differences that are smaller cannot be seen and are left alone
  int sweeps = 24;    // at most
};

class StrainLimiter {
 public:
  // `fixed`: per vertex of the mesh, 1 where the vertex does not move; empty: all may move.
  StrainLimiter(const TriangleMesh& mesh, std::vector<char> fixed, StrainLimit limit);

  // Moves the ends of edges beyond the limit together or apart, and the corners of triangles that face away from where
  // the goal's do towards one common displacement, Jacobi sweep by sweep, until none is left; vertices far from
  // such edges and triangles do not move. `goal`: per vertex, where the rig alone has it, metres, world; `displacement`
  // is from there. `release` in [0, 1]: the limit grows by 1 / (1 - release), and from a half on triangles may turn
  // over. Returns the number of vertices that it moved by more than the slack. Same bits for any number of threads.
  std::size_t operator()(std::span<const Vec3> goal, std::span<Vec3> displacement, double release = 0);

 private:
  struct Asked {
    Vec3 sum;
    int count = 0;
    bool beyond = false;
  };
  void ask_edges(std::size_t vertex, std::span<const Vec3> goal, std::span<const Vec3> displacement,
                 Asked& asked) const;
  void ask_triangles(std::size_t vertex, std::span<const Vec3> goal, std::span<const Vec3> displacement,
                     Asked& asked) const;
  Vec3 correction(std::size_t vertex, std::span<const Vec3> goal, std::span<const Vec3> displacement,
                  char& beyond) const;

  std::vector<Triangle> triangles_;
  Rows neighbours_;  // by edges, per vertex
  Rows around_;      // triangles, per vertex
  std::vector<char> fixed_;
  StrainLimit limit_;
  double most_ = 0;  // of this call
  std::vector<char> active_, beyond_;
  std::vector<int> list_;
  std::vector<Vec3> start_;  // displacements of these before
  std::vector<Vec3> moved_;
};

}  // namespace sinew
