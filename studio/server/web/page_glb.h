// A character's file as a .glb that any glTF reader can draw: no Draco or meshopt compression, images and buffers
// embedded. Indices of nodes, meshes, materials, skins and clips are those of the file.
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/gltf/document.h"

namespace sinew::studio {

std::vector<std::byte> page_glb(const GltfDocument& document);

}  // namespace sinew::studio
