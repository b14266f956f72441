// Free handles of a body that is cooked: the flesh that they hold, and whose rotation the elements take
// (docs/mixed_characters.md).
#pragma once

#include <span>
#include <vector>

#include "sinew/character/simulation_surface.h"
#include "sinew/deform/handle_settings.h"
#include "sinew/deform/mixed/handle_regions.h"
#include "sinew/deform/mixed/movers.h"
#include "sinew/deform/mixed/pins.h"
#include "sinew/deform/mixed/rotation_clusters.h"
#include "sinew/mesh/embedding.h"

namespace sinew {

// A body at rest, and what it fills.
struct HandledBody {
  const SimulationSurface& surface;
  const TetrahedralMesh& mesh;  // rest space, metres
  const Embedding& embedding;   // of the surface's vertices in `mesh`
  double height = 0;            // of the character, metres
};

// The handles of a body in which they have found their places.
struct PlacedHandles {
  MixedMovers movers;
  std::vector<HandleRegion> regions;  // per handle; empty for those that slide
};

// Finds the places. `bones`: number of bones that pose the body. Throws usage_error that names a handle which is
// outside of the body or holds nothing, or where handles hold all of it.
PlacedHandles place_handles(const HandledBody& body, std::span<const HandleSettings> handles, std::size_t bones);

// The sources of rotation as bones: those that pose the body, frames as points at their places, and the fit of points.
std::vector<Bone> rotation_sources(std::span<const Bone> bones, const PlacedHandles& handles,
                                   std::span<const HandleSettings> settings);

// The source whose rotation each element takes. `of_bones`: the bones' own; empty: no bone poses the body, and elements
// take the nearest frame. Frames give theirs to all that they hold.
RotationClusters clusters_of_sources(const TetrahedralMesh& mesh, const RotationClusters& of_bones,
                                     std::span<const Bone> sources, const PlacedHandles& handles);

// The vertices that handles hold, as pins of their movers.
BonePins pins_of_handles(const PlacedHandles& handles);

}  // namespace sinew
