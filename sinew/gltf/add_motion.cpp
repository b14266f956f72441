#include "sinew/gltf/add_motion.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/character/choose_clip.h"
#include "sinew/gltf/accessor.h"
#include "sinew/gltf/animation_target.h"
#include "sinew/gltf/read/read_clips.h"
#include "sinew/gltf/read/read_json.h"
#include "sinew/gltf/read/read_skeleton.h"
#include "sinew/gltf/write/write_edit.h"

namespace sinew {
namespace {

using Json = nlohmann::json;

// A node's name in lower case, without the exporter's name space.
std::string plain_name(const std::string& name) {
  const std::size_t cut = name.find_last_of(":|");
  std::string plain = cut == std::string::npos || cut + 1 == name.size() ? name : name.substr(cut + 1);
  for (char& letter : plain)
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  return plain;
}

std::string node_name(const JsonView& node) { return node.require_object().string_or("name", ""); }

// Nodes of a document by name.
class NodeNames {
 public:
  explicit NodeNames(const JsonView& root) {
    const std::vector<JsonView> nodes = root.elements("nodes");
    for (const JsonView& skin : root.elements("skins"))
      for (const JsonView& joint : skin.require_object().elements("joints"))
        joints_.insert(joint.to_index(nodes.size(), "node"));
    for (std::size_t n = 0; n < nodes.size(); ++n)
      if (const std::string name = node_name(nodes[n]); !name.empty()) {
        exact_[name].push_back(n);
        plain_[plain_name(name)].push_back(n);
      }
  }

  // Empty if no node has the name, or several that cannot be told apart.
  std::optional<std::size_t> find(const std::string& name) const {
    if (const auto found = exact_.find(name); found != exact_.end()) return only_one(found->second);
    if (const auto found = plain_.find(plain_name(name)); found != plain_.end()) return only_one(found->second);
    return std::nullopt;
  }

 private:
  std::optional<std::size_t> only_one(const std::vector<std::size_t>& nodes) const {
    if (nodes.size() == 1) return nodes.front();
    std::vector<std::size_t> in_skin;
    std::copy_if(nodes.begin(), nodes.end(), std::back_inserter(in_skin),
                 [&](std::size_t node) { return joints_.contains(node); });
    if (in_skin.size() == 1) return in_skin.front();
    return std::nullopt;
  }

  std::map<std::string, std::vector<std::size_t>> exact_, plain_;
  std::set<std::size_t> joints_;
};

std::size_t morph_targets_of(const JsonView& root, std::size_t node) {
  const auto mesh = root.elements("nodes")[node].index("mesh", root.count("meshes"), "mesh");
  std::size_t most = 0;
  if (mesh)
    for (const JsonView& primitive : root.elements("meshes")[*mesh].elements("primitives"))
      most = std::max(most, primitive.require_object().count("targets"));
  return most;
}

// Copies accessors, each once, as floats.
class AccessorsCarried {
 public:
  AccessorsCarried(AccessorReader& from, GltfEdit& edit) : from_(from), edit_(edit) {}

  std::size_t carry(std::size_t accessor) {
    const auto [entry, is_new] = carried_.try_emplace(accessor, 0);
    if (!is_new) return entry->second;
    const AccessorValues read = from_.read(accessor);
    const std::vector<float> values(read.values.begin(), read.values.end());
    if (read.format.components() == 1) return entry->second = edit_.add_scalars(values, !values.empty());
    const std::string type = "VEC" + std::to_string(read.format.components());
    return entry->second = edit_.add_elements(std::as_bytes(std::span(values)), 5126, type, read.format.count);
  }

 private:
  AccessorReader& from_;
  GltfEdit& edit_;
  std::map<std::size_t, std::size_t> carried_;
};

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

class MotionJoiner {
 public:
  MotionJoiner(const JsonView& character, const JsonView& motion, AccessorReader& from, GltfEdit& edit)
      : character_(character), motion_(motion), names_(character), accessors_(from, edit) {}

