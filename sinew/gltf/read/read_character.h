// From a file to a Character: skeleton, skins, parts, clips (docs/reading_characters.md).
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/character/character.h"
#include "sinew/character/defects.h"
#include "sinew/gltf/document.h"

namespace sinew {

// Decodes everything that deforms: accessors (sparse, quantised, meshopt, Draco), skins, morph
// targets, clips. Skin weights come out sorted, without doubles and normalised; what had to be
// repaired to get there, and what is left alone, is appended to `repairs` where it is given.
//
// metres_per_unit is left at 1: character/size.h decides it. The JSON's nodes are the joints, index
// for index, and Part::mesh, Part::primitive are indices of the JSON, so that writers find the way
// back. Vertices keep the file's order and number, except in Draco primitives, where they have the
// order in which the decoder yields them.
//
// Throws input_error with file, element and remedy for everything that has no sane meaning.
Character character_from(const GltfDocument& document, std::vector<Defect>* repairs = nullptr);

// Whether a file is glTF by the ending of its name: .glb, .gltf or .vrm.
bool names_gltf(const std::filesystem::path& path);

// Reads glTF (see above) and .obj files. `document`: where given, what a glTF was read from.
Character read_character(const std::filesystem::path& path, std::vector<Defect>* repairs = nullptr,
                         std::optional<GltfDocument>* document = nullptr);

// Reads glTF from memory: a whole .glb, .vrm or .gltf file, for a host that has its files in a pack or from a network.
// `name` stands for the file in messages. Other files that it names are read from `folder` or from below it; without a
// folder they are refused with input_error, so that a .glb or data URIs have to bring everything along.
Character read_character(std::span<const std::byte> file, const std::string& name,
                         const std::filesystem::path& folder = {}, std::vector<Defect>* repairs = nullptr,
                         std::optional<GltfDocument>* document = nullptr);

}  // namespace sinew
