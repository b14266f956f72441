// Points inside the body follow the corrections of the skin around them (SkinnedPoints::carried).
#pragma once

#include <span>

#include "sinew/character/simulation_surface.h"
#include "sinew/linalg/sparse_rows.h"

namespace sinew {

// Points inside the body, rest space, metres x vertices of the surface: each point follows the correction of the skin
// nearest to it, less the nearer it is to the bone. Without rows where the surface's skinning corrects nothing.
SparseRows carried_correction(const SimulationSurface& surface, std::span<const Vec3> points);

}  // namespace sinew
