// Writes accessories that move with the flesh, as keys on nodes of their own (docs/accessories.md).
#pragma once

#include <span>

#include "sinew/bake/recording.h"
#include "sinew/character/character.h"
#include "sinew/gltf/write/write_edit.h"
#include "sinew/gltf/write/write_weights.h"

namespace sinew {

// Gives each accessory's mesh a new node, between its node and that node's parent. If skins have joints below its node,
// the new node goes below it instead and holds only the mesh. In the rest pose and in clips that were not recorded, the
// new nodes change nothing.
void write_accessories(GltfEdit& edit, const Character& character, std::span<const Recording> recordings,
                       WeightsWriter& keys);

}  // namespace sinew
