// Limits the displayed distance of flesh from the rig.
#pragma once

#include <span>
#include <vector>

#include "sinew/linalg/small.h"

namespace sinew {

struct DisplayLimit {
  // Limits, metres; empty: none. At most one of the two is given.
  std::vector<double> of_points;    // per point of Deformer::points(), shortened before the surface follows
  std::vector<double> of_vertices;  // per vertex of the surface
  double untouched = 0;             // share of a limit up to which displacements are displayed as they are, in [0, 1)
  bool releases = true;  // held points and colliders release it (ClampRelease); false for a limit that the user set
};

// Shortens displacements u for display. With e = |u| - driven - a L > 0 and a = `untouched`, the length becomes
//
//   driven + a L + e / sqrt(1 + e^2 / ((1 - a) L)^2),
//
// which hardly changes those a little longer and never exceeds driven + L. `limit`: L per displacement, metres; empty:
// no limit. `driven`: displacement that held points and colliders cause, metres. Returns the fraction of displacements
// that it shortened by more than a tenth.
double limit_displacements(std::span<const double> limit, double driven, std::span<Vec3> displacement,
                           double untouched = 0);

}  // namespace sinew
