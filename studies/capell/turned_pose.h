// Poses in which one part of a character is turned.
#pragma once

#include <span>
#include <vector>

#include "sinew/character/simulation_surface.h"
#include "sinew/linalg/small.h"

namespace sinew {

// True if `bone` is `ancestor` or a descendant of it.
bool is_below(std::span<const Bone> bones, int bone, int ancestor);

// Rest to world map of each bone: bone `turned` and its descendants are rotated by `radians` about the vertical axis
// through its joint, all others are at rest.
std::vector<Affine> turned_pose(std::span<const Bone> bones, int turned, double radians);

}  // namespace sinew
