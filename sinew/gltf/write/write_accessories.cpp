#include "sinew/gltf/write/write_accessories.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "sinew/anatomy/accessories.h"
#include "sinew/linalg/rotation.h"

namespace sinew {
namespace {

using Json = nlohmann::json;

// An accessory with its new node.
struct Carried {
  int node = -1;            // the node that shows the mesh
  int frame = -1;           // parent of the new node: the mesh node's parent, or the mesh node itself
  Vec3 middle;              // of the mesh, in the node's space
  std::size_t carrier = 0;  // JSON index of the new node
};

std::string free_node_name(const Json& nodes, const std::string& wanted) {
  std::set<std::string> taken;
  for (const Json& node : nodes) taken.insert(node.value("name", ""));
  std::string name = wanted;
  for (int number = 2; taken.contains(name); ++number) name = wanted + "_" + std::to_string(number);
  return name;
}

Vec3 middle_of(const Character& character, int node) {
  Vec3 low{HUGE_VAL, HUGE_VAL, HUGE_VAL}, high = -low;
  for (const Part& part : character.parts) {
    if (part.joint != node) continue;
    for (const Vec3& x : part.surface.positions) low = min(low, x), high = max(high, x);
  }
  return (low + high) * 0.5;
}

// Accessories of all recordings, parents first. An accessory on another accessory moves with that one.
std::vector<Carried> carried_meshes(const Character& character, std::span<const Recording> recordings) {
  std::set<int> nodes;
  for (const Recording& recording : recordings)
    for (const AccessoryRecording& accessory : recording.accessories)
      nodes.insert(accessory.nodes.begin(), accessory.nodes.end());
  const std::vector<char> with_joints = bears_joints(character);
  std::vector<Carried> result;
  for (const int node : nodes) {
    const auto parent_of = [&](int j) { return character.skeleton.joints[static_cast<std::size_t>(j)].parent; };
    int above = parent_of(node);
    while (above >= 0 && (!nodes.contains(above) || with_joints[static_cast<std::size_t>(above)]))
      above = parent_of(above);
    if (above >= 0) continue;
    const bool below = with_joints[static_cast<std::size_t>(node)];
    result.push_back({node, below ? node : parent_of(node), middle_of(character, node), 0});
  }
  return result;
}

std::size_t append_node(Json& nodes, const std::string& shown) {
  nodes.push_back(Json{{"name", free_node_name(nodes, (shown.empty() ? "accessory" : shown) + "_flesh")}});
  return nodes.size() - 1;
}

std::size_t carry(Json& nodes, const Carried& mesh) {
  const auto node = static_cast<std::size_t>(mesh.node), frame = static_cast<std::size_t>(mesh.frame);
  const std::size_t carrier = append_node(nodes, nodes[node].value("name", ""));
  if (mesh.frame == mesh.node) {
    nodes[carrier]["mesh"] = nodes[node]["mesh"];
    nodes[node].erase("mesh");
    array_of(nodes[node], "children").push_back(carrier);
    return carrier;
  }
  nodes[carrier]["children"] = Json::array({node});
  for (Json& child : nodes[frame]["children"])
    if (child == node) child = carrier;
  return carrier;
}

// Translation and rotation, in the space of a node whose world transform is `frame`, that best match `motion` around
// `middle`. Both are in file units, `middle` in the node's space. Exact if `frame` has neither shear nor different
// scales; otherwise exact for the middle, with the nearest rotation around it.
Transform local_motion(const Affine& motion, const Affine& frame, const Vec3& middle) {
  const Affine local = inverse(frame) * motion * frame;
  Transform result;
  const Mat3 turn = closest_rotation(local.linear);
  result.translation = local * middle - turn * middle;
  result.rotation = to_quaternion(turn);
  return result;
}

bool is_finite(const Transform& t) { return is_finite(t.translation) && std::isfinite(dot(t.rotation, t.rotation)); }

struct Keys {
  std::vector<float> translation, rotation;  // 3 and 4 numbers per key

  void add(const Transform& t) {
    for (std::size_t k = 0; k < 3; ++k) translation.push_back(static_cast<float>(t.translation[k]));
    for (const double q : {t.rotation.x, t.rotation.y, t.rotation.z, t.rotation.w})
      rotation.push_back(static_cast<float>(q));
  }
};

const AccessoryRecording* recorded(const Recording& recording, int node) {
  for (const AccessoryRecording& accessory : recording.accessories)
    if (std::binary_search(accessory.nodes.begin(), accessory.nodes.end(), node)) return &accessory;
  return nullptr;
}

// A collapsed frame shows nothing, so the previous key is repeated.
Keys keys_of(const Character& character, const Recording& recording, const AccessoryRecording& accessory,
             const Carried& mesh, std::span<const Pose> poses) {
  Keys keys;
  Transform before;
  for (std::size_t f = 0; f < recording.times.size(); ++f) {
    const Affine& world = poses[f].world[static_cast<std::size_t>(mesh.node)];
    const Affine& frame = poses[f].world[static_cast<std::size_t>(mesh.frame)];
    const Affine motion{accessory.motion[f].linear, accessory.motion[f].translation / character.metres_per_unit};
    Transform here = local_motion(motion, frame, inverse(frame) * (world * mesh.middle));
    if (!is_finite(here)) here = before;
    // Takes the shorter rotation from key to key.
    if (dot(here.rotation, before.rotation) < 0)
      here.rotation = {-here.rotation.x, -here.rotation.y, -here.rotation.z, -here.rotation.w};
    keys.add(here);
    before = here;
  }
  return keys;
}

void append_channel(GltfEdit& edit, Json& animation, std::size_t node, const char* path, std::size_t times,
                    const std::vector<float>& values) {
  const bool turns = std::string(path) == "rotation";
  const std::size_t output = edit.add_elements(std::as_bytes(std::span(values)), 5126, turns ? "VEC4" : "VEC3",
                                               values.size() / (turns ? 4 : 3));
  Json& samplers = array_of(animation, "samplers");
  samplers.push_back(Json{{"input", times}, {"output", output}, {"interpolation", "LINEAR"}});
  array_of(animation, "channels")
      .push_back(Json{{"sampler", samplers.size() - 1}, {"target", Json{{"node", node}, {"path", path}}}});
}

}  // namespace

void write_accessories(GltfEdit& edit, const Character& character, std::span<const Recording> recordings,
                       WeightsWriter& keys) {
  std::vector<Carried> meshes = carried_meshes(character, recordings);
  for (Carried& mesh : meshes) mesh.carrier = carry(edit.json()["nodes"], mesh);
  for (const Recording& recording : recordings) {
    if (recording.accessories.empty()) continue;
    const Clip* clip = recording.clip < 0 ? nullptr : &character.clips[static_cast<std::size_t>(recording.clip)];
    std::vector<Pose> poses;
    for (const double time : recording.times) poses.push_back(sample(character.skeleton, clip, time));
    for (const Carried& mesh : meshes) {
      const AccessoryRecording* accessory = recorded(recording, mesh.node);
      if (!accessory) continue;
      const Keys values = keys_of(character, recording, *accessory, mesh, poses);
      const std::size_t times = keys.times(recording.times);
      Json& animation = edit.json()["animations"][keys.animation_of(recording)];
      append_channel(edit, animation, mesh.carrier, "translation", times, values.translation);
      append_channel(edit, animation, mesh.carrier, "rotation", times, values.rotation);
    }
  }
}

}  // namespace sinew
