// Human skeletons made by hand, alike in shape and different in everything else: names, joint axes, units, roots.
#pragma once

#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "sinew/kinematics/find_body_bones.h"
#include "sinew/kinematics/transfer_motion.h"

namespace sinew::test {

struct HumanJoint {
  const char* name;    // plain
  const char* parent;  // plain, "" for the root
  Vec3 place;          // metres, T pose, looking along +z
};

inline const std::vector<HumanJoint>& human_joints() {
  static const std::vector<HumanJoint> joints{{"hips", "", {0, 1.0, 0}},
                                              {"spine", "hips", {0, 1.12, 0.01}},
                                              {"spine1", "spine", {0, 1.25, 0}},
                                              {"spine2", "spine1", {0, 1.38, -0.01}},
                                              {"neck", "spine2", {0, 1.52, 0}},
                                              {"head", "neck", {0, 1.6, 0.02}},
                                              {"shoulderL", "spine2", {0.05, 1.46, 0}},
                                              {"upperArmL", "shoulderL", {0.18, 1.45, 0}},
                                              {"lowerArmL", "upperArmL", {0.46, 1.45, -0.01}},
                                              {"handL", "lowerArmL", {0.72, 1.45, 0}},
                                              {"indexL", "handL", {0.8, 1.45, 0.02}},
                                              {"indexL2", "indexL", {0.84, 1.44, 0.02}},
                                              {"shoulderR", "spine2", {-0.05, 1.46, 0}},
                                              {"upperArmR", "shoulderR", {-0.18, 1.45, 0}},
                                              {"lowerArmR", "upperArmR", {-0.46, 1.45, -0.01}},
                                              {"handR", "lowerArmR", {-0.72, 1.45, 0}},
                                              {"indexR", "handR", {-0.8, 1.45, 0.02}},
                                              {"indexR2", "indexR", {-0.84, 1.44, 0.02}},
                                              {"thighL", "hips", {0.1, 0.95, 0}},
                                              {"shinL", "thighL", {0.11, 0.52, 0.01}},
                                              {"footL", "shinL", {0.11, 0.09, -0.02}},
                                              {"toesL", "footL", {0.12, 0.02, 0.12}},
                                              {"thighR", "hips", {-0.1, 0.95, 0}},
                                              {"shinR", "thighR", {-0.11, 0.52, 0.01}},
                                              {"footR", "shinR", {-0.11, 0.09, -0.02}},
                                              {"toesR", "footR", {-0.12, 0.02, 0.12}}};
  return joints;
}

// Names of rigs that people use, and names that say nothing.
inline std::string rig_name(const std::string& plain, const std::string& rig) {
  if (rig == "plain") return plain;
  if (rig == "numbers") {
    for (std::size_t k = 0; k < human_joints().size(); ++k)
      if (plain == human_joints()[k].name) return "b" + std::to_string((7 * k) % 26);
    return "x";
  }
  static const std::map<std::string, std::string> mixamo{{"hips", "Hips"},
                                                         {"spine", "Spine"},
                                                         {"spine1", "Spine1"},
                                                         {"spine2", "Spine2"},
                                                         {"neck", "Neck"},
                                                         {"head", "Head"},
                                                         {"shoulderL", "LeftShoulder"},
                                                         {"upperArmL", "LeftArm"},
                                                         {"lowerArmL", "LeftForeArm"},
                                                         {"handL", "LeftHand"},
                                                         {"indexL", "LeftHandIndex1"},
                                                         {"indexL2", "LeftHandIndex2"},
                                                         {"shoulderR", "RightShoulder"},
                                                         {"upperArmR", "RightArm"},
                                                         {"lowerArmR", "RightForeArm"},
                                                         {"handR", "RightHand"},
                                                         {"indexR", "RightHandIndex1"},
                                                         {"indexR2", "RightHandIndex2"},
                                                         {"thighL", "LeftUpLeg"},
                                                         {"shinL", "LeftLeg"},
                                                         {"footL", "LeftFoot"},
                                                         {"toesL", "LeftToeBase"},
                                                         {"thighR", "RightUpLeg"},
                                                         {"shinR", "RightLeg"},
                                                         {"footR", "RightFoot"},
                                                         {"toesR", "RightToeBase"}};
  return "mixamorig:" + mixamo.at(plain);
}

struct HumanShape {
  std::string rig = "plain";
  double scale = 1;
  unsigned axes = 0;                   // seed of the joints' own axes; 0: all as the world's
  bool z_up_root = false;              // hangs on a root that turns z up to y up and scales by 1/100
  Vec3 shift{};                        // of the whole skeleton, metres
  std::map<std::string, Vec3> move{};  // further places by plain name, metres, before scaling
};

struct Human {
  Skeleton skeleton;
  std::map<std::string, int> joint;  // by plain name
  RiggedBody body() const {
    RiggedBody rigged;
    rigged.skeleton = &skeleton;
    rigged.reference = reference_pose(sample(skeleton, nullptr, 0).world);
    rigged.bones = find_body_bones(skeleton, rigged.reference.position, {0, 1, 0});
    return rigged;
  }
};

inline Quat random_turn(std::mt19937& random) {
  std::normal_distribution<double> normal;
  return normalized(Quat{normal(random), normal(random), normal(random), normal(random)});
}

inline Human make_human(const HumanShape& shape = {}) {
  Human human;
  std::vector<Affine> world;
  const auto add = [&](const std::string& name, int parent, const Affine& place) {
    Joint joint;
    joint.name = name;
    joint.parent = parent;
    const Affine local = parent < 0 ? place : inverse(world[static_cast<std::size_t>(parent)]) * place;
    const double scale = std::cbrt(determinant(local.linear));
    joint.rest.translation = local.translation;
    joint.rest.rotation = to_quaternion(local.linear * (1 / scale));
    joint.rest.scale = {scale, scale, scale};
    world.push_back(place);
    human.skeleton.joints.push_back(joint);
    human.skeleton.parents_first.push_back(static_cast<int>(world.size()) - 1);
    return static_cast<int>(world.size()) - 1;
  };
  int root = -1;
  double unit = 1;
  if (shape.z_up_root) {
    unit = 0.01;
    root = add("Armature", -1, {to_matrix(axis_angle({1, 0, 0}, -1.5707963267948966)) * unit, {}});
    root = add("world root", root, world.back());
  }
  std::mt19937 random(shape.axes);
  for (const HumanJoint& each : human_joints()) {
    const int parent = std::string(each.parent).empty() ? root : human.joint.at(each.parent);
    const auto moved = shape.move.find(each.name);
    const Vec3 place = (each.place + (moved == shape.move.end() ? Vec3{} : moved->second) + shape.shift) * shape.scale;
    const Mat3 axes = shape.axes == 0 ? Mat3::identity() : to_matrix(random_turn(random));
    human.joint[each.name] = add(rig_name(each.name, shape.rig), parent, {axes * unit, place});
  }
  return human;
}

// A clip in which every joint turns at random, smoothly, and the hips travel.
inline Clip lively_clip(const Human& human, std::size_t frames, unsigned seed = 1) {
  Clip clip;
  clip.name = "lively";
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> times;
  for (std::size_t f = 0; f < frames; ++f) times.push_back(static_cast<double>(f) / 30);
  clip.end = times.back();
  for (const auto& [name, joint] : human.joint) {
    const Joint& own = human.skeleton.joints[static_cast<std::size_t>(joint)];
    const Vec3 axis = normalized(Vec3{uniform(random), uniform(random), uniform(random)});
    const double speed = 2 + uniform(random), most = 0.4;
    Channel turn{joint, ChannelPath::rotation, Interpolation::linear, times, 4, {}};
    for (const double t : times) {
      const Quat q = normalized(own.rest.rotation * axis_angle(axis, most * std::sin(speed * t)));
      turn.values.insert(turn.values.end(), {q.x, q.y, q.z, q.w});
    }
    clip.channels.push_back(std::move(turn));
    if (name != "hips") continue;
    Channel move{joint, ChannelPath::translation, Interpolation::linear, times, 3, {}};
    const double size = norm(own.rest.translation);
    for (const double t : times) {
      const Vec3 p = own.rest.translation + Vec3{0.1 * t, 0.05 * std::sin(5 * t), 0.3 * t} * size;
      move.values.insert(move.values.end(), {p.x, p.y, p.z});
    }
    clip.channels.push_back(std::move(move));
  }
  return clip;
}

// A clip carried from one human to another.
inline Clip carried(const Human& from, const Clip& clip, const Human& to, TransferredMotion* details = nullptr) {
  const RiggedBody source = from.body(), target = to.body();
  const BodyPoser poser(to.skeleton, target.bones, target.reference, driven_bones(source, target));
  TransferredMotion moved = transfer_motion(source, clip, target, poser);
  Clip result = poser.clip(moved.motion, clip.name);
  if (details != nullptr) *details = std::move(moved);
  return result;
}

}  // namespace sinew::test
