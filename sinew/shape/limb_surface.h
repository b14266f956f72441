// Closest points of a skin, sought on the limb that corresponds: an arm near the flank is not the flank.
#pragma once

#include <deque>
#include <span>
#include <vector>

#include "sinew/mesh/bounding_volume_hierarchy.h"

namespace sinew {

class LimbSurface {
 public:
  // `triangles`: per limb, its triangles of `mesh`; may be empty. A point of the limb counts where it is not farther
  // than the closest one of the whole by `slack`, metres.
  LimbSurface(TriangleMesh mesh, std::span<const std::vector<int>> triangles, double slack);
  LimbSurface(const LimbSurface&) = delete;
  LimbSurface& operator=(const LimbSurface&) = delete;

  const TriangleMesh& mesh() const { return mesh_; }
  // `limb`: -1 for the whole. Triangles are those of mesh().
  ClosestPoint closest(const Vec3& p, int limb) const;
  // Among triangles that face as `normal` does and are within `reach`, metres; triangle -1 if there are none.
  ClosestPoint closest_facing(const Vec3& p, const Vec3& normal, int limb, double reach) const;

 private:
  struct Limb {
    // `whole`: the mesh; `chosen`: its triangles.
    Limb(const TriangleMesh& whole, const std::vector<int>& chosen);
    ClosestPoint closest(const Vec3& p) const;
    ClosestPoint closest_facing(const Vec3& p, const Vec3& normal, double reach) const;

    std::vector<int> triangle;  // of the whole
    TriangleMesh mesh;
    BoundingVolumeHierarchy tree;
  };
  template <class Find>
  ClosestPoint on_limb(int limb, const Find& find) const;

  TriangleMesh mesh_;
  double slack_ = 0;
  std::deque<Limb> limbs_;  // the whole last; a deque, so that addresses stay valid
};

}  // namespace sinew
