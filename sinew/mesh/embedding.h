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

// A point in a tetrahedron.
struct EmbeddedPoint {
  int tetrahedron = -1;                       // index into the mesh's tetrahedra
  std::array<double, 4> weights{0, 0, 0, 0};  // barycentric, sum 1; slightly negative just outside
};

struct Embedding {
  std::vector<EmbeddedPoint> points;  // one per embedded point, in the order of the points
};

// Embeds each point in the element that contains it; where several do (copies of one cell, overlapping bodies), in the
// one that contains it deepest. A point outside all elements goes to the nearest one: within one longest edge of the
// element the weights extrapolate the element's map, beyond that they are those of its closest point.
//
// `allowed`, if given, selects the elements that may carry a point, e.g. only those on its own side of a gap; a point
// for which none within reach is allowed gets tetrahedron -1. Throws input_error for points that are not finite or a
// mesh without tetrahedra.
Embedding embed_points(const TetrahedralMesh& mesh, std::span<const Vec3> points,
                       const std::function<bool(std::size_t point, int tetrahedron)>& allowed = {});

// Search structure of embed_points(), for meshes in which it is called more than once. The mesh must outlive it. Throws
// input_error where the mesh has no tetrahedra.
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

// Embeds p in the one of `candidates` that contains it deepest or is nearest; tetrahedron -1 without candidates.
EmbeddedPoint embed_in_best(const TetrahedralMesh& mesh, std::span<const int> candidates, const Vec3& p);

// Positions of the embedded points for the given positions of the mesh's vertices.
std::vector<Vec3> embedded_positions(const Embedding& embedding, const TetrahedralMesh& mesh,
                                     std::span<const Vec3> vertex_positions);

// Distance by which p lies beyond the worst face of the tetrahedron; negative inside.
double distance_outside(const std::array<Vec3, 4>& corners, const Vec3& p);

}  // namespace sinew
