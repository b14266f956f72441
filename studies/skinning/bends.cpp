#include "studies/skinning/bends.h"

#include <array>
#include <cmath>
#include <numbers>

#include "sinew/anatomy/bone_names.h"
#include "sinew/base/error.h"
#include "sinew/base/glob.h"
#include "sinew/base/index.h"

namespace sinew {
namespace {

constexpr double least_own_bend = 0.087;  // sine, five degrees: limbs that are bent by less count as straight
constexpr std::array usual_degrees{45.0, 90.0, 135.0};
constexpr double fold_degrees = 150;
constexpr Vec3 front{0, 0, 1}, behind{0, 0, -1}, upwards{0, 1, 0}, downwards{0, -1, 0};

Vec3 head_of(const Bone& bone) { return bone.segments.front().head; }

// Zero for a bone without length.
Vec3 along_bone(const Bone& bone) { return normalized(bone.segments.front().tail - head_of(bone)); }

// The axis about which `direction` turns towards `towards`, or, where it already points there, to the front or up.
Vec3 axis_towards(const Vec3& direction, const Vec3& towards) {
  for (const Vec3& aim : {towards, front, upwards})
    if (const Vec3 axis = cross(direction, aim); norm(axis) > least_own_bend) return normalized(axis);
  return {};
}

std::string in_degrees(const std::string& what, double degrees) {
  return what + " " + std::to_string(static_cast<int>(degrees));
}

Bend bend_by(const std::string& name, LimbTurn turn, double degrees) {
  turn.degrees = degrees;
  return {in_degrees(name, degrees), {turn}};
}

void add_bends(const std::string& name, const LimbTurn& turn, std::vector<Bend>& bends) {
  for (const double degrees : usual_degrees) bends.push_back(bend_by(name, turn, degrees));
}

void add_twist(std::span<const Bone> bones, const std::string& name, int bone, std::vector<Bend>& bends) {
  bends.push_back(bend_by(name + " twist", twist_of(bones, bone), 180));
  bends.back().twist = true;
}

bool has_length(const Bone& bone) { return squared_norm(along_bone(bone)) > 0; }

// The left one, or else the first whose name says no side; -1: there is none.
int bone_of_part(std::span<const Bone> bones, std::string_view part) {
  int without_side = -1;
  for (std::size_t b = 0; b < bones.size(); ++b) {
    const BoneName name = bone_name(bones[b].name);
    if (name.part != part || bones[b].parent < 0 || !has_length(bones[b])) continue;
    if (name.side > 0) return static_cast<int>(b);
    if (name.side == 0 && without_side < 0) without_side = static_cast<int>(b);
  }
  return without_side;
}

// The bone below the knee. Mixamo calls it a leg.
int shin_of(std::span<const Bone> bones) {
  const int shin = bone_of_part(bones, "shin"), leg = bone_of_part(bones, "leg");
  if (shin >= 0 || leg < 0) return shin;
  return bone_name(bones[index(bones[index(leg)].parent)].name).part == "thigh" ? leg : -1;
}

// Bones of one finger from its root on: an index finger, or else one whose name says finger, below the hand.
std::vector<int> finger(std::span<const Bone> bones) {
  const int forearm = bone_of_part(bones, "forearm");
  for (const char* word : {"index", "finger"})
    for (std::size_t b = 0; b < bones.size(); ++b) {
      const auto is_of_finger = [&](int bone) {
        return bone >= 0 && bone_name(bones[index(bone)].name).part.find(word) != std::string::npos;
      };
      const auto first = static_cast<int>(b);
      if (!is_of_finger(first) || is_of_finger(bones[b].parent)) continue;
      int above_it = bones[b].parent;
      while (above_it >= 0 && above_it != forearm) above_it = bones[index(above_it)].parent;
      if (above_it < 0 || !has_length(bones[b])) continue;
      std::vector<int> chain{first};
      for (std::size_t c = 0; c < bones.size(); ++c)
        if (bones[c].parent == chain.back() && is_of_finger(static_cast<int>(c)) && has_length(bones[c])) {
          chain.push_back(static_cast<int>(c));
          c = 0;
        }
      return chain;
    }
  return {};
}

// All joints turn about one axis: that of the finger's own bend from its first bone to its last, or down.
Bend curl(std::span<const Bone> bones, const std::vector<int>& chain) {
  const Vec3 first = along_bone(bones[index(chain.front())]), last = along_bone(bones[index(chain.back())]);
  const Vec3 own = cross(first, last);
  const Vec3 axis = norm(own) > least_own_bend ? normalized(own) : axis_towards(first, downwards);
  Bend bend{in_degrees("finger", 90), {}};
  for (const int bone : chain) bend.turns.push_back({bone, axis, head_of(bones[index(bone)]), 90});
  return bend;
}

}  // namespace

LimbTurn further_bend(std::span<const Bone> bones, int bone, const Vec3& towards) {
  const Bone& turned = bones[index(bone)];
  const Vec3 direction = along_bone(turned), place = head_of(turned);
  if (squared_norm(direction) == 0)
    throw input_error("the bone '" + turned.name + "' has no length; give a joint of a limb that has bones along it.");
  Vec3 axis;
  if (turned.parent >= 0) axis = cross(normalized(place - head_of(bones[index(turned.parent)])), direction);
  return {bone, norm(axis) > least_own_bend ? normalized(axis) : axis_towards(direction, towards), place, 0};
}

std::vector<Bend> bends_of_joint(std::span<const Bone> bones, const std::string& pattern) {
  std::vector<Bend> bends;
  for (std::size_t b = 0; b < bones.size(); ++b) {
    if (!matches(pattern, bones[b].name)) continue;
    const auto bone = static_cast<int>(b);
    add_bends(bones[b].name, further_bend(bones, bone, front), bends);
    add_twist(bones, bones[b].name, bone, bends);
  }
  if (bends.empty())
    throw input_error("no joint of the skin is named '" + pattern + "'; give the name of one, or a pattern with *.");
  return bends;
}

std::vector<Bend> usual_bends(std::span<const Bone> bones) {
  std::vector<Bend> bends;
  if (const int forearm = bone_of_part(bones, "forearm"); forearm >= 0) {
    add_bends("elbow", further_bend(bones, forearm, front), bends);
    add_twist(bones, "forearm", forearm, bends);
  }
  if (const int shin = shin_of(bones); shin >= 0) add_bends("knee", further_bend(bones, shin, behind), bends);
  if (const int arm = bone_of_part(bones, "upperarm"); arm >= 0) {
    LimbTurn raise = twist_of(bones, arm);
    raise.axis = axis_towards(raise.axis, upwards);
    bends.push_back(bend_by("arm raised", raise, 90));
  }
  if (const std::vector<int> chain = finger(bones); !chain.empty()) bends.push_back(curl(bones, chain));
  if (bends.empty())
    throw input_error("no bone is named like a forearm, shin or upper arm; name a joint, as in FILE:JOINT.");
  return bends;
}

std::vector<Bend> usual_folds(std::span<const Bone> bones) {
  std::vector<Bend> folds;
  const auto add = [&](const std::string& name, int bone, const Vec3& towards) {
    if (bone >= 0) folds.push_back(bend_by(name, further_bend(bones, bone, towards), fold_degrees));
  };
  add("elbow", bone_of_part(bones, "forearm"), front);
  add("knee", shin_of(bones), behind);
  if (const int thigh = bone_of_part(bones, "thigh"); thigh >= 0) {
    LimbTurn raise = twist_of(bones, thigh);
    raise.axis = axis_towards(raise.axis, front);
    folds.push_back(bend_by("hip", raise, fold_degrees));
  }
  if (const int neck = bone_of_part(bones, "neck"); neck >= 0) {
    LimbTurn nod = twist_of(bones, neck);
    nod.axis = axis_towards(nod.axis, front);
    folds.push_back(bend_by("neck", nod, fold_degrees));
  }
  if (const std::vector<int> chain = finger(bones); !chain.empty())
    add("finger", chain.size() > 1 ? chain[1] : chain.front(), downwards);
  if (folds.empty())
    throw input_error("no bone is named like a forearm, shin, thigh or neck; name a joint, as in FILE:JOINT.");
  return folds;
}

std::vector<Bend> folds_of_joint(std::span<const Bone> bones, const std::string& pattern) {
  std::vector<Bend> folds;
  for (std::size_t b = 0; b < bones.size(); ++b)
    if (matches(pattern, bones[b].name))
      folds.push_back(bend_by(bones[b].name, further_bend(bones, static_cast<int>(b), front), fold_degrees));
  if (folds.empty())
    throw input_error("no joint of the skin is named '" + pattern + "'; give the name of one, or a pattern with *.");
  return folds;
}

std::vector<Affine> bent_bones(const Skeleton& skeleton, std::span<const Bone> bones, std::span<const Bone> bent,
                               const Bend& bend, double share) {
  std::vector<LimbTurn> turns = bend.turns;
  std::vector<int> joints;
  for (LimbTurn& turn : turns) {
    turn.degrees *= share;
    joints.push_back(bent[index(turn.bone)].joint);
  }
  return turned_bones(skeleton, bones, turns, joints);
}

}  // namespace sinew
