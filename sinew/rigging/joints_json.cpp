#include "sinew/rigging/joints_json.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/files/settings_fields.h"
#include "sinew/files/strict_json.h"

namespace sinew {
namespace {

constexpr Word<MirrorAxis> mirror_words[] = {{"none", MirrorAxis::none}, {"x", MirrorAxis::x}, {"z", MirrorAxis::z}};

PlacedJoint joint_from(SettingsFields& fields) {
  PlacedJoint joint;
  if (!fields.read("name", joint.name)) throw fields.wrong("name", "is missing; give the joint a name");
  fields.read("parent", joint.parent);
  if (!fields.take("position")) throw fields.wrong("position", "is missing; say where the joint is, in metres");
  fields.read("position", joint.position);
  return joint;
}

NamedWeights named_weights(const SettingsFields& fields, const SettingsJson& json) {
  NamedWeights weights;
  for (const auto& [joint, weight] : json.items()) {
    if (!weight.is_number() || !(weight.get<double>() > 0) || !std::isfinite(weight.get<double>()))
      throw fields.wrong("painted", "has a weight that is not a positive number");
    weights.emplace_back(joint, weight.get<double>());
  }
  return weights;
}

void read_painted(SettingsFields& fields, PaintedWeights& painted) {
  const SettingsJson* list = fields.take("painted");
  if (!list) return;
  for (const SettingsJson& each : *list) {
    if (!each.is_array() || each.size() != 2 || !each[0].is_number_unsigned() || each[0] > 1'000'000'000 ||
        !each[1].is_object() || each[1].empty())
      throw fields.wrong("painted", "must be a list of [vertex, {\"joint\": weight}]");
    painted[each[0].get<int>()] = named_weights(fields, each[1]);
  }
}

// A model is recognised by its extension, or by the first bytes of a binary glTF.
bool is_model(const std::filesystem::path& path, std::string_view text) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text.starts_with("glTF") || ending == ".gltf" || ending == ".glb" || ending == ".vrm" || ending == ".obj" ||
         ending == ".fbx";
}

}  // namespace

std::string joints_json(const JointsFile& file) {
  SettingsJson json{{"version", 1}};
  for (const Word<MirrorAxis>& known : mirror_words)
    if (known.value == file.mirror) json["mirror"] = known.word;
  json["joints"] = SettingsJson::array();
  for (const PlacedJoint& joint : file.joints) {
    SettingsJson item{{"name", joint.name}};
    if (!joint.parent.empty()) item["parent"] = joint.parent;
    item["position"] = three_numbers(joint.position);
    json["joints"].push_back(std::move(item));
  }
  for (const auto& [vertex, weights] : file.painted) {
    SettingsJson named = SettingsJson::object();
    for (const auto& [joint, weight] : weights) named[joint] = weight;
    json["painted"].push_back({vertex, std::move(named)});
  }
  return json.dump(2, ' ', false, SettingsJson::error_handler_t::replace) + "\n";
}

JointsFile joints_from_json(std::string_view text, const std::string& file) {
  const SettingsJson json = parse_strict_json(text, file, "correct the line");
  SettingsFields fields(json, file, "");
  fields.take("$schema");
  fields.take("comment");
  int version = 0;
  fields.read("version", version);
  if (version != 1) throw input_error(file + ": is no file of joints of this version of Sinew; \"version\" must be 1.");
  JointsFile result;
  if (const auto k = fields.word("mirror", words_of(mirror_words))) result.mirror = mirror_words[*k].value;
  fields.list("joints", [&](SettingsFields& item) { result.joints.push_back(joint_from(item)); });
  read_painted(fields, result.painted);
  fields.finish();
  check_joints(result.joints, file);
  return result;
}

JointsFile read_joints(const std::filesystem::path& path) {
  const std::string text = read_text_file(path);
  if (is_model(path, text))
    throw input_error(
        path.string() +
        ": is a model, and --joints takes a .json file with the names, parents and places of joints "
        "(docs/rigging.md); a character that has a skeleton needs none, `sinew animate` takes it as it is.");
  return joints_from_json(text, path.string());
}

MirrorAxis mirror_axis_from(const std::string& word) {
  for (const Word<MirrorAxis>& known : mirror_words)
    if (word == known.word) return known.value;
  throw usage_error("there is no mirror plane '" + word + "'; choose none, x or z.");
}

}  // namespace sinew
