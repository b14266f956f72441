// Writes the painted fields of a character in memory (character/fields.h) into its document, as vertex attributes.
#pragma once

#include <filesystem>
#include <string>

#include "sinew/character/character.h"
#include "sinew/gltf/document.h"

namespace sinew {

// Writes the document with these attributes on the painted parts of `character`, which must have been read from
// `document`. Painted primitives lose their Draco compression. Reading the file gives the same paint in single
// precision. Throws what check_gltf_output() and writing throw.
void write_painted(const GltfDocument& document, const Character& character, const std::filesystem::path& out);

}  // namespace sinew