  // Builds the animation for the character's file, without channels that find no node.
  Json join(const JsonView& animation, JoinedClip& clip) {
    Json joined{{"name", clip.name}, {"channels", Json::array()}, {"samplers", Json::array()}};
    const std::vector<JsonView> samplers = animation.elements("samplers");
    std::map<std::size_t, std::size_t> carried;
    std::set<std::pair<std::size_t, std::string>> driven;
    for (const JsonView& channel : animation.elements("channels")) {
      const auto target = target_of(channel, clip);
      const std::optional<std::string> pointer = target ? std::nullopt : pointer_of(channel, clip);
      if (!target && !pointer) continue;
      if (target && !driven.emplace(target->node, target->path).second) continue;
      const std::size_t from = channel.at("sampler").to_index(samplers.size(), "sampler");
      const auto [entry, is_new] = carried.try_emplace(from, joined["samplers"].size());
      if (is_new) joined["samplers"].push_back(carry(samplers[from]));
      joined["channels"].push_back(
          Json{{"sampler", entry->second},
               {"target", pointer ? pointer_target(*pointer) : Json{{"node", target->node}, {"path", target->path}}}});
      uses_pointers_ = uses_pointers_ || pointer;
      ++clip.channels;
    }
    return joined;
  }
  // Whether any channel that was built has a pointer.
  bool uses_pointers() const { return uses_pointers_; }
  // Nodes of the motion that move, each with the character's node.
  const std::set<std::pair<std::size_t, std::size_t>>& nodes() const { return nodes_; }

 private:
  std::optional<NodeTarget> target_of(const JsonView& channel, JoinedClip& clip) {
    auto target = node_target(channel.at("target").value());
    const std::vector<JsonView> nodes = motion_.elements("nodes");
    if (!target || target->node >= nodes.size()) return std::nullopt;
    const std::string name = node_name(nodes[target->node]);
    const std::optional<std::size_t> found = name.empty() ? std::nullopt : names_.find(name);
    if (!found) {
      add_once(clip.not_found, name.empty() ? "node " + std::to_string(target->node) : name);
      return std::nullopt;
    }
    if (target->path == "weights") {
      const std::size_t has = morph_targets_of(character_, *found);
      if (has == 0 || has != morph_targets_of(motion_, target->node)) {
        add_once(clip.no_shape, name);
        return std::nullopt;
      }
    }
    nodes_.emplace(target->node, *found);
    target->node = *found;
    return target;
  }

  // The pointer in the character's file.
  std::optional<std::string> pointer_of(const JsonView& channel, JoinedClip& clip) const {
    const Json& target = channel.at("target").value();
    const std::string* pointer = node_target(target) ? nullptr : animation_pointer(target);
    if (!pointer) return std::nullopt;
    const std::vector<JsonView> nodes = motion_.elements("nodes");
    if (const std::optional<CustomProperty> custom = custom_property(*pointer); custom && custom->node < nodes.size()) {
      const std::string name = node_name(nodes[custom->node]);
      const std::optional<std::size_t> found = name.empty() ? std::nullopt : names_.find(name);
      const std::string own = found ? "/nodes/" + std::to_string(*found) + custom->path : "";
      if (found && character_.value().contains(Json::json_pointer(own))) return own;
    }
    add_once(clip.no_number, *pointer);
    return std::nullopt;
  }

  Json carry(const JsonView& sampler) {
    const auto accessor = [&](const char* key) {
      return accessors_.carry(sampler.at(key).to_index(motion_.count("accessors"), "accessor"));
    };
    return Json{{"input", accessor("input")},
                {"output", accessor("output")},
                {"interpolation", sampler.string_or("interpolation", "LINEAR")}};
  }

