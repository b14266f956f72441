#include "sinew/gltf/read/read_character.h"

#include <new>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "sinew/base/file.h"
#include "sinew/files/obj.h"
#include "sinew/gltf/accessor.h"
#include "sinew/gltf/read/read_clips.h"
#include "sinew/gltf/read/read_json.h"
#include "sinew/gltf/read/read_parts.h"
#include "sinew/gltf/read/read_skeleton.h"

namespace sinew {
namespace {

// Unknown data may matter to other programs and stays in the document.
void note_extensions(const JsonView& root, std::vector<Defect>& repairs) {
  for (const JsonView& view : root.elements("extensionsUsed"))
    if (const std::string name = view.to_string(); !knows_gltf_extension(name))
      repairs.push_back({"unknown extension", name, "", {}, "It passes through untouched."});
}

// JSON numbers may be as large as 1e308. A product of a few overflows, and then nothing can be posed.
void check_rest_pose(const Character& character) {
  const Pose pose = sample(character.skeleton, nullptr, 0);
  for (std::size_t j = 0; j < pose.world.size(); ++j) {
    const Affine& world = pose.world[j];
    if (is_finite(world.linear.row(0) + world.linear.row(1) + world.linear.row(2)) && is_finite(world.translation))
      continue;
    throw input_error(character.file + ": nodes[" + std::to_string(j) + "] (\"" + character.skeleton.joints[j].name +
                      "\") is moved or scaled beyond all numbers; reset its transform.");
  }
}

// Cost of a node, from reading to posing, in accessor numbers.
constexpr std::size_t values_per_node = 500;

Character read_document(const GltfDocument& document, std::vector<Defect>* repairs) {
  std::vector<Defect> found;
  Character character;
  character.file = document.path.string();
  const JsonView root(character.file, *document.json, "");
  AccessorReader accessors(document);
  accessors.spend(root.count("nodes") * values_per_node);
  character.skeleton = read_skeleton(root, found);
  check_rest_pose(character);
  character.skins = read_skins(root, accessors);
  read_parts(root, accessors, character, found);
  character.clips = read_clips(root, accessors, character.skeleton, found);
  apply_default_shape(character);
  note_extensions(root, found);
  if (repairs != nullptr) repairs->insert(repairs->end(), found.begin(), found.end());
  return character;
}

// Running out of memory is reported as the file's fault.
template <class Read>
Character within_memory(const std::filesystem::path& path, const Read& read) {
  const char* remedy = ": needs more memory than there is; split the scene and keep one character.";
  try {
    return read();
  } catch (const std::bad_alloc&) {
    throw input_error(path.string() + remedy);
  } catch (const std::length_error&) {
    throw input_error(path.string() + remedy);
  }
}

Character keep_document(GltfDocument read, std::vector<Defect>* repairs, std::optional<GltfDocument>* document) {
  Character character = character_from(read, repairs);
  if (document) *document = std::move(read);
  return character;
}

}  // namespace

Character character_from(const GltfDocument& document, std::vector<Defect>* repairs) {
  return within_memory(document.path, [&] { return read_document(document, repairs); });
}

bool names_gltf(const std::filesystem::path& path) {
  const std::string extension = lower_case_ending(path);
  return extension == ".glb" || extension == ".gltf" || extension == ".vrm";
}

Character read_character(const std::filesystem::path& path, std::vector<Defect>* repairs,
                         std::optional<GltfDocument>* document) {
  if (names_gltf(path))
    return within_memory(path, [&] { return keep_document(read_gltf_document(path), repairs, document); });
  if (lower_case_ending(path) == ".obj") return within_memory(path, [&] { return read_obj(path); });
  throw input_error(path.string() + ": is not a file that Sinew reads; give it a .glb, .gltf, .vrm or .obj file.");
}

Character read_character(std::span<const std::byte> file, const std::string& name, const std::filesystem::path& folder,
                         std::vector<Defect>* repairs, std::optional<GltfDocument>* document) {
  // Only the last part of its name, since other folders in it do not exist here.
  std::filesystem::path path(name);
  if (!folder.empty()) path = folder / path.filename();
  const ExternalFiles external = folder.empty() ? ExternalFiles::forbidden : ExternalFiles::beside_document;
  return within_memory(path,
                       [&] { return keep_document(parse_gltf_document(file, path, external), repairs, document); });
}

}  // namespace sinew
