// Opens a character's file: reads it, checks it for defects, decides its size.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/bake/run_report.h"
#include "sinew/character/character.h"
#include "sinew/character/defects.h"
#include "sinew/character/size.h"
#include "sinew/gltf/document.h"

namespace sinew {

// Size given by the user: at most one of the two.
struct SizeRequest {
  std::optional<double> height;  // height of the character, metres
  std::optional<double> unit;    // metres per file unit
};

// Motion of another file, or a built-in one, that became clips of a character (jobs/motion/add_motions.h).
struct AddedMotion {
  std::string motion;                // a value of --motion
  int first = 0, count = 0;          // its clips, as indices into Character::clips; none if it has moved no joint
  std::vector<std::string> notes{};  // sentences, such as how its bones were found, or channels without a matching node
};

// A character as it was read from a file.
struct OpenedCharacter {
  std::optional<GltfDocument> document;  // source document, including added motion; empty for an OBJ
  Character character;                   // the character, metres_per_unit set
  SizeDecision size;
  std::vector<AddedMotion> motions{};     // in the order in which they were added, behind the character's own clips
  std::map<int, MotionReport> carried{};  // by clip: those carried over from another skeleton

  // Number of the character's own clips.
  std::size_t own_clips() const {
    return motions.empty() ? character.clips.size() : static_cast<std::size_t>(motions.front().first);
  }
};

// The character and a document of its own, which may be edited.
OpenedCharacter copy_of(const OpenedCharacter& opened);

// Reads .glb, .gltf, .vrm and .obj. `defects`, unless null, receives repairs and findings, even if this throws. Throws
// input_error for files that cannot be read and defects that cannot be repaired, usage_error for an impossible size.
OpenedCharacter open_character(const std::filesystem::path& file, const SizeRequest& size = {},
                               std::vector<Defect>* defects = nullptr);

// Opens a character with its document; a mesh from an OBJ gets one of its own.
OpenedCharacter open_with_document(const std::filesystem::path& file, const SizeRequest& size = {});

// Opens a glTF character with its document, to animate it. Throws input_error for an OBJ, which has no skeleton.
OpenedCharacter open_rigged_character(const std::filesystem::path& file, const SizeRequest& size = {});

// Opens the character of a document that was read or made before.
OpenedCharacter open_document(GltfDocument document, const SizeRequest& size = {});

// Opens a complete glTF file in memory that refers to no other files. `name` stands for the file in messages.
OpenedCharacter open_rigged_character(std::span<const std::byte> file, const std::string& name,
                                      const SizeRequest& size = {});

// Opens a character regardless of defects, to display or measure it.
OpenedCharacter open_any_character(const std::filesystem::path& file, const SizeRequest& size = {});

// Gives a character without skin weights a skeleton (character/adopt_skeleton.h), below the joint `root` unless that is
// empty, and returns a sentence about it; does nothing and returns an empty string if there are skin weights. Throws
// usage_error if `root` is given together with skin weights.
std::string adopt_missing_skeleton(Character& character, const std::string& root = {});

}  // namespace sinew
