#include "studio/server/project/project_parts.h"

#include "studio/server/cook/method_settings.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/character/fields.h"
#include "sinew/session/take_json.h"

namespace sinew::studio {

double finite_number(const PageJson& value, const StudioFile& file) {
  const double number = value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN();
  if (!std::isfinite(number)) throw file.damaged("has a value that is not a number");
  return number;
}

std::string text_of(const PageJson& object, const char* key, const StudioFile& file) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_string()) throw file.damaged(std::string("has no text '") + key + "'");
  return found->get<std::string>();
}

const PageJson& object_of(const PageJson& object, const char* key, const StudioFile& file) {
  static const PageJson none = PageJson::object();
  const auto found = object.find(key);
  if (found == object.end()) return none;
  if (!found->is_object()) throw file.damaged(std::string("has no object '") + key + "'");
  return *found;
}

const PageJson& list_of(const PageJson& object, const char* key, const StudioFile& file) {
  static const PageJson none = PageJson::array();
  const auto found = object.find(key);
  if (found == object.end()) return none;
  if (!found->is_array()) throw file.damaged(std::string("has no list '") + key + "'");
  return *found;
}

namespace {

PageJson quaternion_json(const Quat& q) { return {q.x, q.y, q.z, q.w}; }

Quat quaternion_from(const PageJson& json, const StudioFile& file) {
  if (!json.is_array() || json.size() != 4) throw file.damaged("has a joint rotation that is not four numbers");
  double q[4];
  for (std::size_t k = 0; k < 4; ++k) q[k] = finite_number(json[k], file);
  return {q[0], q[1], q[2], q[3]};
}

}  // namespace

PageJson pose_json(const HandPose& pose) {
  PageJson json{{"joints", PageJson::object()}};
  for (const auto& [joint, q] : pose.joints) json["joints"][std::to_string(joint)] = quaternion_json(q);
  json["carried"] = {pose.carried.x, pose.carried.y, pose.carried.z};
  return json;
}

HandPose pose_from_json(const PageJson& json, const StudioFile& file) {
  HandPose pose;
  for (const auto& [joint, rotation] : object_of(json, "joints", file).items()) {
    if (joint.empty() || joint.size() > 6 || joint.find_first_not_of("0123456789") != std::string::npos)
      throw file.damaged("has a rotation of a joint without a number");
    pose.joints[std::stoi(joint)] = quaternion_from(rotation, file);
  }
  if (json.contains("carried")) {
    if (!json["carried"].is_array() || json["carried"].size() != 3)
      throw file.damaged("has a displacement that is not three numbers");
    for (std::size_t k = 0; k < 3; ++k) pose.carried[k] = finite_number(json["carried"][k], file);
  }
  return pose;
}

PageJson kept_poses_json(const KeptPoses& poses) {
  PageJson json = PageJson::object();
  for (const auto& [name, joints] : poses) {
    json[name] = PageJson::object();
    for (const auto& [joint, q] : joints) json[name][joint] = quaternion_json(q);
  }
  return json;
}

KeptPoses kept_poses_from_json(const PageJson& json, const StudioFile& file) {
  KeptPoses poses;
  for (const auto& [name, joints] : json.items()) {
    if (!joints.is_object()) throw file.damaged("has a kept pose that is not an object");
    for (const auto& [joint, rotation] : joints.items()) poses[name][joint] = quaternion_from(rotation, file);
  }
  return poses;
}

PageJson take_part_json(const NamedTake& named) {
  const RecordedTake& take = named.take;
  PageJson json{{"name", named.name}, {"clip", take.clip}};
  if (take.begin != 0) json["begin"] = take.begin;
  json["seconds"] = take.seconds;
  json["actions"] = PageJson::parse(take_json(take.actions))["actions"];
  return json;
}

NamedTake take_part_from_json(const PageJson& json, const StudioFile& file) {
  if (!json.is_object() || !json.contains("actions") || !json.contains("seconds"))
    throw file.damaged("has a take that is not an object");
  const PageJson whole{{"take", 1}, {"actions", json["actions"]}};
  const double begin = json.contains("begin") ? finite_number(json["begin"], file) : 0;
  if (begin < 0) throw file.damaged("has a take that begins before its clip");
  return {text_of(json, "name", file),
          {text_of(json, "clip", file), finite_number(json["seconds"], file), take_from_json(whole.dump(), file.name),
           begin}};
}

void put_motions(const Project& project, PageJson& json) {
  if (!project.motions.empty()) json["motions"] = project.motions;
  if (!project.motion_map.empty()) json["motion_map"] = project.motion_map;
}

void take_motions(const PageJson& json, const StudioFile& file, Project& project) {
  const PageJson& motions = list_of(json, "motions", file);
  if (motions.size() > most_motions) throw file.damaged("has more motions than a project can have");
  for (const PageJson& motion : motions) {
    if (!motion.is_string()) throw file.damaged("has a motion that is not a text");
    project.motions.push_back(motion.get<std::string>());
  }
  if (json.contains("motion_map")) project.motion_map = text_of(json, "motion_map", file);
}

std::string settings_from_json(const PageJson& json, const StudioFile& file) {
  if (!json.is_object()) throw file.damaged("has settings that are not an object");
  return json.dump(2) + "\n";
}

void adopt_old_model(const PageJson& json, Project& project, const StudioFile& file) {
  if (!json.contains("model")) return;
  std::string& settings = project.settings["surface"];
  settings = with_model("surface", settings, text_of(json, "model", file));
}

void check_paint_channel(const std::string& channel, const StudioFile& file) {
  if (!is_scene_field(channel)) throw file.damaged("has paint for an unknown field");
}

std::vector<float> paint_from_text(const std::string& text, const StudioFile& file) {
  std::vector<float> values;
  try {
    values = floats_from_base64(text);
  } catch (const Error& error) {
    throw file.damaged("has paint that " + std::string(error.what()));
  }
  double lowest = 0;
  for (const PaintedField& field : painted_fields) lowest = std::min(lowest, lowest_value(field));
  for (const float value : values)
    if (value < lowest) throw file.damaged("has paint below what any field may have");
  return values;
}

}  // namespace sinew::studio
