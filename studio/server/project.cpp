#include "studio/server/project.h"

#include <cmath>

#include "sinew/base/error.h"
#include "sinew/files/strict_json.h"
#include "sinew/files/take_json.h"
#include "studio/server/page_json.h"

namespace sinew {
namespace {

constexpr int version = 1;
constexpr std::size_t most_takes = 1000;

Error damaged(const std::string& file, const std::string& what) {
  return input_error(file + ": " + what + "; mend it, or move it away to begin a new project.");
}

double finite(const PageJson& value, const std::string& file) {
  const double number = value.is_number() ? value.get<double>() : NAN;
  if (!std::isfinite(number)) throw damaged(file, "has something else where a number should be");
  return number;
}

std::string text_of(const PageJson& object, const char* key, const std::string& file) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_string()) throw damaged(file, std::string("has no text '") + key + "'");
  return found->get<std::string>();
}

const PageJson& object_of(const PageJson& object, const char* key, const std::string& file) {
  static const PageJson none = PageJson::object();
  const auto found = object.find(key);
  if (found == object.end()) return none;
  if (!found->is_object()) throw damaged(file, std::string("has no object '") + key + "'");
  return *found;
}

HandPose pose_from(const PageJson& json, const std::string& file) {
  HandPose pose;
  for (const auto& [joint, rotation] : object_of(json, "joints", file).items()) {
    if (!rotation.is_array() || rotation.size() != 4 || joint.empty() || joint.size() > 6 ||
        joint.find_first_not_of("0123456789") != std::string::npos)
      throw damaged(file, "has a joint that is not turned by four numbers");
    double q[4];
    for (std::size_t k = 0; k < 4; ++k) q[k] = finite(rotation[k], file);
    pose.joints[std::stoi(joint)] = {q[0], q[1], q[2], q[3]};
  }
  if (json.contains("carried")) {
    if (!json["carried"].is_array() || json["carried"].size() != 3)
      throw damaged(file, "has no way of three numbers where it is carried");
    for (std::size_t k = 0; k < 3; ++k) pose.carried[k] = finite(json["carried"][k], file);
  }
  return pose;
}

}  // namespace

std::string project_json(const Project& project, const std::string& character) {
  PageJson json{{"sinew studio project", version}, {"character", character}, {"method", project.method}};
  if (!project.model.empty()) json["model"] = project.model;
  json["settings"] = PageJson::object();
  for (const auto& [method, settings] : project.settings) json["settings"][method] = PageJson::parse(settings);
  json["paint"] = PageJson::object();
  for (const auto& [channel, layer] : project.paint)
    json["paint"][channel] = PageJson{{"vertices", layer.size()}, {"values", base64(layer.values())}};
  json["pose"] = PageJson{{"joints", PageJson::object()}};
  for (const auto& [joint, q] : project.pose.joints)
    json["pose"]["joints"][std::to_string(joint)] = {q.x, q.y, q.z, q.w};
  const Vec3& carried = project.pose.carried;
  json["pose"]["carried"] = {carried.x, carried.y, carried.z};
  json["takes"] = PageJson::array();
  for (const auto& take : project.takes)
    json["takes"].push_back({{"name", take->name},
                             {"clip", take->take.clip},
                             {"seconds", take->take.seconds},
                             {"actions", PageJson::parse(take_json(take->take.actions))["actions"]}});
  return json.dump(1, '\t', false, PageJson::error_handler_t::replace) + "\n";
}

Project project_from_json(std::string_view text, const std::string& file) {
  const PageJson json = parse_strict_json(text, file, "mend it, or move it away to begin a new project");
  if (!json.is_object() || !json.contains("sinew studio project"))
    throw damaged(file, "is no project of Sinew's studio");
  if (json["sinew studio project"] != version) throw damaged(file, "was written by another version of Sinew");
  Project project;
  project.method = text_of(json, "method", file);
  if (json.contains("model")) project.model = text_of(json, "model", file);
  for (const auto& [method, settings] : object_of(json, "settings", file).items())
    project.settings[method] = settings.dump(2) + "\n";
  for (const auto& [channel, layer] : object_of(json, "paint", file).items()) {
    if (channel != "stiffness" && channel != "damping" && channel != "rigid")
      throw damaged(file, "paints something that is not known");
    std::vector<float> values;
    try {
      values = floats_from_base64(text_of(layer, "values", file));
    } catch (const Error& error) {
      throw damaged(file, "has paint that " + std::string(error.what()));
    }
    for (const float value : values)
      if (value < 0) throw damaged(file, "has paint below zero");
    project.paint[channel] = PaintLayer(values);
  }
  project.pose = pose_from(object_of(json, "pose", file), file);
  if (json.contains("takes")) {
    if (!json["takes"].is_array() || json["takes"].size() > most_takes) throw damaged(file, "has no list of takes");
    for (const PageJson& take : json["takes"]) {
      if (!take.is_object() || !take.contains("actions") || !take.contains("seconds"))
        throw damaged(file, "has a take that is none");
      const PageJson whole{{"take", 1}, {"actions", take["actions"]}};
      project.takes.push_back(std::make_shared<const NamedTake>(
          NamedTake{text_of(take, "name", file),
                    {text_of(take, "clip", file), finite(take["seconds"], file), take_from_json(whole.dump(), file)}}));
    }
  }
  return project;
}

}  // namespace sinew
