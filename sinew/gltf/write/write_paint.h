// Painted fields of a character in memory (character/fields.h), written into its document as attributes of vertices.
#pragma once

#include <filesystem>
#include <string>

#include "sinew/character/character.h"
#include "sinew/gltf/document.h"

namespace sinew {

// Writes the document as it is but for these attributes of the parts that are painted in `character`, which must have
// been read from `document`. Painted primitives lose their Draco compression. Reading the file gives the same paint, in
// single precision. Throws what check_gltf_output() and writing throw.
void write_painted(const GltfDocument& document, const Character& character, const std::filesystem::path& out);

}  // namespace sinew
