// Safety clamp on the displayed surface: limits the length of each edge relative to the goal. Stiffening elasticity
// rarely reaches it (docs/flesh.md, What is displayed), except in folds at bent joints, where the rig itself squeezes
// the skin.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/linalg/small.h"
#include "sinew/mesh/topology.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

struct StrainLimit {
  double most = 1.3;  // largest ratio of an edge's length to that in the goal; its inverse is the smallest
  double slack = 0;   // metres; smaller differences are invisible and ignored
  int sweeps = 24;    // maximum number of Jacobi sweeps
};

class StrainLimiter {
 public:
  // `fixed`: per vertex of the mesh, 1 if it must not move; empty: all may.
  StrainLimiter(const TriangleMesh& mesh, std::vector<char> fixed, StrainLimit limit);

  // Corrects edges beyond the limit, and triangles that face away from their direction in the goal, in Jacobi sweeps
  // until none is left. An edge's ends move together or apart; a flipped triangle's corners move towards a common
  // displacement. Triangles that all sweeps leave flipped are smoothed away. Other vertices do not move. `goal`:
  // surface of the rig alone, metres, world; `displacement` is relative to it. `release` in [0, 1] multiplies the limit
  // by 1 / (1 - release); from 0.5 on triangles may flip. Returns the number of vertices moved by more than the slack.
  // The result does not depend on the number of threads.
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
  // True if the triangle is large enough in the goal that anyone sees how it faces.
  bool is_seen(const Triangle& corner, std::span<const Vec3> goal) const;
  // True if its area as the goal faces it is less than the share `facing` of the goal's own.
  bool is_turned(const Triangle& corner, std::span<const Vec3> goal, std::span<const Vec3> displacement,
                 double facing) const;
  void add_ring(std::span<const Vec3> displacement);
  void unfold(std::span<const Vec3> goal, std::span<Vec3> displacement);
  Vec3 correction(std::size_t vertex, std::span<const Vec3> goal, std::span<const Vec3> displacement,
                  char& beyond) const;

  std::vector<Triangle> triangles_;
  Rows neighbours_;  // vertices joined by edges, per vertex
  Rows around_;      // triangles, per vertex
  std::vector<char> fixed_;
  StrainLimit limit_;
  double most_ = 0;  // limit in this call
  std::vector<char> active_, beyond_;
  std::vector<int> list_;
  std::vector<Vec3> start_;  // displacements of the vertices in `list_` before
  std::vector<Vec3> moved_;
};

}  // namespace sinew
