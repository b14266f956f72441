#include "sinew/kinematics/body_bones.h"

#include <algorithm>
#include <optional>

#include "sinew/base/index.h"

namespace sinew {
namespace {

// The member of a body that a humanoid bone's name stands for; null if it is another.
int* single_bone(BodyBones& bones, std::string_view name) {
  if (name == "hips") return &bones.pelvis;
  if (name == "head") return &bones.head;
  const bool left = name.starts_with("left"), right = name.starts_with("right");
  if (!left && !right) return nullptr;
  const std::size_t side = left ? 0 : 1;
  name.remove_prefix(left ? 4 : 5);
  LimbBones &arm = bones.arms[side], &leg = bones.legs[side];
  if (name == "Shoulder") return &arm.base;
  if (name == "UpperArm") return &arm.upper;
  if (name == "LowerArm") return &arm.lower;
  if (name == "Hand") return &arm.end;
  if (name == "UpperLeg") return &leg.upper;
  if (name == "LowerLeg") return &leg.lower;
  if (name == "Foot") return &leg.end;
  if (name == "Toes") return &leg.tip;
  return nullptr;
}

// A phalanx of a finger: which hand, which finger, which link from the hand.
struct Phalanx {
  std::size_t side = 0, finger = 0, link = 0;
};
std::optional<Phalanx> phalanx_of(std::string_view name) {
  const bool left = name.starts_with("left"), right = name.starts_with("right");
  if (!left && !right) return {};
  name.remove_prefix(left ? 4 : 5);
  for (std::size_t finger = 0; finger < finger_names.size(); ++finger) {
    if (!name.starts_with(finger_names[finger])) continue;
    name.remove_prefix(finger_names[finger].size());
    // The thumb of VRM 1 begins with its metacarpal, that of VRM 0 with the proximal phalanx.
    const std::array<std::string_view, 4> links{"Metacarpal", "Proximal", "Intermediate", "Distal"};
    const auto link = std::find(links.begin(), links.end(), name);
    if (link == links.end()) return {};
    return Phalanx{left ? std::size_t{0} : std::size_t{1}, finger, static_cast<std::size_t>(link - links.begin())};
  }
  return {};
}

constexpr std::array<std::string_view, 3> spine_names{"spine", "chest", "upperChest"};

int depth_of(const Skeleton& skeleton, int joint) {
  int depth = 0;
  for (int at = joint; at >= 0; at = skeleton.joints[index(at)].parent) ++depth;
  return depth;
}

// Puts the named phalanges in the place of those that were found.
void set_fingers(const HumanoidMap& map, BodyBones& bones) {
  std::array<std::array<std::array<int, 4>, 5>, 2> links;
  for (auto& hand : links)
    for (auto& finger : hand) finger.fill(-1);
  for (const auto& [name, joint] : map)
    if (const auto at = phalanx_of(name)) links[at->side][at->finger][at->link] = joint;
  for (std::size_t side = 0; side < 2; ++side)
    for (std::size_t f = 0; f < finger_names.size(); ++f) {
      std::vector<int> chain;
      for (const int joint : links[side][f])
        if (joint >= 0) chain.push_back(joint);
      if (!chain.empty()) bones.fingers[side][f] = chain;
    }
}

}  // namespace

bool BodyBones::complete() const {
  return root >= 0 && pelvis >= 0 &&
         std::all_of(legs.begin(), legs.end(), [](const LimbBones& leg) { return leg.upper >= 0 && leg.lower >= 0; });
}

bool is_humanoid_bone(std::string_view name) {
  BodyBones bones;
  return single_bone(bones, name) != nullptr || phalanx_of(name) || name == "neck" ||
         std::find(spine_names.begin(), spine_names.end(), name) != spine_names.end() || name == "jaw" ||
         name == "leftEye" || name == "rightEye";
}

int common_ancestor(const Skeleton& skeleton, int a, int b) {
  if (a < 0 || b < 0) return -1;
  int deep = depth_of(skeleton, a), other = depth_of(skeleton, b);
  for (; deep > other; --deep) a = skeleton.joints[index(a)].parent;
  for (; other > deep; --other) b = skeleton.joints[index(b)].parent;
  while (a != b) {
    a = skeleton.joints[index(a)].parent;
    b = skeleton.joints[index(b)].parent;
  }
  return a;
}

bool descends_from(const Skeleton& skeleton, int below, int above) {
  while (below >= 0 && below != above) below = skeleton.joints[index(below)].parent;
  return below >= 0;
}

std::vector<int> path_down(const Skeleton& skeleton, int above, int below) {
  std::vector<int> path;
  for (; below >= 0 && below != above; below = skeleton.joints[index(below)].parent) path.push_back(below);
  if (below < 0) return {};
  std::reverse(path.begin(), path.end());
  return path;
}

void find_trunk(const Skeleton& skeleton, BodyBones& bones) {
  const int left = bones.legs[0].upper, right = bones.legs[1].upper;
  int carrier = common_ancestor(skeleton, left, right);
  if (carrier >= 0 && (carrier == left || carrier == right)) carrier = skeleton.joints[index(carrier)].parent;
  if (carrier >= 0) bones.pelvis = carrier;
  int chest = -1;
  const auto shoulder = [&](std::size_t side) {
    return bones.arms[side].base >= 0 ? bones.arms[side].base : bones.arms[side].upper;
  };
  if (shoulder(0) >= 0 && shoulder(1) >= 0) chest = common_ancestor(skeleton, shoulder(0), shoulder(1));
  const int top = bones.head >= 0 ? bones.head : chest;
  const int carries_all = common_ancestor(skeleton, bones.pelvis, top);
  bones.root = carries_all >= 0 ? carries_all : bones.pelvis;
  if (bones.head >= 0 && bones.root == bones.head) bones.root = bones.pelvis;
  const std::vector<int> path = path_down(skeleton, bones.root, top);
  bones.spine.clear();
  bones.neck.clear();
  // The chest is where the arms leave the way to the head; a chest beside it counts at their common joint.
  if (chest >= 0 && bones.head >= 0) chest = common_ancestor(skeleton, chest, bones.head);
  const auto at = std::find(path.begin(), path.end(), chest);
  if (at != path.end()) {
    bones.spine.assign(path.begin(), at + 1);
    bones.neck.assign(at + 1, path.end());
  } else if (chest == bones.root) {
    bones.neck = path;
  } else {
    bones.spine = path;
  }
  if (bones.head < 0) return;
  if (!bones.neck.empty() && bones.neck.back() == bones.head) bones.neck.pop_back();
  if (!bones.spine.empty() && bones.spine.back() == bones.head) bones.spine.pop_back();
}

BodyBones bones_of_humanoid(const Skeleton& skeleton, const HumanoidMap& map) {
  BodyBones bones;
  for (const auto& [name, joint] : map)
    if (int* bone = single_bone(bones, name)) *bone = joint;
  set_fingers(map, bones);
  find_trunk(skeleton, bones);
  bones.found_by = "humanoid map";
  return bones;
}

void correct_bones(const Skeleton& skeleton, const HumanoidMap& map, BodyBones& bones) {
  for (const auto& [name, joint] : map)
    if (int* bone = single_bone(bones, name)) *bone = joint;
  set_fingers(map, bones);
  find_trunk(skeleton, bones);
}

std::vector<int> joints_of(const BodyBones& bones) {
  std::vector<int> all;
  const auto add = [&](int joint) {
    if (joint >= 0 && std::find(all.begin(), all.end(), joint) == all.end()) all.push_back(joint);
  };
  add(bones.root);
  add(bones.pelvis);
  for (const int joint : bones.spine) add(joint);
  for (const int joint : bones.neck) add(joint);
  add(bones.head);
  for (const auto* limbs : {&bones.arms, &bones.legs})
    for (const LimbBones& limb : *limbs)
      for (const int joint : {limb.base, limb.upper, limb.lower, limb.end, limb.tip}) add(joint);
  for (const auto& hand : bones.fingers)
    for (const std::vector<int>& finger : hand)
      for (const int joint : finger) add(joint);
  for (const int joint : bones.tail) add(joint);
  return all;
}

}  // namespace sinew
