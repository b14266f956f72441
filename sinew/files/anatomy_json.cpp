#include "sinew/files/anatomy_json.h"

#include <nlohmann/json.hpp>

#include "sinew/anatomy/accessories.h"
#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/files/strict_json.h"

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

constexpr Tissue tissues[] = {Tissue::flesh, Tissue::skull, Tissue::rigid, Tissue::shell};
constexpr const char *follows = "accessory", *stays = "rig";
constexpr const char* anatomy_remedy = "; write the anatomy anew with `sinew anatomy`, or correct it there.";

[[noreturn]] void fail(const std::string& file, const std::string& place, const std::string& what) {
  throw input_error(file + ": " + place + " " + what + anatomy_remedy);
}

const Json& member(const Json& object, const char* key, const std::string& file, const std::string& place) {
  if (!object.is_object()) fail(file, place, "must be an object");
  const auto found = object.find(key);
  if (found == object.end()) fail(file, place, std::string("has no \"") + key + "\"");
  return *found;
}

std::string text_of(const Json& object, const char* key, const std::string& file, const std::string& place) {
  const Json& value = member(object, key, file, place);
  if (!value.is_string()) fail(file, place + "." + key, "must be a text");
  return value.get<std::string>();
}

// The tissue in words: "flesh", or `usual`, which is "skull" for bones, "rigid" for things and "sheet" for thin shells.
Tissue tissue_of(const Json& object, Tissue usual, const std::string& file, const std::string& place) {
  const std::string word = text_of(object, "tissue", file, place);
  std::string allowed;
  for (const Tissue tissue : tissues) {
    if (tissue != Tissue::flesh && tissue != usual) continue;
    if (word == name_of(tissue)) return tissue;
    allowed += (allowed.empty() ? "" : " or ") + std::string(name_of(tissue));
  }
  fail(file, place + ".tissue", "is '" + word + "', which is not " + allowed);
}

const Json& list(const Json& root, const char* key, const std::string& file) {
  const Json& value = member(root, key, file, "the file");
  if (!value.is_array()) fail(file, std::string("\"") + key + "\"", "must be a list");
  return value;
}

void read_accessories(const Json& list, const std::string& file,
                      std::vector<AnatomyOverrides::OfAccessory>& accessories) {
  for (const Json& accessory : list) {
    const std::string place = "accessories[" + std::to_string(accessories.size()) + "]";
    const Json& nodes = member(accessory, "nodes", file, place);
    if (!nodes.is_array() || nodes.empty() || !nodes[0].is_string())
      fail(file, place + ".nodes", "must be a list of names");
    const std::string word = text_of(accessory, "tissue", file, place);
    if (word != follows && word != stays)
      fail(file, place + ".tissue", "is '" + word + "', which is not " + follows + " or " + stays);
    accessories.push_back({nodes[0].get<std::string>(), word == follows});
  }
}

}  // namespace

const char* name_of(Tissue tissue) {
  switch (tissue) {
    case Tissue::flesh:
      return "flesh";
    case Tissue::skull:
      return "skull";
    case Tissue::rigid:
      return "rigid";
    case Tissue::shell:
      return "sheet";
  }
  return "";
}

std::string anatomy_json(const Character& character, const SimulationSurface& surface, const Anatomy& anatomy) {
  std::vector<char> carries(surface.bones.size(), 0);
  for (const Influences& influences : surface.influences)
    for (int k = 0; k < influences.count; ++k)
      carries[static_cast<std::size_t>(influences.joint[static_cast<std::size_t>(k)])] = 1;
  Json root = {{"kind", name_of(anatomy.body_plan.plan)},
               {"kind_because", anatomy.body_plan.because},
               {"bones", Json::array()},
               {"things", Json::array()},
               {"sheets", Json::array()},
               {"accessories", Json::array()}};
  for (std::size_t b = 0; b < anatomy.bones.size(); ++b) {
    if (!carries[b]) continue;
    Json bone = {{"bone", surface.bones[b].name}, {"tissue", name_of(anatomy.bones[b].tissue)}};
    if (!anatomy.bones[b].because.empty()) bone["because"] = anatomy.bones[b].because;
    root["bones"].push_back(bone);
  }
  for (const RigidPart& part : anatomy.rigid)
    root["things"].push_back({{"on", surface.bones[static_cast<std::size_t>(part.bone)].name},
                              {"vertices", part.vertices.size()},
                              {"tissue", name_of(Tissue::rigid)},
                              {"because", part.because}});
  for (const ThinShell& shell : anatomy.shells)
    root["sheets"].push_back({{"on", surface.bones[static_cast<std::size_t>(shell.bone)].name},
                              {"vertices", shell.vertices.size()},
                              {"tissue", name_of(Tissue::shell)},
                              {"thickness", shell.thickness},
                              {"length", shell.length},
                              {"because", shell.because}});
  for (const Accessory& accessory : find_accessories(character, surface)) {
    Json nodes = Json::array();
    for (const int node : accessory.nodes)
      nodes.push_back(character.skeleton.joints[static_cast<std::size_t>(node)].name);
    root["accessories"].push_back({{"on", surface.bones[static_cast<std::size_t>(accessory.bone)].name},
                                   {"nodes", nodes},
                                   {"tissue", follows},
                                   {"because", "hangs there without a skin"}});
  }
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

AnatomyOverrides anatomy_from_json(std::string_view text, const std::string& file) {
  const Json root = parse_strict_json(text, file, "correct the line");
  AnatomyOverrides anatomy;
  anatomy.file = file;
  for (const Json& bone : list(root, "bones", file)) {
    const std::string place = "bones[" + std::to_string(anatomy.bones.size()) + "]";
    anatomy.bones.push_back({text_of(bone, "bone", file, place), tissue_of(bone, Tissue::skull, file, place)});
  }
  const auto read = [&](const char* key, Tissue usual, std::vector<AnatomyOverrides::OfPart>& parts) {
    for (const Json& thing : list(root, key, file)) {
      const std::string place = std::string(key) + "[" + std::to_string(parts.size()) + "]";
      const Json& vertices = member(thing, "vertices", file, place);
      if (!vertices.is_number_unsigned()) fail(file, place + ".vertices", "must be a whole number");
      parts.push_back({vertices.get<std::size_t>(), tissue_of(thing, usual, file, place)});
    }
  };
  read("things", Tissue::rigid, anatomy.rigid_parts);
  if (root.contains("sheets")) read("sheets", Tissue::shell, anatomy.shells);  // older files have no such list
  if (root.contains("accessories"))
    read_accessories(list(root, "accessories", file), file, anatomy.accessories);  // as above
  return anatomy;
}

AnatomyOverrides read_anatomy(const std::filesystem::path& file) {
  return anatomy_from_json(read_text_file(file), file.string());
}

}  // namespace sinew
