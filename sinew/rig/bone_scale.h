// How small bones make what they carry: characters appear and vanish by scales that come from or go to nothing.
#pragma once

#include <span>

#include "sinew/character/character.h"

namespace sinew {

// Whether every bone takes all that it carries to less than a hundredth of its size. `bones`: rest space to world.
bool are_all_collapsed(std::span<const Affine> bones);

// Displacements of flesh, metres, per vertex of the surface, made as small as what their bones shrink to less than
// half: flesh moves at the size that it has at rest. Nothing changes where no bone is as small.
void shrink_with_bones(std::span<const Influences> influences, std::span<const Affine> bones,
                       std::span<Vec3> displacements);

}  // namespace sinew
