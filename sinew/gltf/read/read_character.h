// Reads a Character from a file: skeleton, skins, parts, clips (docs/reading_characters.md).
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

// Decodes everything that deforms: accessors (sparse, quantised, meshopt, Draco), skins, morph targets, clips. Skin
// weights are sorted, merged per joint and normalised. Repairs, and content that is ignored, are appended to `repairs`
// unless it is null.
//
// metres_per_unit stays 1; character/size.h decides it. Joints are the JSON's nodes, with the same indices, and
// Part::mesh and Part::primitive are JSON indices, so that writers find them. Vertices keep the file's order and
// number, except in Draco primitives, where they have the decoder's order.
//
// Throws input_error that names file, element and remedy for everything that has no reasonable interpretation.
Character character_from(const GltfDocument& document, std::vector<Defect>* repairs = nullptr);

// True if the file's ending is glTF's: .glb, .gltf or .vrm.
bool names_gltf(const std::filesystem::path& path);

// Reads glTF and .obj files. `document`, unless null, receives the document that a glTF was read from.
Character read_character(const std::filesystem::path& path, std::vector<Defect>* repairs = nullptr,
                         std::optional<GltfDocument>* document = nullptr);

// Reads a whole .glb, .vrm or .gltf file from memory, for a host with packed or downloaded files. `name` stands for the
// file in messages. Other files that it refers to are read from `folder` or below; without a folder they are refused
// with input_error.
Character read_character(std::span<const std::byte> file, const std::string& name,
                         const std::filesystem::path& folder = {}, std::vector<Defect>* repairs = nullptr,
                         std::optional<GltfDocument>* document = nullptr);

}  // namespace sinew
