#include "sinew/gltf/read/read_skeleton.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

namespace sinew {
namespace {

// Deeper chains are not characters, and recursive walks of viewers would overflow the stack.
constexpr int max_depth = 10'000;

// Vertices name joints of their skin by numbers of at most 16 bits (glTF 2.0 section 3.7.3.3).
constexpr std::size_t most_joints = 65'536;

// Cost of a skin's entry, from reading to binding, in accessor numbers.
constexpr std::size_t values_per_entry = 300;

// Tolerance for rounding in the last row of a matrix; anything larger is not an affine map.
bool has_affine_last_row(std::span<const double> m) {
  return std::fabs(m[3]) < 1e-3 && std::fabs(m[7]) < 1e-3 && std::fabs(m[11]) < 1e-3 && std::fabs(m[15] - 1) < 1e-3;
}

Affine affine_from_columns(std::span<const double> m) {
  return {Mat3::from_columns({m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}), {m[12], m[13], m[14]}};
}

// Translation, rotation and scale of a matrix without shear. A mirroring matrix gets a negative x scale.
Transform decompose(const Affine& a) {
  Transform t;
  t.translation = a.translation;
  t.scale = {norm(a.linear.column(0)), norm(a.linear.column(1)), norm(a.linear.column(2))};
  if (!(t.scale.x > 0 && t.scale.y > 0 && t.scale.z > 0)) return t;
  if (determinant(a.linear) < 0) t.scale.x = -t.scale.x;
  t.rotation = to_quaternion(Mat3::from_columns(a.linear.column(0) / t.scale.x, a.linear.column(1) / t.scale.y,
                                                a.linear.column(2) / t.scale.z));
  return t;
}

Joint read_joint(const JsonView& node, int number, std::vector<Defect>& repairs) {
  Joint joint;
  joint.name = node.require_object().string_or("name", "node " + std::to_string(number));
  if (const auto matrix = node.numbers("matrix", 16)) {
    if (!has_affine_last_row(*matrix))
      throw node.at("matrix").error("has a last row that is not 0 0 0 1; export the file again.");
    joint.rest_matrix = affine_from_columns(*matrix);
    joint.rest = decompose(*joint.rest_matrix);
    return joint;
  }
  if (const auto t = node.numbers("translation", 3)) joint.rest.translation = {(*t)[0], (*t)[1], (*t)[2]};
  if (const auto s = node.numbers("scale", 3)) joint.rest.scale = {(*s)[0], (*s)[1], (*s)[2]};
  if (const auto r = node.numbers("rotation", 4)) {
    const Quat q{(*r)[0], (*r)[1], (*r)[2], (*r)[3]};
    const double length = std::sqrt(dot(q, q));
    if (!std::isfinite(length)) throw node.error("has a rotation that is too large; export the file again.");
    joint.rest.rotation = normalized(q);
    if (std::fabs(length - 1) > 1e-3)
      repairs.push_back({"rotation not of unit length",
                         joint.name,
                         "joint",
                         {number},
                         "The quaternion is normalised (one of length zero counts as no rotation)."});
  }
  return joint;
}

void link_children(const std::vector<JsonView>& nodes, Skeleton& skeleton) {
  for (std::size_t i = 0; i < nodes.size(); ++i)
    for (const JsonView& child_view : nodes[i].elements("children")) {
      Joint& child = skeleton.joints[child_view.to_index(nodes.size(), "node")];
      if (child.parent >= 0)
        throw child_view.error("gives the node \"" + child.name + "\" a second parent; export the file again.");
      child.parent = static_cast<int>(i);
    }
}

// Walks breadth first, so that depth is known and nothing recurses. A node that is not reached from a root is on a
// cycle, since every node has at most one parent.
void order_parents_first(const JsonView& root, Skeleton& skeleton) {
  const std::size_t count = skeleton.joints.size();
  std::vector<std::vector<int>> children(count);
  std::vector<int> depth(count, 0);
  for (std::size_t i = 0; i < count; ++i) {
    const int parent = skeleton.joints[i].parent;
    if (parent < 0)
      skeleton.parents_first.push_back(static_cast<int>(i));
    else
      children[static_cast<std::size_t>(parent)].push_back(static_cast<int>(i));
  }
  for (std::size_t next = 0; next < skeleton.parents_first.size(); ++next) {
    const auto joint = static_cast<std::size_t>(skeleton.parents_first[next]);
    for (const int child : children[joint]) {
      depth[static_cast<std::size_t>(child)] = depth[joint] + 1;
      if (depth[joint] >= max_depth)
        throw root.error("has a chain of more than " + std::to_string(max_depth) +
                         " nodes; remove the nodes that carry nothing.");
      skeleton.parents_first.push_back(child);
    }
  }
  if (skeleton.parents_first.size() == count) return;
  std::vector<bool> reached(count, false);
  for (const int joint : skeleton.parents_first) reached[static_cast<std::size_t>(joint)] = true;
  const auto lost = static_cast<std::size_t>(std::find(reached.begin(), reached.end(), false) - reached.begin());
  throw root.error("has nodes that are their own ancestors, node " + std::to_string(lost) + " (\"" +
                   skeleton.joints[lost].name + "\") among them; export the file again.");
}

// The inverse bind matrices; identities if the skin has none. A zero matrix (an accessor without data) is accepted
// although it is singular.
std::vector<Affine> read_inverse_bind_matrices(const JsonView& skin, std::size_t joints, AccessorReader& accessors) {
  std::vector<Affine> matrices(joints);
  const auto accessor = skin.index("inverseBindMatrices", accessors.accessor_count(), "accessor");
  if (!accessor) return matrices;
  const AccessorValues read = accessors.read(*accessor);
  if (read.format.columns != 4 || read.format.type != ComponentType::f32)
    throw skin.error("has inverse bind matrices that are not 4x4 floats; export the file again.");
  if (read.format.count < joints)
    throw skin.error("has " + std::to_string(joints) + " joints, but " + std::to_string(read.format.count) +
                     " inverse bind matrices; export the file again.");
  for (std::size_t j = 0; j < joints; ++j) {
    const std::span<const double> m = read.element(j);
    const bool finite = std::all_of(m.begin(), m.end(), [](double value) { return std::isfinite(value); });
    const bool zero = std::all_of(m.begin(), m.end(), [](double value) { return value == 0; });
    if (!finite || (!zero && !has_affine_last_row(m)))
      throw skin.error("has an inverse bind matrix, of its joint " + std::to_string(j) + ", that " +
                       (finite ? "has a last row other than 0 0 0 1" : "holds a value that is not a number") +
                       "; bind the skin again.");
    matrices[j] = affine_from_columns(m);
  }
  return matrices;
}

}  // namespace

Skeleton read_skeleton(const JsonView& root, std::vector<Defect>& repairs) {
  const std::vector<JsonView> nodes = root.elements("nodes");
  Skeleton skeleton;
  skeleton.joints.reserve(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i)
    skeleton.joints.push_back(read_joint(nodes[i], static_cast<int>(i), repairs));
  link_children(nodes, skeleton);
  order_parents_first(root, skeleton);
  return skeleton;
}

namespace {

// Nodes of one scene with all their descendants.
std::vector<bool> nodes_of_scene(const JsonView& scene, const Skeleton& skeleton) {
  std::vector<bool> shown(skeleton.joints.size(), false);
  for (const JsonView& node : scene.elements("nodes")) shown[node.to_index(shown.size(), "node")] = true;
  for (const int joint : skeleton.parents_first) {
    const int parent = skeleton.joints[static_cast<std::size_t>(joint)].parent;
    if (parent >= 0 && shown[static_cast<std::size_t>(parent)]) shown[static_cast<std::size_t>(joint)] = true;
  }
  return shown;
}

bool shows_a_skin(const std::vector<JsonView>& nodes, const std::vector<bool>& shown) {
  for (std::size_t n = 0; n < nodes.size(); ++n)
    if (shown[n] && nodes[n].has("mesh") && nodes[n].has("skin")) return true;
  return false;
}

}  // namespace

ShownScene shown_scene(const JsonView& root, const Skeleton& skeleton) {
  constexpr std::size_t most_searched = 100;  // each costs a walk over all nodes
  const std::vector<JsonView> scenes = root.elements("scenes"), nodes = root.elements("nodes");
  const std::size_t first = root.index("scene", scenes.size(), "scene").value_or(0);
  if (scenes.empty()) return {0, std::vector<bool>(nodes.size(), true), false};
  for (const JsonView& scene : scenes)
    for (const JsonView& node : scene.require_object().elements("nodes")) node.to_index(nodes.size(), "node");
  std::vector<bool> shown = nodes_of_scene(scenes[first], skeleton);
  if (shows_a_skin(nodes, shown)) return {first, std::move(shown), false};
  for (std::size_t s = 0; s < std::min(scenes.size(), most_searched); ++s)
    if (std::vector<bool> other = nodes_of_scene(scenes[s], skeleton); shows_a_skin(nodes, other))
      return {s, std::move(other), true};
  return {first, std::move(shown), false};
}

std::vector<Skin> read_skins(const JsonView& root, AccessorReader& accessors) {
  const std::size_t node_count = root.count("nodes");
  std::vector<Skin> skins;
  for (const JsonView& view : root.elements("skins")) {
    Skin skin;
    skin.name = view.require_object().string_or("name", "skin " + std::to_string(skins.size()));
    view.at("joints");
    const std::size_t entries = view.count("joints");
    if (entries > most_joints)
      throw view.error("lists " + std::to_string(entries) + " joints, but vertices can name no more than " +
                       std::to_string(most_joints) + "; remove those that carry nothing.");
    accessors.spend(entries * values_per_entry);
    for (const JsonView& joint : view.elements("joints"))
      skin.joints.push_back(static_cast<int>(joint.to_index(node_count, "node")));
    if (skin.joints.empty()) throw view.error("has no joints; remove the skin or export the file again.");
    view.index("skeleton", node_count, "node");
    skin.inverse_bind = read_inverse_bind_matrices(view, skin.joints.size(), accessors);
    skins.push_back(std::move(skin));
  }
  return skins;
}

}  // namespace sinew
