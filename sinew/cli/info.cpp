// sinew info FILE: what is in a character file.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "sinew/base/printable.h"
#include "sinew/character/size.h"
#include "sinew/cli/command_line.h"
#include "sinew/cli/size_options.h"
#include "sinew/cli/verbs.h"
#include "sinew/files/rig_file.h"
#include "sinew/gltf/animation_target.h"
#include "sinew/gltf/document.h"
#include "sinew/jobs/list_controls.h"
#include "sinew/jobs/open_character.h"

namespace sinew::cli {
namespace {

using Json = nlohmann::ordered_json;

struct InfoOptions {
  std::string file;
  bool json = false, controls = false;
  SizeOptions size;
};

std::string format_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

int most_influences(const Part& part) {
  int most = 0;
  for (const Influences& influences : part.influences) most = std::max(most, influences.count);
  return most;
}

Json describe_parts(const Character& character) {
  Json parts = Json::array();
  for (const Part& part : character.parts) {
    Json entry;
    entry["name"] = part.name;
    entry["node"] = character.skeleton.joints[static_cast<std::size_t>(part.joint)].name;
    entry["mesh"] = part.mesh;
    entry["primitive"] = part.primitive;
    entry["skin"] = part.skin >= 0 ? Json(part.skin) : Json();
    entry["vertices"] = part.surface.positions.size();
    entry["triangles"] = part.surface.triangles.size();
    entry["surface"] = part.triangles;
    entry["influences"] = most_influences(part);
    entry["targets"] = part.targets.size();
    entry["normals"] = !part.normals.empty();
    const std::vector<std::string> painted = names_of_painted(part.fields);
    entry["painted"] = !painted.empty();
    entry["fields"] = painted;
    parts.push_back(std::move(entry));
  }
  return parts;
}

Json describe_clips(const Character& character) {
  Json clips = Json::array();
  for (const Clip& clip : character.clips) {
    Json entry;
    entry["name"] = clip.name;
    entry["start"] = clip.start;
    entry["end"] = clip.end;
    entry["duration"] = clip.end - clip.start;
    entry["channels"] = clip.channels.size();
    clips.push_back(std::move(entry));
  }
  return clips;
}

// Names of the skins' joints (of all nodes if there is no skin), and what each clip has keys for.
Json describe_joints(const Character& character) {
  std::vector<bool> wanted(character.skeleton.joints.size(), character.skins.empty());
  for (const Skin& skin : character.skins)
    for (const int joint : skin.joints) wanted[static_cast<std::size_t>(joint)] = true;
  std::vector<Json> keys(wanted.size(), Json::object());
  for (const Clip& clip : character.clips)
    for (const Channel& channel : clip.channels)
      if (channel.joint >= 0) keys[static_cast<std::size_t>(channel.joint)][name_of(channel.path)].push_back(clip.name);
  Json joints = Json::array();
  for (std::size_t j = 0; j < wanted.size(); ++j) {
    if (!wanted[j]) continue;
    const int parent = character.skeleton.joints[j].parent;
    joints.push_back({{"node", j},
                      {"name", character.skeleton.joints[j].name},
                      {"parent", parent >= 0 ? Json(parent) : Json()},
                      {"keys", std::move(keys[j])}});
  }
  return joints;
}

// Numbers of the file that clips move by pointers, for the controls of force rigs.
Json describe_properties(const Character& character) {
  Json properties = Json::array();
  for (const Property& property : character.skeleton.properties)
    properties.push_back({{"pointer", property.pointer}, {"rest", property.rest}, {"keys", Json::array()}});
  for (const Clip& clip : character.clips)
    for (const PropertyChannel& channel : clip.properties)
      for (const int property : channel.properties)
        properties[static_cast<std::size_t>(property)]["keys"].push_back(clip.name);
  return properties;
}

Json describe(const Character& character, const SizeDecision& size) {
  Json info;
  info["file"] = character.file;
  info["metres_per_unit"] = size.metres_per_unit;
  info["height_in_units"] = size.height_in_units;
  info["size"] = size.sentence;
  info["nodes"] = character.skeleton.joints.size();
  info["node_names"] = Json::array();
  for (const Joint& joint : character.skeleton.joints) info["node_names"].push_back(joint.name);
  Json skins = Json::array();
  for (const Skin& skin : character.skins) {
    Json names = Json::array();  // for settings per joint
    for (const int joint : skin.joints)
      names.push_back(character.skeleton.joints[static_cast<std::size_t>(joint)].name);
    skins.push_back({{"name", skin.name}, {"joints", skin.joints.size()}, {"joint_names", std::move(names)}});
  }
  info["skins"] = std::move(skins);
  info["joints"] = describe_joints(character);
  info["parts"] = describe_parts(character);
  info["clips"] = describe_clips(character);
  info["properties"] = describe_properties(character);
  return info;
}

void describe_document(const GltfDocument& document, Json& info) {
  const nlohmann::json& root = *document.json;
  info["container"] = document.binary ? "GLB" : "JSON";
  info["generator"] = root["asset"].value("generator", nlohmann::json());
  info["extensions"] = root.value("extensionsUsed", nlohmann::json::array());
  info["materials"] = root.value("materials", nlohmann::json::array()).size();
  info["images"] = root.value("images", nlohmann::json::array()).size();
}

void print_part(std::size_t number, const Json& part) {
  std::cout << "  " << number << ": " << printable(part["name"].get<std::string>()) << ", " << part["vertices"]
            << " vertices, ";
  if (part["surface"])
    std::cout << part["triangles"] << " triangles";
  else
    std::cout << "points or lines";
  if (part["skin"].is_null())
    std::cout << ", no skin (moves with node \"" << printable(part["node"].get<std::string>()) << "\")";
  else
    std::cout << ", skin " << part["skin"] << ", up to " << part["influences"] << " influences";
  if (part["targets"] > 0) std::cout << ", " << part["targets"] << " morph targets";
  if (part["painted"]) std::cout << ", painted";
  std::cout << '\n';
}

// "rotation in all clips, translation in walk"
std::string key_words(const Json& keys, std::size_t clips) {
  std::string words;
  for (const auto& [path, names] : keys.items()) {
    words += (words.empty() ? "" : ", ") + path + " in ";
    if (names.size() == clips && clips > 1)
      words += "all clips";
    else
      for (std::size_t n = 0; n < names.size(); ++n)
        words += (n > 0 ? " and " : "") + printable(names[n].get<std::string>());
  }
  return words.empty() ? "no keys" : "keys of " + words;
}

// Clips, by the number that --clip takes.
void print_clip(std::size_t number, const Json& clip) {
  std::cout << "  #" << number << ' ' << printable(clip["name"].get<std::string>()) << ": "
            << format_number(clip["duration"]) << " s (" << format_number(clip["start"]) << " to "
            << format_number(clip["end"]) << "), " << clip["channels"] << " channels\n";
}

void print(const Json& info) {
  std::cout << printable(info["file"].get<std::string>()) << '\n' << info["size"].get<std::string>() << '\n';
  std::cout << "Nodes: " << info["nodes"] << '\n';
  std::cout << "Skins: " << info["skins"].size() << '\n';
  for (std::size_t s = 0; s < info["skins"].size(); ++s) {
    const Json& skin = info["skins"][s];
    std::cout << "  " << s << ": " << printable(skin["name"].get<std::string>()) << ", " << skin["joints"]
              << " joints\n";
  }
  std::cout << "Joints: " << info["joints"].size() << '\n';
  for (const Json& joint : info["joints"])
    std::cout << "  " << printable(joint["name"].get<std::string>()) << ": "
              << key_words(joint["keys"], info["clips"].size()) << '\n';
  std::cout << "Parts: " << info["parts"].size() << '\n';
  for (std::size_t p = 0; p < info["parts"].size(); ++p) print_part(p, info["parts"][p]);
  std::cout << "Clips: " << info["clips"].size() << '\n';
  for (std::size_t c = 0; c < info["clips"].size(); ++c) print_clip(c + 1, info["clips"][c]);
  if (!info["properties"].empty()) std::cout << "Numbers that clips move: " << info["properties"].size() << '\n';
  for (const Json& property : info["properties"])
    std::cout << "  " << printable(property["pointer"].get<std::string>()) << ": "
              << key_words({{"value", property["keys"]}}, info["clips"].size()) << '\n';
  if (std::none_of(info["parts"].begin(), info["parts"].end(),
                   [](const Json& part) { return part["surface"].get<bool>(); }) &&
      !info["clips"].empty())
    std::cout
        << "The file has no surface; `sinew animate CHARACTER --motion FILE` gives its clips to a character with any "
           "skeleton.\n";
  if (!info.contains("extensions") || info["extensions"].empty()) return;
  std::cout << "Extensions:";
  for (const Json& extension : info["extensions"]) std::cout << ' ' << printable(extension.get<std::string>());
  std::cout << '\n';
}

const char* name_of(RigUnit unit) {
  switch (unit) {
    case RigUnit::metres:
      return "metres";
    case RigUnit::radians:
      return "radians";
    case RigUnit::logarithm:
      return "logarithm";
    case RigUnit::weight:
      return "weight";
    case RigUnit::other:
      break;
  }
  return "";
}

Json describe(const ListedControl& control) {
  Json parameters = Json::array();
  for (const ListedParameter& listed : control.parameters) {
    const RigParameter& p = listed.parameter;
    parameters.push_back({{"name", p.name},
                          {"unit", name_of(p.unit)},
                          {"rest", p.rest},
                          {"range", {p.lower, p.upper}},
                          {"over_clips", {listed.least, listed.most}},
                          {"moved_in", listed.clips},
                          {"held_in", listed.held}});
  }
  return {{"name", control.name},
          {"node", control.node},
          {"moves", control.moves},
          {"auto", !control.hangs.empty()},
          {"because", control.hangs.empty() ? Json() : Json(control.hangs)},
          {"parameters", std::move(parameters)}};
}

// "rotation of up to 34 degrees in 3 clips": the largest range among parameters with the same unit.
std::string motion_words(const ListedControl& control, RigUnit unit, double metres_per_height) {
  double largest = 0;
  std::set<std::string> clips;
  for (const ListedParameter& listed : control.parameters) {
    if (listed.parameter.unit != unit) continue;
    largest = std::max({largest, listed.parameter.rest - listed.least, listed.most - listed.parameter.rest});
    clips.insert(listed.clips.begin(), listed.clips.end());
  }
  if (clips.empty()) return "";
  constexpr double degrees = 57.29577951308232;
  std::string words;
  switch (unit) {
    case RigUnit::metres:
      words = "shift up to " + format_number(100 * largest / metres_per_height) + " % of the height";
      break;
    case RigUnit::radians:
      words = "turn up to " + format_number(degrees * largest) + " degrees";
      break;
    case RigUnit::logarithm:
      words = "grow or shrink up to " + format_number(std::exp(largest)) + " times";
      break;
    default:
      words = "weigh up to " + format_number(largest);
      break;
  }
  return words + " in " +
         (clips.size() == 1 ? "'" + printable(*clips.begin()) + "'" : std::to_string(clips.size()) + " clips");
}

void print_controls(const std::vector<ListedControl>& controls, double height) {
  std::cout << "Controls: " << controls.size() << " (physics may move them with --method rigspace --free)\n";
  for (const ListedControl& control : controls) {
    std::string motion;
    for (const RigUnit unit : {RigUnit::metres, RigUnit::radians, RigUnit::logarithm, RigUnit::weight})
      if (const std::string words = motion_words(control, unit, height); !words.empty())
        motion += (motion.empty() ? "; keys " : ", ") + words;
    std::cout << "  " << printable(control.name) << ": moves " << format_number(100 * control.moves) << " % of the skin"
              << (motion.empty() ? "; no keys move it" : motion);
    if (!control.hangs.empty()) std::cout << "; auto: " << control.hangs;
    std::cout << '\n';
  }
}

void run_controls(const InfoOptions& options, const OpenedCharacter& opened) {
  const std::vector<ListedControl> controls = list_controls(opened.character);
  if (!options.json) return print_controls(controls, opened.size.metres_per_unit * opened.size.height_in_units);
  Json list = Json::array();
  for (const ListedControl& control : controls) list.push_back(describe(control));
  std::cout << Json{{"file", opened.character.file}, {"controls", std::move(list)}}.dump(2, ' ', false,
                                                                                         Json::error_handler_t::replace)
            << '\n';
}

void run_info(const InfoOptions& options) {
  const OpenedCharacter opened = open_any_character(options.file, options.size.asked());
  if (options.controls) return run_controls(options, opened);
  Json info = describe(opened.character, opened.size);
  if (opened.document) describe_document(*opened.document, info);
  if (options.json)
    std::cout << info.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
  else
    print(info);
}

}  // namespace

void add_info(CommandLine& line) {
  Verb& verb = line.add_verb("info", "FILE", "Print what is in a character file: size, joints, parts, clips");
  const auto options = std::make_shared<InfoOptions>();
  verb.options.add("FILE", options->file, "A .glb, .gltf, .vrm or .obj file").required();
  verb.options.add("--controls", options->controls,
                   "Print the controls that --free can name: what they move, and ranges and keys over the clips");
  verb.options.add("--json", options->json, "Print JSON");
  options->size.add_to(verb.options);
  verb.action = [options] { run_info(*options); };
}

}  // namespace sinew::cli
