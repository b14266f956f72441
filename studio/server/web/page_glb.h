// A character as a .glb that any reader of glTF can draw, whatever its own file is like: geometry without Draco or
// meshopt compression, pictures and buffers inside. Nodes, meshes, materials, skins and clips stand as in the file.
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/gltf/document.h"

namespace sinew::studio {

std::vector<std::byte> page_glb(const GltfDocument& document);

}  // namespace sinew::studio
