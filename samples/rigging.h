// Turns a sample into a rig whose flesh has controls of its own, without moving its surface: weights go only from a
// joint to joints below it that stand still.
#pragma once

#include <string>
#include <vector>

#include "glb_writer.h"

namespace sinew::samples {

// Takes away a joint that no clip moves: its parent gets its weights and children. Throws simulation_error where the
// joint is a root, animated, or not there.
void absorb_joint(Sample& sample, const std::string& name);

void rename_joint(Sample& sample, const std::string& name, const std::string& renamed);

// A joint that carries soft flesh. It takes weights from the joint that carries the flesh now: its parent, or else the
// first ancestor that is no flesh joint.
struct FleshJoint {
  std::string name, parent;
  Vec3 position;
  Vec3 centre, radii;   // of the ellipsoid out of which it takes weights, metres
  double strength = 0;  // height of its bump over the ellipsoid; alone it takes 1 - (1 - strength)^2 at the centre
};

// Collects flesh joints. Pairs are given on the left (+x) and mirrored; a parent that has sides is meant without its
// suffix.
class FleshJointList {
 public:
  explicit FleshJointList(const Skeleton& skeleton) : skeleton_(skeleton) {}
  void add(const FleshJoint& joint) { joints.push_back(joint); }
  void add_pair(const FleshJoint& left);

  std::vector<FleshJoint> joints;

 private:
  const Skeleton& skeleton_;
};

// Adds the joints, parents first, and gives them their weights: of a joint's weight, the flesh joints below it take
// 1 - max(0, 1 - sum of their bumps)^2, each in proportion to its bump. Throws simulation_error where a vertex would
// get more influences than fit.
void hang_flesh(Sample& sample, const std::vector<FleshJoint>& joints);

}  // namespace sinew::samples
