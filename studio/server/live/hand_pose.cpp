#include "studio/server/live/hand_pose.h"

#include <cmath>

namespace sinew::studio {
namespace {

constexpr double posing_time = 0.04;                        // time constant, seconds
constexpr double arrived_angle = 1e-4, arrived_way = 1e-5;  // radians; metres

double angle_between(const Quat& a, const Quat& b) { return 2 * std::acos(std::fmin(1.0, std::fabs(dot(a, b)))); }

// Scale of a node with a matrix.
Vec3 lengths_of_columns(const Mat3& m) { return {norm(m.column(0)), norm(m.column(1)), norm(m.column(2))}; }

}  // namespace

const Pose& PosedCharacter::at(const Clip* clip, double clip_time, double seconds) {
  const Skeleton& skeleton = character_.skeleton;
  sample(skeleton, clip, clip_time, sampling_, pose_);
  const auto own_rotation = [&](int joint) { return sampling_.local[static_cast<std::size_t>(joint)].rotation; };
  const double share = 1 - std::exp(-seconds / posing_time);

  for (const auto& [joint, rotation] : wanted_.joints) shown_.joints.try_emplace(joint, own_rotation(joint));
  for (auto item = shown_.joints.begin(); item != shown_.joints.end();) {
    const auto wanted = wanted_.joints.find(item->first);
    const bool leaves = wanted == wanted_.joints.end();
    const Quat target = leaves ? own_rotation(item->first) : wanted->second;
    item->second = normalized(slerp(item->second, target, share));
    const bool there = angle_between(item->second, target) < arrived_angle;
    if (there) item->second = target;
    item = leaves && there ? shown_.joints.erase(item) : std::next(item);
  }
  shown_.carried += share * (wanted_.carried - shown_.carried);
  if (distance(shown_.carried, wanted_.carried) < arrived_way) shown_.carried = wanted_.carried;
  if (shown_.empty()) return pose_;

  const Vec3 way = shown_.carried / character_.metres_per_unit;
  for (const int index : skeleton.parents_first) {
    const auto j = static_cast<std::size_t>(index);
    const Joint& joint = skeleton.joints[j];
    const bool by_matrix = joint.rest_matrix && !sampling_.animated[j];
    Affine own = by_matrix ? *joint.rest_matrix : to_affine(sampling_.local[j]);
    if (const auto turned = shown_.joints.find(index); turned != shown_.joints.end()) {
      const Vec3 scale = by_matrix ? lengths_of_columns(own.linear) : sampling_.local[j].scale;
      own.linear = to_matrix(turned->second) * Mat3::diagonal(scale);
    }
    if (joint.parent < 0) own.translation += way;
    pose_.world[j] = joint.parent < 0 ? own : pose_.world[static_cast<std::size_t>(joint.parent)] * own;
  }
  return pose_;
}

}  // namespace sinew::studio
