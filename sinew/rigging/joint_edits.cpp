#include "sinew/rigging/joint_edits.h"

#include <algorithm>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/base/nearest_word.h"

namespace sinew {
namespace {

auto find_joint(const RigJoints& joints, const std::string& name) {
  return std::find_if(joints.begin(), joints.end(), [&](const PlacedJoint& joint) { return joint.name == name; });
}

std::size_t number_of(const RigJoints& joints, const std::string& name) {
  return static_cast<std::size_t>(&joint_named(joints, name) - joints.data());
}

void refuse_taken(const RigJoints& joints, const std::string& name) {
  if (name.empty()) throw usage_error("A joint needs a name.");
  if (find_joint(joints, name) != joints.end()) throw usage_error("There is a joint '" + name + "' already.");
}

void refuse_position(const Vec3& position) {
  if (!is_finite(position)) throw usage_error("A joint stands at three finite numbers, in metres.");
}

}  // namespace

std::string free_joint_name(const RigJoints& joints, const std::string& wanted) {
  if (wanted.empty() && joints.empty()) return "root";
  if (!wanted.empty() && find_joint(joints, wanted) == joints.end()) return wanted;
  const std::string stem = wanted.empty() ? "joint" : wanted;
  for (std::size_t k = 1;; ++k)
    if (std::string name = stem + " " + std::to_string(k); find_joint(joints, name) == joints.end()) return name;
}

const PlacedJoint& joint_named(const RigJoints& joints, const std::string& name) {
  if (const auto found = find_joint(joints, name); found != joints.end()) return *found;
  std::vector<std::string> names;
  for (const PlacedJoint& joint : joints) names.push_back(joint.name);
  const std::string nearest = nearest_word(name, names);
  throw usage_error("There is no joint '" + name + "'" + (nearest.empty() ? "." : ": did you mean '" + nearest + "'?"));
}

RigJoints with_joint(RigJoints joints, const PlacedJoint& added) {
  if (joints.size() >= most_placed_joints)
    throw usage_error("A rig has at most " + std::to_string(most_placed_joints) + " joints here; delete some.");
  refuse_taken(joints, added.name);
  refuse_position(added.position);
  if (!added.parent.empty()) joint_named(joints, added.parent);
  joints.push_back(added);
  return joints;
}

RigJoints with_joint_above(RigJoints joints, const std::string& child, PlacedJoint added) {
  const std::size_t k = number_of(joints, child);
  added.parent = joints[k].parent;
  joints = with_joint(std::move(joints), added);
  joints[k].parent = added.name;
  return joints;
}

RigJoints without_joint(RigJoints joints, const std::string& name) {
  const std::size_t k = number_of(joints, name);
  const std::string parent = joints[k].parent;
  for (PlacedJoint& joint : joints)
    if (joint.parent == name) joint.parent = parent;
  joints.erase(joints.begin() + static_cast<std::ptrdiff_t>(k));
  return joints;
}

RigJoints with_moved_joint(RigJoints joints, const std::string& name, const Vec3& position, const MirrorPlane& plane) {
  refuse_position(position);
  joints[number_of(joints, name)].position = position;
  const std::string partner = plane.axis == MirrorAxis::none ? "" : other_side(name).value_or("");
  for (PlacedJoint& joint : joints)
    if (joint.name == partner) joint.position = mirror_image(position, plane);
  return joints;
}

RigJoints with_bone(RigJoints joints, const std::string& parent, const std::string& child) {
  if (parent == child) throw usage_error("A bone leads from one joint to another.");
  const std::size_t from = number_of(joints, parent), to = number_of(joints, child);
  const std::vector<int> above = parents_of(joints);
  bool below = false;
  for (int j = static_cast<int>(from); j >= 0; j = above[index(j)]) below = below || index(j) == to;
  if (below) joints[from].parent = joints[to].parent;
  joints[to].parent = parent;
  return joints;
}

RigJoints with_renamed_joint(RigJoints joints, const std::string& name, const std::string& to) {
  const std::size_t k = number_of(joints, name);
  if (to == name) return joints;
  refuse_taken(joints, to);
  joints[k].name = to;
  for (PlacedJoint& joint : joints)
    if (joint.parent == name) joint.parent = to;
  return joints;
}

}  // namespace sinew
