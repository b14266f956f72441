#include "sinew/jobs/open_character.h"

#include <algorithm>
#include <utility>

#include "sinew/cook/flesh_settings.h"
#include "sinew/files/anatomy_json.h"
#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/character/adopt_skeleton.h"
#include "sinew/gltf/read_character.h"

namespace sinew {
namespace {

void use_size(const AskedSize& asked, OpenedCharacter& opened) {
  opened.size = decide_size(opened.character, asked.height, asked.unit);
  opened.character.metres_per_unit = opened.size.metres_per_unit;
}

template <class Read>
OpenedCharacter open_sound(const Read& read, const AskedSize& size, std::vector<Defect>& defects) {
  OpenedCharacter opened;
  opened.character = read(&defects, &opened.document);
  const std::vector<Defect> found = find_defects(opened.character);
  defects.insert(defects.end(), found.begin(), found.end());
  refuse_fatal(opened.character.file, defects);
  use_size(size, opened);
  return opened;
}

}  // namespace

OpenedCharacter open_character(const std::filesystem::path& file, const AskedSize& size, std::vector<Defect>* defects) {
  std::vector<Defect> own;
  return open_sound([&](auto* repairs, auto* document) { return read_character(file, repairs, document); }, size,
                    defects ? *defects : own);
}

OpenedCharacter open_rigged_character(std::span<const std::byte> file, const std::string& name, const AskedSize& size) {
  std::vector<Defect> defects;
  return open_sound([&](auto* repairs, auto* document) { return read_character(file, name, {}, repairs, document); }, size,
                    defects);
}

OpenedCharacter open_rigged_character(const std::filesystem::path& file, const AskedSize& size) {
  if (lower_case_ending(file) == ".obj")
    throw input_error(file.string() + ": an OBJ has no skeleton to animate; export the rigged character as glTF.");
  return open_character(file, size);
}

OpenedCharacter open_any_character(const std::filesystem::path& file, const AskedSize& size) {
  OpenedCharacter opened;
  opened.character = read_character(file, nullptr, &opened.document);
  use_size(size, opened);
  return opened;
}

void adopt_anatomy(Character& character, const std::string& anatomy) {
  if (anatomy == found_anatomy || anatomy == nameless_anatomy || anatomy == no_anatomy) return;
  SaidAnatomy said = read_anatomy(anatomy);
  const std::vector<Joint>& nodes = character.skeleton.joints;
  for (const auto& [node, follows] : said.accessories)
    if (std::none_of(nodes.begin(), nodes.end(), [&name = node](const Joint& joint) { return joint.name == name; }))
      throw input_error(anatomy + ": there is no node called '" + node + "' in " + character.file +
                        "; write the anatomy anew with `sinew anatomy`, or correct it there.");
  character.anatomy = std::move(said);
}

std::string adopt_missing_skeleton(Character& character, const std::string& root) {
  if (!has_skin_weights(character)) return adopt_skeleton(character, root);
  if (!root.empty())
    throw usage_error("--skeleton: " + character.file +
                      " has skin weights, whose joints are its skeleton; leave the option out.");
  return "";
}

}  // namespace sinew
