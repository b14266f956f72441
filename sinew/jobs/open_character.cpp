#include "sinew/jobs/open_character.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/character/adopt_skeleton.h"
#include "sinew/character/bind_parts.h"
#include "sinew/cook/flesh/flesh_settings.h"
#include "sinew/gltf/add_motion.h"
#include "sinew/gltf/mesh_document.h"
#include "sinew/gltf/read/read_character.h"

namespace sinew {
namespace {

void use_size(const SizeRequest& asked, OpenedCharacter& opened) {
  opened.size = decide_size(opened.character, asked.height, asked.unit);
  opened.character.metres_per_unit = opened.size.metres_per_unit;
}

template <class Read>
OpenedCharacter open_sound(const Read& read, const SizeRequest& size, std::vector<Defect>& defects) {
  OpenedCharacter opened;
  opened.character = read(&defects, &opened.document);
  if (const std::string parts = bind_parts_to_nodes(opened.character); !parts.empty())
    defects.push_back({"parts on nodes", "", "", {}, parts});
  const std::vector<Defect> found = find_defects(opened.character);
  defects.insert(defects.end(), found.begin(), found.end());
  refuse_fatal(opened.character.file, defects);
  use_size(size, opened);
  return opened;
}

std::string names_for_note(const std::vector<std::string>& names) {
  constexpr std::size_t most = 8;
  std::string text;
  for (std::size_t k = 0; k < std::min(most, names.size()); ++k) text += (k ? ", " : "") + names[k];
  return names.size() > most ? text + " and " + std::to_string(names.size() - most) + " more" : text;
}

// Clips that lack the same nodes share a sentence.
void note_what_was_not_found(const JoinedMotion& joined, const std::string& file, std::vector<std::string>& notes) {
  using Names = std::vector<std::string>;
  const auto note = [&](Names JoinedClip::*missing, const char* what) {
    std::map<Names, Names> clips;
    for (const JoinedClip& clip : joined.clips)
      if (!(clip.*missing).empty()) clips[clip.*missing].push_back(clip.name);
    for (const auto& [nodes, names] : clips)
      notes.push_back(file + ": " + what + names_for_note(nodes) + " (" +
                      (names.size() == joined.clips.size() ? "every clip" : names_for_note(names)) + ").");
  };
  note(&JoinedClip::not_found,
       "its channels of these nodes are left out, because the character has no node of that name, or several: ");
  note(&JoinedClip::no_shape,
       "its channels of morph weights are left out, since the character has other morph targets: ");
  note(&JoinedClip::no_number,
       "its channels of these numbers are left out, since no node of the character has them as custom properties: ");
  if (!joined.left_out.empty())
    notes.push_back(file + ": these clips move no node of the character and are left out: " +
                    names_for_note(joined.left_out) + ".");
  constexpr double noticed = 0.02;
  if (std::fabs(joined.bone_ratio - 1) < noticed) return;
  char text[32];
  std::snprintf(text, sizeof(text), "%.3g", joined.bone_ratio);
  notes.push_back(
      file + ": its skeleton differs: its bones are " + text +
      " times as long. Keys are copied unchanged, so translation keys change the lengths of the character's "
      "bones.");
}

}  // namespace

OpenedCharacter open_character(const std::filesystem::path& file, const SizeRequest& size,
                               std::vector<Defect>* defects) {
  std::vector<Defect> own;
  return open_sound([&](auto* repairs, auto* document) { return read_character(file, repairs, document); }, size,
                    defects ? *defects : own);
}

OpenedCharacter open_with_document(const std::filesystem::path& file, const SizeRequest& size) {
  OpenedCharacter opened = open_character(file, size);
  if (!opened.document) {
    const Part& part = opened.character.parts.front();
    opened.document = document_of_mesh(part.surface, part.name);
    opened.document->path = file;
  }
  return opened;
}

OpenedCharacter open_rigged_character(std::span<const std::byte> file, const std::string& name,
                                      const SizeRequest& size) {
  std::vector<Defect> defects;
  return open_sound([&](auto* repairs, auto* document) { return read_character(file, name, {}, repairs, document); },
                    size, defects);
}

OpenedCharacter open_rigged_character(const std::filesystem::path& file, const SizeRequest& size) {
  if (lower_case_ending(file) == ".obj")
    throw input_error(
        file.string() +
        ": an OBJ has no skeleton to animate; give it one with `sinew rig`, or export the rigged character as glTF.");
  return open_character(file, size);
}

OpenedCharacter open_rigged_character(const std::filesystem::path& file, const SizeRequest& size,
                                      const MotionRequest& motion) {
  if (motion.file.empty()) return open_rigged_character(file, size);
  for (const std::filesystem::path& path : {file, motion.file})
    if (!names_gltf(path))
      throw input_error(path.string() +
                        ": cannot be used with --motion, which needs two .glb, .gltf or .vrm files with the same "
                        "skeleton.");
  JoinedMotion joined = add_motion(read_gltf_document(file), read_gltf_document(motion.file), motion.clip);
  std::vector<Defect> defects;
  OpenedCharacter opened = open_sound(
      [&](auto* repairs, auto* document) {
        Character character = character_from(joined.document, repairs);
        *document = std::move(joined.document);
        return character;
      },
      size, defects);
  opened.first_clip = joined.first_clip;
  note_what_was_not_found(joined, motion.file.string(), opened.notes);
  return opened;
}

OpenedCharacter open_any_character(const std::filesystem::path& file, const SizeRequest& size) {
  OpenedCharacter opened;
  opened.character = read_character(file, nullptr, &opened.document);
  use_size(size, opened);
  return opened;
}

std::string adopt_missing_skeleton(Character& character, const std::string& root) {
  if (!has_skin_weights(character)) return adopt_skeleton(character, root);
  if (!root.empty())
    throw usage_error("--skeleton: " + character.file +
                      " has skin weights, whose joints are its skeleton; leave the option out.");
  return "";
}

}  // namespace sinew
