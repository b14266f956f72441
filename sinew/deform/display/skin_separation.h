// Displayed skin that lies inside other skin of the same surface is led out of it (docs/flesh.md, Creases): both sides
// of an overlap give way along their surfaces, smoothly, until they meet in between.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "sinew/mesh/bounding_volume_hierarchy.h"
#include "sinew/mesh/surface/closed_surface.h"
#include "sinew/mesh/topology.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

class SkinSeparation {
 public:
  // `fixed`: per vertex of the surface at rest, 1 if it must not move. Vertices that are inside at rest stay there.
  SkinSeparation(const TriangleMesh& rest, std::vector<char> fixed);

  // Moves the vertices of a pose, metres, world. A function of them alone, which is continuous but where the nearest
  // way out of a deep overlap changes; the same bits for any number of threads. Returns how many it moved.
  std::size_t operator()(std::span<Vec3> positions);

 private:
  // A vertex inside other skin, and the place of that skin that is nearest to it.
  struct Overlap {
    int vertex = -1;
    Triangle triangle{};
    std::array<double, 3> barycentric{};  // of the place in the triangle
    Vec3 out;                             // from the vertex to the place, metres
    double weight = 0;                    // 0 to 1: rises with the depth, and falls where it is too deep to be seen
    double wanted = 0;                    // metres by which both sides part along `out`, which is then of unit length
    bool holds = true;                    // whether they would part by less without it
  };

  std::vector<Overlap> find_overlaps(std::span<const Vec3> positions, std::span<const int> vertices);
  void smooth_directions(std::vector<Overlap>& overlaps) const;
  void find_region(std::span<const Overlap> overlaps);
  void solve(std::span<Overlap> overlaps);
  void solve_held(std::span<const Overlap> overlaps);
  void find_scale(std::span<const Overlap> overlaps);
  Vec3 apart(const Overlap& overlap, std::span<const Vec3> moved) const;
  void add_force(const Overlap& overlap, const Vec3& force, std::span<Vec3> to) const;
  void apply(std::span<const Overlap> overlaps, std::span<const Vec3> from, std::span<Vec3> to) const;

  std::vector<Vec3> rest_;        // metres
  std::vector<Triangle> closed_;  // the surface, closed off
  std::vector<Triangle> seen_;    // its own triangles
  Rows neighbours_, around_;      // of vertices: others, and triangles of `seen_`
  BoxTree tree_;                  // over `seen_`
  std::vector<int> last_;         // per vertex: the triangle that was nearest to it last, or -1
  std::vector<char> fixed_;
  std::vector<int> tested_;  // vertices that are outside at rest
  double size_ = 0;          // height of the surface at rest, metres
  // Vertices near overlaps, the nearest first, and those of them that may move, with their numbers; -1: others.
  std::vector<int> near_, region_;
  std::size_t tested_near_ = 0;  // of `near_`: those in which later rounds look for overlaps
  std::vector<char> is_near_;    // per vertex
  std::vector<int> number_;
  std::vector<Vec3> moved_;  // per vertex of the region, metres
  std::vector<Vec3> residual_, direction_, image_;
  std::vector<double> scale_;
};

}  // namespace sinew
