// A clip of a character as a file of its own, which gives the motion to it, and to characters with the same skeleton.
#pragma once

#include <filesystem>

#include "sinew/character/clip.h"
#include "sinew/gltf/document.h"

namespace sinew {

// Writes the document's nodes, without meshes, and the clip that moves them. Morph weights are left out. `output`: .glb
// or .gltf. Throws as write_gltf_files() does.
void write_motion_file(const GltfDocument& document, const Clip& clip, const std::filesystem::path& output);

}  // namespace sinew
