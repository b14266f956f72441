// An embedding carries points in a tetrahedral mesh: each point is a fixed barycentric combination
// of the four vertices of one tetrahedron.
#pragma once

#include <array>
#include <functional>
#include <span>
#include <vector>

#include "sinew/mesh/bounding_volume_hierarchy.h"
#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

struct EmbeddedPoint {
  int tetrahedron = -1;                       // index into the mesh's tetrahedra
  std::array<double, 4> weights{0, 0, 0, 0};  // barycentric, sum 1; slightly negative just outside
};

struct Embedding {
  std::vector<EmbeddedPoint> points;  // one per embedded point, in the order of the points
};

// Embeds each point in the element that holds it; where several do (copies of one cell, overlapping
// bodies), in the one that holds it deepest. A point outside all elements goes to the nearest, with
// weights that continue the element's own map as far as one longest edge, and with those of the
// element's closest point beyond.
//
// `allowed`, if given, says which elements may carry a point, for instance those of its own side of a
// gap; a point for which none is allowed within reach of the mesh gets tetrahedron -1.
// Throws input_error for points that are not finite or a mesh without tetrahedra.
Embedding embed_points(const TetrahedralMesh& mesh, std::span<const Vec3> points,
                       const std::function<bool(std::size_t point, int tetrahedron)>& allowed = {});

// What embed_points() looks tetrahedra up in, for meshes in which it is called more than once. The mesh must outlive it
// and have tetrahedra: throws input_error where it has none.
class EmbeddingSearch {
 public:
  explicit EmbeddingSearch(const TetrahedralMesh& mesh);

  const TetrahedralMesh& mesh() const { return *mesh_; }
  const BoxTree& tree() const { return tree_; }                    // over the tetrahedra
  double mean_longest_edge() const { return mean_longest_edge_; }  // metres

 private:
  const TetrahedralMesh* mesh_;
  BoxTree tree_;
  double mean_longest_edge_ = 0;
};
Embedding embed_points(const EmbeddingSearch& search, std::span<const Vec3> points,
                       const std::function<bool(std::size_t point, int tetrahedron)>& allowed = {});

// Of each point, the tetrahedron that embed_points() puts it in; -1 outside all, which takes a small part of the time.
std::vector<int> tetrahedra_around(const EmbeddingSearch& search, std::span<const Vec3> points);

// The one of `candidates` that holds p deepest, or from which it sticks out least; -1 without candidates.
EmbeddedPoint embed_in_best(const TetrahedralMesh& mesh, std::span<const int> candidates, const Vec3& p);

// Positions that the embedding gives for positions of the mesh's vertices.
std::vector<Vec3> embedded_positions(const Embedding& embedding, const TetrahedralMesh& mesh,
                                     std::span<const Vec3> vertex_positions);

// Distance by which p lies beyond the worst face of the tetrahedron; negative inside.
double distance_outside(const std::array<Vec3, 4>& corners, const Vec3& p);

}  // namespace sinew