  JsonView character_, motion_;
  NodeNames names_;
  AccessorsCarried accessors_;
  bool uses_pointers_ = false;
  std::set<std::pair<std::size_t, std::size_t>> nodes_;
};

std::string some_of(std::vector<std::string> names) {
  constexpr std::size_t most = 5;
  std::string text;
  for (std::size_t k = 0; k < std::min(most, names.size()); ++k) text += (k ? ", " : "") + names[k];
  return names.size() > most ? text + " and " + std::to_string(names.size() - most) + " more" : text;
}

// Error for motion that moves no node of the character.
Error foreign_motion(const GltfDocument& character, const GltfDocument& motion, const std::vector<JoinedClip>& clips) {
  std::vector<std::string> moved, nodes;
  for (const JoinedClip& clip : clips)
    for (const std::string& name : clip.not_found) add_once(moved, name);
  for (const JsonView& node : JsonView(character.path.string(), *character.json, "").elements("nodes"))
    if (const std::string name = node_name(node); !name.empty()) nodes.push_back(name);
  return input_error(motion.path.string() + ": none of its clips moves a node of " + character.path.string() +
                     "; it moves " + (moved.empty() ? "no node" : some_of(moved)) + ", the character has " +
                     (nodes.empty() ? "no names" : some_of(nodes)) +
                     "; name motion that was made for the same skeleton.");
}

void use_extension(Json& json, const char* name) {
  Json& used = array_of(json, "extensionsUsed");
  if (std::find(used.begin(), used.end(), name) == used.end()) used.push_back(name);
}

double rest_length(const JsonView& node) {
  const auto at = node.numbers("translation", 3);
  return at ? norm(Vec3{(*at)[0], (*at)[1], (*at)[2]}) : 0;
}

// Median over the nodes that both documents have and that are not at their parent's position.
double median_bone_ratio(const JsonView& character, const JsonView& motion) {
  const NodeNames names(character);
  const std::vector<JsonView> nodes = character.elements("nodes");
  std::vector<double> ratios;
  for (const JsonView& node : motion.elements("nodes")) {
    const auto found = names.find(node_name(node));
    if (!found) continue;
    const double theirs = rest_length(node), own = rest_length(nodes[*found]);
    if (theirs > 0 && own > 0) ratios.push_back(theirs / own);
  }
  if (ratios.empty()) return 1;
  std::nth_element(ratios.begin(), ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2), ratios.end());
  return ratios[ratios.size() / 2];
}

// Reports defects of the motion under the motion's own file name.
void check_animations(const JsonView& root, AccessorReader& reader) {
  std::vector<Defect> repairs;
  Skeleton skeleton = read_skeleton(root, repairs);
  read_clips(root, reader, skeleton, repairs);
}

// Skeletons of one rig have similar sizes; other ratios mean another unit.
constexpr double largest_bone_ratio = 2;

void check_sizes(const GltfDocument& character, const GltfDocument& motion, double ratio) {
  if (ratio <= largest_bone_ratio && ratio >= 1 / largest_bone_ratio) return;
  char text[32];
  std::snprintf(text, sizeof(text), "%.3g", ratio);
  throw input_error(motion.path.string() + ": its bones are " + text + " times as long as those of " +
                    character.path.string() +
                    ", and its keys would tear the character; export both at the same scale.");
}

}  // namespace

JoinedMotion add_motion(const GltfDocument& character, const GltfDocument& motion, const std::string& clip) {
  const std::string file = motion.path.string();
  const JsonView character_root(character.path.string(), *character.json, ""), motion_root(file, *motion.json, "");
  const std::vector<JsonView> animations = motion_root.elements("animations");
  if (animations.empty()) throw input_error(file + ": has no animation to take over; name a file with clips.");
  const std::vector<std::string> names = clip_names(animations);
  AccessorReader reader(motion);
  check_animations(motion_root, reader);

  JoinedMotion result;
  std::vector<std::size_t> wanted(animations.size());
  std::iota(wanted.begin(), wanted.end(), 0);
  if (!clip.empty()) wanted = {static_cast<std::size_t>(choose_clip(names, file, clip))};
  GltfEdit edit(character);
  MotionJoiner joiner(character_root, motion_root, reader, edit);
  result.first_clip = character_root.count("animations");
  std::vector<JoinedClip> foreign;
  for (const std::size_t a : wanted) {
    JoinedClip joined{names[a], 0, {}, {}, {}};
    Json animation = joiner.join(animations[a], joined);
    if (joined.channels == 0) {  // glTF requires at least one channel
      result.left_out.push_back(joined.name);
      foreign.push_back(std::move(joined));
      continue;
    }
    array_of(edit.json(), "animations").push_back(std::move(animation));
    result.clips.push_back(std::move(joined));
  }
  if (result.clips.empty()) throw foreign_motion(character, motion, foreign);
  if (joiner.uses_pointers()) use_extension(edit.json(), pointer_extension);
  result.nodes = joiner.nodes();
  result.bone_ratio = median_bone_ratio(character_root, motion_root);
  check_sizes(character, motion, result.bone_ratio);
  result.document = edited_document(edit);
  return result;
}

}  // namespace sinew
