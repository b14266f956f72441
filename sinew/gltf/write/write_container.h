// Writes an edited glTF document: one buffer, as GLB or as JSON with a .bin beside it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include "sinew/gltf/write/write_edit.h"

namespace sinew {

// Throws usage_error unless `out` ends in .glb, .vrm or .gltf or is standard output (which gets a GLB), and if `out` is
// one of the input's own files.
void check_gltf_output(const GltfDocument& document, const std::filesystem::path& out);

// The document as a .glb in memory, with the images of its files included. `name` is used in messages.
std::vector<std::byte> glb_bytes(GltfEdit& edit, const std::filesystem::path& name);

// Writes the document and returns the total number of bytes. write_gltf.h says what happens to buffers and images.
std::size_t write_gltf_files(GltfEdit& edit, const std::filesystem::path& out);

}  // namespace sinew
