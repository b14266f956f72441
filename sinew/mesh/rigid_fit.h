// Rigid motion that best fits the displacement of some vertices of a surface.
#pragma once

#include <span>
#include <vector>

#include "sinew/linalg/small.h"

namespace sinew {

// Vertices of a surface that move as one rigid body.
struct RigidGroup {
  std::vector<int> vertices;
  std::vector<double> weight;  // per vertex: its weight in the fit, sum 1
};

// Maps x to centre + shift + turn (x - centre).
struct RigidMotion {
  Vec3 centre;  // centre of the group before the motion
  Vec3 translation;
  Mat3 rotation;

  Affine map() const { return {rotation, centre + translation - rotation * centre}; }
};

// The rotation and translation that minimise the weighted squared distance between the moved group and its `positions`
// plus `displacement` (Kabsch 1976). Both have an entry per vertex of the surface. `steadying`, a length squared,
// resists rotation: it acts like points at that distance from the centre, on each axis, that do not rotate. A group
// that is much smaller hardly rotates, and one without extent not at all.
RigidMotion rigid_fit(const RigidGroup& group, std::span<const Vec3> positions, std::span<const Vec3> displacement,
                      double steadying = 0);

}  // namespace sinew
