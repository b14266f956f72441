// The pose of experiments that turn one part of a character.
#pragma once

#include <span>
#include <vector>

#include "sinew/character/simulation_surface.h"
#include "sinew/linalg/small.h"

namespace sinew {

// Whether `bone` is `ancestor` or hangs on it.
bool is_below(std::span<const Bone> bones, int bone, int ancestor);

// Rest to world, one for each bone: what hangs on bone `turned` turns by `radians` about the vertical through its
// joint, and all others stand as they rest.
std::vector<Affine> turned_pose(std::span<const Bone> bones, int turned, double radians);

}  // namespace sinew
