// Surfaces of solid shapes, for pictures.
#pragma once

#include <vector>

#include "sinew/contact/colliders.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

// Where planes are shown: squares around the point of the plane that is nearest to `centre`.
struct PlaneExtent {
  Vec3 centre;      // metres, world
  double half = 1;  // metres: half of the square's side
};

// One mesh for each collider, as they are numbered; world, metres.
std::vector<TriangleMesh> collider_meshes(const Colliders& colliders, const PlaneExtent& planes);

}  // namespace sinew
