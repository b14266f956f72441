// Surfaces of colliders, for pictures.
#pragma once

#include <vector>

#include "sinew/contact/colliders.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

// Size of displayed planes: squares around the point of the plane that is nearest to `centre`.
struct PlaneExtent {
  Vec3 centre;      // metres, world
  double half = 1;  // half the length of the square's side, metres
};

// One mesh per collider, in the order of their numbers; world, metres.
std::vector<TriangleMesh> collider_meshes(const Colliders& colliders, const PlaneExtent& planes);

}  // namespace sinew
