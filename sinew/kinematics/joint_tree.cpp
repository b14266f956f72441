#include "sinew/kinematics/joint_tree.h"

#include <string>

#include "sinew/base/error.h"
#include "sinew/base/index.h"

namespace sinew {

Vec3 PlacedJoints::operator()(int joint, const Vec3& point) const {
  return place[index(joint)] + rotate(rotation[index(joint)], point);
}

void place_joints(const JointTree& tree, const TreePose& pose, PlacedJoints& placed) {
  placed.rotation.resize(tree.size());
  placed.place.resize(tree.size());
  for (std::size_t j = 0; j < tree.size(); ++j) {
    if (tree.parent[j] < 0) {
      placed.rotation[j] = pose.local[j];
      placed.place[j] = pose.root;
      continue;
    }
    const std::size_t parent = index(tree.parent[j]);
    placed.rotation[j] = normalized(placed.rotation[parent] * pose.local[j]);
    placed.place[j] = placed.place[parent] + rotate(placed.rotation[parent], tree.offset[j]);
  }
}

void check_tree(const JointTree& tree) {
  const std::size_t n = tree.size();
  const auto fits = [n](std::size_t length, bool may_be_empty) { return length == n || (may_be_empty && length == 0); };
  if (!fits(tree.offset.size(), false) || !fits(tree.limits.size(), true) || !fits(tree.mass.size(), true) ||
      tree.mass_centre.size() != tree.mass.size())
    throw usage_error("A tree of " + std::to_string(n) +
                      " joints needs as many offsets, and as many limits and masses, or none.");
  for (std::size_t j = 0; j < n; ++j)
    if (j == 0 ? tree.parent[j] != -1 : tree.parent[j] < 0 || index(tree.parent[j]) >= j)
      throw usage_error("Joint " + std::to_string(j) + " has the parent " + std::to_string(tree.parent[j]) +
                        "; the first joint has none, and the others one that comes before them.");
}

Vec3 centre_of_mass(const JointTree& tree, const PlacedJoints& placed) {
  double mass = 0;
  Vec3 sum;
  for (std::size_t j = 0; j < tree.mass.size(); ++j) {
    mass += tree.mass[j];
    sum += tree.mass[j] * placed(static_cast<int>(j), tree.mass_centre[j]);
  }
  return mass > 0 ? sum / mass : placed.place.empty() ? Vec3{} : placed.place[0];
}

Quat within_limits(const JointTree& tree, std::size_t joint, const Quat& local) {
  return tree.limits.empty() || !tree.limits[joint] ? local : within_limits(*tree.limits[joint], local);
}

}  // namespace sinew
