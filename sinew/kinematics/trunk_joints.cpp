#include "sinew/kinematics/trunk_joints.h"

#include <algorithm>

#include "sinew/base/index.h"
#include "sinew/kinematics/body_bones.h"

namespace sinew {
namespace {

// A limb is at least this long, as a share of the distance of the farthest bone from the first one: shorter chains,
// such as fingers, do not make a trunk of the joint that they begin at.
constexpr double limb_length = 0.3;

// A limb's first bone is short, as a clavicle is, if its length is a smaller share of that of the next bone.
constexpr double short_bone = 0.7;
constexpr double shoulder_freedom = 0.2;

}  // namespace

std::vector<char> trunk_joints(const Skeleton& skeleton, std::span<const char> bone, const Pose& pose, int first) {
  const std::size_t n = skeleton.joints.size();
  const auto place = [&](int joint) { return pose.world[index(joint)].translation; };
  std::vector<double> extent(n);  // of the bones below each joint: the farthest from it
  std::vector<int> limbs(n);
  std::vector<char> trunk(n);
  double size = 0;
  for (std::size_t j = 0; j < n; ++j)
    if (bone[j] && descends_from(skeleton, static_cast<int>(j), first))
      size = std::max(size, distance(place(static_cast<int>(j)), place(first)));
  for (auto each = skeleton.parents_first.rbegin(); each != skeleton.parents_first.rend(); ++each) {
    const std::size_t j = index(*each);
    if (limbs[j] > 1) trunk[j] = 1;
    const int parent = skeleton.joints[j].parent;
    if (parent < 0) continue;
    const double from_parent = extent[j] + distance(place(*each), place(parent));
    extent[index(parent)] = std::max(extent[index(parent)], from_parent);
    if (from_parent > limb_length * size) ++limbs[index(parent)];
    if (trunk[j]) trunk[index(parent)] = 1;
  }
  return trunk;
}

std::vector<double> limb_freedom(const Skeleton& skeleton, const Pose& pose, std::span<const int> joints,
                                 std::span<const char> trunk, double trunk_freedom) {
  const auto parent = [&](int joint) { return skeleton.joints[index(joint)].parent; };
  const auto length = [&](int joint) {
    return distance(pose.world[index(joint)].translation, pose.world[index(parent(joint))].translation);
  };
  const auto child_of = [&](int joint) {
    return std::find_if(joints.begin() + 1, joints.end(), [&](int each) { return parent(each) == joint; });
  };
  std::vector<double> freedom;
  for (const int joint : joints) {
    freedom.push_back(trunk[index(joint)] ? trunk_freedom : 1);
    if (trunk[index(joint)] || joint == joints.front() || !trunk[index(parent(joint))]) continue;
    const auto next = child_of(joint);
    if (next == joints.end()) continue;
    const auto after = child_of(*next);
    if (after != joints.end() && length(*next) < short_bone * length(*after)) freedom.back() = shoulder_freedom;
  }
  return freedom;
}

}  // namespace sinew
