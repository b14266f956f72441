#include "sinew/jobs/open_character.h"

#include <algorithm>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/character/adopt_skeleton.h"
#include "sinew/character/bind_parts.h"
#include "sinew/cook/flesh/flesh_settings.h"
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

}  // namespace

OpenedCharacter copy_of(const OpenedCharacter& opened) {
  OpenedCharacter copy;
  if (opened.document) copy.document = copy_of(*opened.document);
  copy.character = opened.character;
  copy.size = opened.size;
  copy.motions = opened.motions;
  copy.carried = opened.carried;
  return copy;
}

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

OpenedCharacter open_document(GltfDocument document, const SizeRequest& size) {
  std::vector<Defect> defects;
  return open_sound(
      [&](auto* repairs, auto* kept) {
        Character character = character_from(document, repairs);
        *kept = std::move(document);
        return character;
      },
      size, defects);
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
