// Attachment of a hand to the skin: at a point, or by a patch around it, which keeps the shape that the rig gives it.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "sinew/character/simulation_surface.h"
#include "sinew/contact/held_points.h"
#include "sinew/rig/skinned_points.h"

namespace sinew {

struct Attachment {
  SurfacePoint middle;             // point of the skin that follows the hand
  std::vector<PatchVertex> patch;  // vertices around it; empty: the point alone
  std::vector<PatchVertex>
      held;  // the vertices of the patch that are constrained, each with the weight of those near it
  double reach = std::numeric_limits<double>::infinity();  // largest distance of the middle from the rig, metres
};

// Attaches to the skin nearest to `point` and within `radius` of it, measured along the skin; metres, rest space.
// `reach`: Scene::hold_reach; empty: no limit.
Attachment attach(const TriangleMesh& rest, std::span<const double> reach, const Vec3& point, double radius);

// Maximum number of held points over all hands. A body of some thousand tetrahedra cannot resolve more, and the cost of
// a step grows with the cube of their number.
inline constexpr std::size_t most_held_points = 16;

// Sets Attachment::held to at most `most` vertices spread over the patch.
void thin(Attachment& attachment, const TriangleMesh& rest, std::size_t most);

// Mean reach over the attached skin, metres; infinite if `reach` is empty.
double reach_of(const Attachment& attachment, std::span<const double> reach);

// Clamps the target of an attachment's middle, metres, world, to its reach: distances from the rig up to 0.6 of the
// reach are kept, and larger ones stay below 0.7 of it, since flesh around the hand may go farther.
Vec3 within_reach(const Attachment& attachment, const SimulationSurface& surface, std::span<const Affine> bones,
                  const Vec3& target);

// Position that the rig alone gives a surface point, metres, world.
Vec3 carried(const SimulationSurface& surface, const SurfacePoint& point, std::span<const Affine> bones);
Vec3 carried(const PosedSkin& skin, const SurfacePoint& point);

// Motion of a hand over a step. Metres, world.
struct HandStep {
  Vec3 hand, displacement;                      // position at the end of the step, and displacement during it
  std::span<const Affine> bones_before, bones;  // the rig before and after; empty: constrain the point alone
  double step = 0;                              // seconds; 0: a single pose
};

// Appends to `held` the constraints of an attachment: the patch as the rig has it, translated so that its middle is at
// the hand.
void hold(const Attachment& attachment, const SimulationSurface& surface, const SharedText& name, const HandStep& hand,
          std::vector<HeldPoint>& held);

}  // namespace sinew
