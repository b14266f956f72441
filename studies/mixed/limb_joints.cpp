#include "studies/mixed/limb_joints.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <numbers>

#include "sinew/base/error.h"
#include "sinew/base/glob.h"

namespace sinew {
namespace {

// The name in lower case, without a prefix up to a colon, with underscores as separators.
std::string plain(const std::string& name) {
  std::string result;
  const std::size_t colon = name.find_last_of(':');
  for (const char c : name.substr(colon == std::string::npos ? 0 : colon + 1)) {
    const auto letter = static_cast<unsigned char>(c);
    result += std::isalnum(letter) ? static_cast<char>(std::tolower(letter)) : '_';
  }
  return result;
}

// Left bones of common rigs: Unreal and Blender names, Mixamo and Biped names, and those of Khronos' samples.
constexpr std::array<std::array<const char*, 8>, 3> patterns{{
    {"thigh_l", "l_thigh", "leftupleg", "leftupperleg", "upleg_l", "upperleg_l", "b_leftleg01*", "leg_joint_l_1"},
    {"upper_arm_l", "upperarm_l", "l_upperarm", "leftarm", "leftupperarm", "arm_l", "b_leftforearm*",
     "*arm_joint_l__4_"},
    {"forearm_l", "lowerarm_l", "l_forearm", "leftforearm", "leftlowerarm", "lower_arm_l", "b_leftforearm01*",
     "*arm_joint_l__3_"},
}};

Vec3 direction_of(std::span<const Bone> bones, int bone) {
  const BoneSegment& segment = bones[static_cast<std::size_t>(bone)].segments.front();
  const Vec3 direction = normalized(segment.tail - segment.head);
  if (squared_norm(direction) == 0)
    throw input_error("the bone '" + bones[static_cast<std::size_t>(bone)].name +
                      "' has no length; give a character whose limbs have bones along them.");
  return direction;
}

// Forward direction: the left thigh is to the left of its parent, the hips, and forward is perpendicular to that and
// up. Without a thigh it is glTF's forward.
Vec3 forward_of(std::span<const Bone> bones, int left_hip) {
  const int hips = left_hip < 0 ? -1 : bones[static_cast<std::size_t>(left_hip)].parent;
  if (hips < 0) return {0, 0, 1};
  const Vec3 left = bones[static_cast<std::size_t>(left_hip)].segments.front().head -
                    bones[static_cast<std::size_t>(hips)].segments.front().head;
  const Vec3 forward = normalized(cross({left.x, 0, left.z}, {0, 1, 0}));
  return squared_norm(forward) > 0 ? forward : Vec3{0, 0, 1};
}

bool is_below(const Skeleton& skeleton, int joint, int ancestor) {
  for (; joint >= 0; joint = skeleton.joints[static_cast<std::size_t>(joint)].parent)
    if (joint == ancestor) return true;
  return false;
}

}  // namespace

std::string_view name_of(Limb limb) {
  return limb == Limb::hip ? "hip" : limb == Limb::shoulder ? "shoulder" : "elbow";
}

int find_limb(std::span<const Bone> bones, Limb limb) {
  for (const char* pattern : patterns[static_cast<std::size_t>(limb)])
    for (std::size_t b = 0; b < bones.size(); ++b)
      if (matches(pattern, plain(bones[b].name))) return static_cast<int>(b);
  return -1;
}

LimbTurn bend_of(std::span<const Bone> bones, int bone, Limb limb) {
  const Vec3 direction = direction_of(bones, bone);
  const Vec3 towards = limb == Limb::shoulder ? Vec3{0, 1, 0} : forward_of(bones, find_limb(bones, Limb::hip));
  const Vec3 axis = normalized(cross(direction, towards));
  if (squared_norm(axis) == 0)
    throw input_error("the bone '" + bones[static_cast<std::size_t>(bone)].name +
                      "' already points where it should be bent to; give a character that stands.");
  return {bone, axis, bones[static_cast<std::size_t>(bone)].segments.front().head, 0};
}

LimbTurn twist_of(std::span<const Bone> bones, int bone) {
  return {bone, direction_of(bones, bone), bones[static_cast<std::size_t>(bone)].segments.front().head, 0};
}

std::vector<Affine> turned_bones(const Skeleton& skeleton, std::span<const Bone> bones, std::span<const LimbTurn> turns,
                                 std::span<const int> joints) {
  if (turns.size() != joints.size()) throw usage_error("bones are turned at one joint for each turn.");
  // Bones nearer to the root come first, since they move the axes of the others.
  std::vector<std::size_t> order(turns.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return joints[a] != joints[b] && is_below(skeleton, joints[b], joints[a]);
  });
  std::vector<Affine> result(bones.size());
  for (const std::size_t k : order) {
    const LimbTurn& turn = turns[k];
    const Mat3 rotation = to_matrix(axis_angle(turn.axis, turn.degrees * std::numbers::pi / 180));
    const Affine map{rotation, turn.place - rotation * turn.place};
    for (std::size_t b = 0; b < bones.size(); ++b)
      if (is_below(skeleton, bones[b].joint, joints[k])) result[b] = result[b] * map;
  }
  return result;
}

}  // namespace sinew
