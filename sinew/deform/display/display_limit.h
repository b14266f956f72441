// How far flesh is displayed from the rig at most.
#pragma once

#include <span>
#include <vector>

#include "sinew/linalg/small.h"

namespace sinew {

struct DisplayLimit {
  // Metres, and empty: no limit. At most one of both is given.
  std::vector<double> of_points;    // per point of Deformer::points(), shortened before the surface follows
  std::vector<double> of_vertices;  // per vertex of the surface
  bool releases = true;             // held points and colliders release it (ClampRelease), a limit by request stands
};

// Shortens displacements u for display. With the part e that goes beyond `driven`, |u| - driven, one that is longer
// than `driven` becomes
//
//   driven + e / sqrt(1 + e^2 / L^2),
//
// which leaves small ones alone and never passes driven + L. The simulation itself goes on with the unlimited ones.
// `limit`: L of each displacement, metres, or empty: nothing is shortened. `driven`: displacement that held points and
// colliders cause, metres, 0 where nothing does. Returns the share of the displacements that it shortened by more than
// a tenth.
double limit_displacements(std::span<const double> limit, double driven, std::span<Vec3> displacement);

}  // namespace sinew
