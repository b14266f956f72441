// A character from a file, ready to be worked with: read, found sound, its size decided.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/character/character.h"
#include "sinew/character/defects.h"
#include "sinew/character/size.h"
#include "sinew/gltf/document.h"

namespace sinew {

// What a user says of a character's size: nothing, or one of them.
struct AskedSize {
  std::optional<double> height;  // of the character, metres
  std::optional<double> unit;    // metres per file unit
};

// Motion from a file of its own: clips of the same skeleton, joined by the names of nodes (gltf/add_motion.h).
struct AskedMotion {
  std::filesystem::path file;  // .glb, .gltf or .vrm; empty: none, the character moves by its own clips
  std::string clip;            // of that file, by name or number; empty: all of them
};

// A character as it was read from a file.
struct OpenedCharacter {
  std::optional<GltfDocument> document;  // that it was read from, with the motion that was joined; empty for an OBJ
  Character character;                   // with its metres_per_unit
  SizeDecision size;
  std::size_t first_clip = 0;        // number of clips before those of the motion's file
  std::vector<std::string> notes{};  // about that motion: what found no node
};

// Reads .glb, .gltf, .vrm and .obj. `defects`: where given, what had to be repaired and what was found is appended,
// also where it throws. Throws input_error for files that cannot be read and for defects that nothing can be done
// about, usage_error for a size that cannot be.
OpenedCharacter open_character(const std::filesystem::path& file, const AskedSize& size = {},
                               std::vector<Defect>* defects = nullptr);

// The same to animate it: from glTF, and with its document. Throws input_error for an OBJ, which has no skeleton.
OpenedCharacter open_rigged_character(const std::filesystem::path& file, const AskedSize& size = {});

// The same, moved by clips of another file. Throws input_error and usage_error as add_motion() does.
OpenedCharacter open_rigged_character(const std::filesystem::path& file, const AskedSize& size,
                                      const AskedMotion& motion);

// The same from memory: a whole glTF file that names no others. `name` stands for the file in messages.
OpenedCharacter open_rigged_character(std::span<const std::byte> file, const std::string& name,
                                      const AskedSize& size = {});

// The same whatever its defects are: to look at it and to measure it.
OpenedCharacter open_any_character(const std::filesystem::path& file, const AskedSize& size = {});

// Gives a character without skin weights a skeleton (character/adopt_skeleton.h), below the joint `root` where that is
// not empty, and returns a sentence about it; empty where there are skin weights. Throws usage_error for a root beside
// these.
std::string adopt_missing_skeleton(Character& character, const std::string& root = {});

}  // namespace sinew
