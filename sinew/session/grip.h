// A hand's hold on the skin: a point of it, or a patch around that point, which the hand leads as it lies there in the rig.
#pragma once

#include <span>
#include <vector>

#include "sinew/character/simulation_surface.h"
#include "sinew/contact/held_points.h"

namespace sinew {

struct Grip {
  SurfaceSpot middle;              // what is led to the hand
  std::vector<PatchVertex> patch;  // around it; none: the point alone
};

// On the skin that is nearest to `point`, and within `radius` of there along the skin; metres, rest space.
Grip grip_on(const TriangleMesh& rest, const Vec3& point, double radius);

// Where the rig alone carries a spot, metres, world.
Vec3 carried(const SimulationSurface& surface, const SurfaceSpot& spot, std::span<const Affine> bones);

// Over a step, metres, world.
struct HandStep {
  Vec3 hand, way;                               // where it is as the step ends, and how far it came in it
  std::span<const Affine> bones_before, bones;  // of the rig; none: the point alone is held
  double step = 0;                              // seconds; 0: a pose by itself
};

// What the hand holds, after what `held` has already: where the rig has the patch, moved as a whole so that its middle is
// at the hand.
void hold(const Grip& grip, const SimulationSurface& surface, const SharedText& name, const HandStep& hand,
          std::vector<HeldPoint>& held);

}  // namespace sinew
