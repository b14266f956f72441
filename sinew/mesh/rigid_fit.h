// The rigid motion that is nearest to how some vertices of a surface moved.
#pragma once

#include <span>
#include <vector>

#include "sinew/linalg/small.h"

namespace sinew {

// Vertices of a surface that are taken for one rigid body.
struct RigidGroup {
  std::vector<int> vertices;
  std::vector<double> weight;  // per vertex: how much it counts, sum 1
};

// x goes to centre + shift + turn (x - centre).
struct RigidMotion {
  Vec3 centre;  // of the group, before
  Vec3 shift;
  Mat3 turn;

  Affine map() const { return {turn, centre + shift - turn * centre}; }
};

// The rotation and translation that take the group's `positions` nearest to where `displacement` puts them, by weighted
// squares (Kabsch 1976). Both per vertex of the surface. `steadying`, a length squared: as if points so far from the
// centre, along each axis, had not turned; a group that is far smaller than this turns hardly, and one without
// extent not at all.
RigidMotion rigid_fit(const RigidGroup& group, std::span<const Vec3> positions, std::span<const Vec3> displacement,
                      double steadying = 0);

}  // namespace sinew
