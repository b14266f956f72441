// Ring constraints (the setting `belts`) placed by pointing at the skin: a plane across the nearest bone cuts the skin
// into a closed line, around which the ring lies (Capell 2004, sections 5.4 and 6.8).
#pragma once

#include <optional>
#include <span>

#include "sinew/character/simulation_surface.h"
#include "sinew/deform/acting_settings.h"

namespace sinew {

// A plane across a limb or the trunk. Rest space, metres.
struct RingPlane {
  Vec3 point;     // on the skin
  Vec3 normal;    // of unit length, along the bone
  int bone = -1;  // index into SimulationSurface::bones
};

// The plane through the skin's point nearest to `point`, across the bone there: of the bones that the skin follows and
// their segments the one around which the plane cuts the shortest line, or else the nearest one. Throws usage_error if
// the surface has no bones.
RingPlane plane_across(const SimulationSurface& surface, const Vec3& point);

// The plane through the middle of a patch of skin that lies around a limb like a band: it contains the direction in
// which the patch is longest, and is otherwise as nearly across the bone as possible. Where that direction is within 45
// degrees of the bone, the plane is across the bone. Throws usage_error for vertices that the surface does not have, or
// none.
RingPlane plane_along(const SimulationSurface& surface, std::span<const int> vertices);

// Extent of vertices along the plane's normal, metres.
double extent_along(const RingPlane& plane, const TriangleMesh& rest, std::span<const int> vertices);

// A ring of size 1 around the skin in this plane, at its own middle. `width` in metres; empty: 0.03 of the height. It
// is at most 0.6 of the limb's diameter, and at least as wide as the edges that the plane crosses, whose ends it holds.
// Throws usage_error if no line goes around the limb there.
BeltSettings ring_in(const SimulationSurface& surface, const RingPlane& plane, std::optional<double> width = {});

// The ring at another place of the skin, with its own width, size and name. It keeps its normal on the same bone, and
// is across the bone if that is another one.
BeltSettings ring_moved(const SimulationSurface& surface, const BeltSettings& ring, const Vec3& point);

}  // namespace sinew
