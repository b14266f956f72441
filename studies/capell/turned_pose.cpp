#include "studies/capell/turned_pose.h"

#include "sinew/linalg/rotation.h"

namespace sinew {

bool is_below(std::span<const Bone> bones, int bone, int ancestor) {
  for (; bone >= 0; bone = bones[static_cast<std::size_t>(bone)].parent)
    if (bone == ancestor) return true;
  return false;
}

std::vector<Affine> turned_pose(std::span<const Bone> bones, int turned, double radians) {
  const Mat3 turn = to_matrix(axis_angle({0, 1, 0}, radians));
  const Vec3 joint = bones[static_cast<std::size_t>(turned)].segments.front().head;
  std::vector<Affine> pose(bones.size());
  for (std::size_t b = 0; b < bones.size(); ++b)
    if (is_below(bones, static_cast<int>(b), turned)) pose[b] = {turn, joint - turn * joint};
  return pose;
}

}  // namespace sinew
