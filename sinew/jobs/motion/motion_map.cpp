#include "sinew/jobs/motion/motion_map.h"

#include <algorithm>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/nearest_word.h"
#include "sinew/files/strict_json.h"

namespace sinew {
namespace {

NamedBones named_bones(const nlohmann::ordered_json& object, const std::string& file, const std::string& key) {
  if (!object.is_object())
    throw input_error(file + ": \"" + key + "\" must be an object of bones, such as {\"leftUpperLeg\": \"Thigh_L\"}.");
  NamedBones bones;
  for (const auto& [bone, joint] : object.items()) {
    if (!is_humanoid_bone(bone))
      throw input_error(file + ": \"" + key + "\" names \"" + bone +
                        "\", which is no humanoid bone of VRM; write one such as leftUpperLeg.");
    if (!joint.is_string())
      throw input_error(file + ": \"" + key + "\" gives " + bone + " no name of a joint; write it in quotes.");
    bones.emplace_back(bone, joint.get<std::string>());
  }
  return bones;
}

}  // namespace

MotionMap parse_motion_map(std::string_view text, const std::string& file) {
  const nlohmann::ordered_json json = parse_strict_json(text, file, "correct the line");
  if (!json.is_object())
    throw input_error(file + ": must be an object with \"character\" and \"motion\"; write {\"character\": {}}.");
  MotionMap map;
  map.file = file;
  for (const auto& [key, value] : json.items()) {
    if (key == "character")
      map.character = named_bones(value, file, key);
    else if (key == "motion")
      map.motion = named_bones(value, file, key);
    else if (key != "$schema" && key != "comment")
      throw input_error(file + ": \"" + key + "\" is not known; name bones of \"character\" or of \"motion\".");
  }
  return map;
}

MotionMap read_motion_map(const std::filesystem::path& path) {
  return parse_motion_map(read_text_file(path), path.string());
}

HumanoidMap joints_of(const NamedBones& bones, const Skeleton& skeleton, const MotionMap& map,
                      const std::string& skeleton_file) {
  HumanoidMap joints;
  for (const auto& [bone, name] : bones) {
    const auto has_name = [&name = name](const Joint& joint) { return joint.name == name; };
    const auto found = std::find_if(skeleton.joints.begin(), skeleton.joints.end(), has_name);
    if (found == skeleton.joints.end()) {
      std::vector<std::string> names;
      for (const Joint& joint : skeleton.joints) names.push_back(joint.name);
      const std::string near = nearest_word(name, names);
      throw input_error(map.file + ": " + bone + " is \"" + name + "\", but " + skeleton_file + " has no such joint; " +
                        (near.empty() ? "name one of its joints." : "did you mean \"" + near + "\"?"));
    }
    if (std::count_if(skeleton.joints.begin(), skeleton.joints.end(), has_name) > 1)
      throw input_error(map.file + ": " + bone + " is \"" + name + "\", but " + skeleton_file +
                        " has several joints of that name; rename one in the file.");
    joints.emplace_back(bone, static_cast<int>(found - skeleton.joints.begin()));
  }
  return joints;
}

}  // namespace sinew
