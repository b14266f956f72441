// A hand's hold on the skin: a point of it, or a patch around that point, which the hand leads as it lies there in the
// rig.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "sinew/character/simulation_surface.h"
#include "sinew/contact/held_points.h"

namespace sinew {

struct Grip {
  SurfaceSpot middle;              // what is led to the hand
  std::vector<PatchVertex> patch;  // around it; none: the point alone
  std::vector<PatchVertex>
      held;  // those that are led in place of all of the patch, each with the weight of those near it
  double reach = std::numeric_limits<double>::infinity();  // metres, from where the rig has the middle
};

// On the skin that is nearest to `point`, and within `radius` of there along the skin; metres, rest space. `reach`:
// that of each surface vertex (Scene::hold_reach); empty: no limit.
Grip grip_on(const TriangleMesh& rest, std::span<const double> reach, const Vec3& point, double radius);

// Held points that all hands share: a body of some thousand tetrahedra tells no more of them apart, and a step's cost
// grows with their third power.
inline constexpr std::size_t most_held_points = 16;

// Chooses at most `most` vertices of the patch, spread over it, to be held in place of all.
void thin(Grip& grip, const TriangleMesh& rest, std::size_t most);

// The mean of the vertices' reach over what is held; infinite where `reach` is empty.
double reach_of(const Grip& grip, std::span<const double> reach);

// Where the middle of a grip is led, metres, world, if `target` is asked for: there up to 0.6 of its reach from where
// the rig has it, and 0.7 of its reach away at most. Flesh that the hand does not hold itself may go farther, up to its
// reach.
Vec3 within_reach(const Grip& grip, const SimulationSurface& surface, std::span<const Affine> bones,
                  const Vec3& target);

// Where the rig alone carries a spot, metres, world.
Vec3 carried(const SimulationSurface& surface, const SurfaceSpot& spot, std::span<const Affine> bones);

// Over a step, metres, world.
struct HandStep {
  Vec3 hand, way;                               // where it is as the step ends, and how far it came in it
  std::span<const Affine> bones_before, bones;  // of the rig; none: the point alone is held
  double step = 0;                              // seconds; 0: a pose by itself
};

// What the hand holds, after what `held` has already: where the rig has the patch, moved as a whole so that its middle
// is at the hand.
void hold(const Grip& grip, const SimulationSurface& surface, const SharedText& name, const HandStep& hand,
          std::vector<HeldPoint>& held);

}  // namespace sinew
