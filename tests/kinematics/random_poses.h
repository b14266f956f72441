// Places, rotations and trees by chance, the same ones in every run.
#pragma once

#include <algorithm>
#include <random>
#include <vector>

#include "sinew/kinematics/joint_tree.h"

namespace sinew::test {

class RandomPoses {
 public:
  explicit RandomPoses(unsigned seed = 1) : generator_(seed) {}

  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(generator_); }
  Vec3 vector(double size = 1) { return {uniform(-size, size), uniform(-size, size), uniform(-size, size)}; }
  Vec3 direction() {
    for (;;)
      if (const Vec3 v = vector(); norm(v) > 0.1 && norm(v) < 1) return normalized(v);
  }
  Quat rotation() {
    std::normal_distribution<double> normal;
    return normalized(Quat{normal(generator_), normal(generator_), normal(generator_), normal(generator_)});
  }

  TreePose pose(const JointTree& tree) {
    TreePose pose{vector(), {}};
    for (std::size_t j = 0; j < tree.size(); ++j) pose.local.push_back(rotation());
    return pose;
  }

 private:
  std::mt19937 generator_;
};

// Joints one after the other along y; the last one is the end.
inline JointTree chain_tree(int bones, double length) {
  JointTree tree;
  for (int j = 0; j <= bones; ++j) {
    tree.parent.push_back(j - 1);
    tree.offset.push_back(j == 0 ? Vec3{} : Vec3{0, length, 0});
  }
  return tree;
}

inline TreePose straight_pose(const JointTree& tree) { return {{}, std::vector<Quat>(tree.size())}; }

// A trunk with two arms and two legs, 15 joints; metres and kilograms of a person.
inline JointTree body_tree() {
  JointTree tree;
  const auto add = [&tree](int parent, const Vec3& offset, double mass) {
    tree.parent.push_back(parent);
    tree.offset.push_back(offset);
    tree.mass.push_back(mass);
    tree.mass_centre.push_back({});
    return static_cast<int>(tree.size()) - 1;
  };
  const int hips = add(-1, {}, 15), spine = add(hips, {0, 0.25, 0}, 20), head = add(spine, {0, 0.35, 0}, 5);
  (void)head;
  for (const double side : {1.0, -1.0}) {
    const int shoulder = add(spine, {side * 0.2, 0.25, 0}, 3);
    const int elbow = add(shoulder, {side * 0.05, -0.3, 0.02}, 2);
    add(elbow, {0, -0.27, 0.03}, 1);
    const int hip = add(hips, {side * 0.1, -0.05, 0}, 8);
    const int knee = add(hip, {0, -0.42, 0.02}, 5);
    add(knee, {0, -0.41, -0.02}, 1);
  }
  return tree;
}
inline constexpr int body_hands[] = {5, 11}, body_feet[] = {8, 14};

}  // namespace sinew::test
