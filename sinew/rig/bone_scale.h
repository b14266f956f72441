// Bones that are scaled to almost nothing, by which characters appear and vanish.
#pragma once

#include <span>

#include "sinew/character/character.h"

namespace sinew {

// True if every bone scales what it carries to less than a hundredth of its size. `bones`: rest space to world.
bool are_all_collapsed(std::span<const Affine> bones);

// Scales down the displacements of flesh (metres, per vertex of the surface) where bones shrink to less than half their
// size, since flesh is simulated at its rest size. Without such bones nothing changes.
void shrink_with_bones(std::span<const Influences> influences, std::span<const Affine> bones,
                       std::span<Vec3> displacements);

}  // namespace sinew
