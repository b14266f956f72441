// Frames of a body's bones that mean the same in every skeleton: along the bone, and about it as the body would have
// turned it from a standard pose, arms to the sides and legs down. Two bones whose frames agree point the same way,
// whatever their joints' own axes, and whatever pose the skeleton was bound in.
#pragma once

#include <span>
#include <vector>

#include "sinew/kinematics/body_bones.h"

namespace sinew {

// A standing pose that motion is measured from, such as the bind pose.
struct ReferencePose {
  std::vector<Quat> rotation;  // per joint: joint to world
  std::vector<Vec3> position;  // per joint: world, file units
};

// The reference pose of world transforms; scale and reflection of their linear part are dropped.
ReferencePose reference_pose(std::span<const Affine> world);

struct AnatomicalFrames {
  // World directions of the body's left, up and forward in the reference pose, as columns.
  Mat3 axes;
  std::vector<Quat> frame;  // per joint: its anatomical frame in these axes; identity for trunk, feet and other joints
  Vec3 hip_centre;          // reference position of the middle between the thighs' joints
  double leg_length = 0;    // of thigh and shin, mean of both sides, file units
  // Heights of foot joints above the ground that the reference pose stands on, mean of both sides, file units.
  double ankle_height = 0, toe_height = 0;
  double ground = 0;  // height of that ground along the body's up axis: the lowest joint of the feet

  // Anatomical frame to the joint's own axes in the reference pose: R K is the frame's world rotation when the joint's
  // is R.
  std::vector<Quat> frame_to_joint;
};

// `up`: up axis of the reference pose, unit length. `bones` must be complete.
AnatomicalFrames anatomical_frames(const BodyBones& bones, const ReferencePose& reference, const Vec3& up);

// The coordinate axis that points up in the pose: from the feet to the middle between the thighs.
Vec3 up_axis(const BodyBones& bones, std::span<const Vec3> positions);

// The coordinate axis next to a direction, with its sign.
Vec3 nearest_axis(const Vec3& direction);

// Rotation closest to the linear part.
Quat orientation_of(const Affine& transform);

}  // namespace sinew
