// An edited glTF document on disk: one buffer, GLB or JSON with a .bin beside it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include "sinew/gltf/write/write_edit.h"

namespace sinew {

// Throws usage_error where `out` does not end in .glb, .vrm or .gltf (nor is standard output, which gets a GLB), or is
// a file of the input itself.
void check_gltf_output(const GltfDocument& document, const std::filesystem::path& out);

// The document as a .glb in memory: `name` is for messages. Images that the document's files hold are taken up.
std::vector<std::byte> glb_bytes(GltfEdit& edit, const std::filesystem::path& name);

// Writes the document and returns the number of bytes of all files. See write_gltf.h for what becomes of
// buffers and images.
std::size_t write_gltf_files(GltfEdit& edit, const std::filesystem::path& out);

}  // namespace sinew
