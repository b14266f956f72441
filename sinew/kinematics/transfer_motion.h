// Carries motion from one skeleton to another: bones of the target point and turn in the world as the corresponding
// bones of the source do, the body's path is scaled by the length of the legs and stands on the target's ground
// (docs/motion.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sinew/kinematics/body_poser.h"

namespace sinew {

// A skeleton whose bones are known, in the pose that motion is measured from.
struct RiggedBody {
  const Skeleton* skeleton = nullptr;  // must outlive everything that is made of it
  BodyBones bones;
  ReferencePose reference;
  Vec3 up{0, 1, 0};      // up axis of the reference pose
  bool grounded = true;  // the reference pose stands on the motion's ground and faces its way; false for BVH
};

// The place of a motion's space in the target's.
struct MotionSpace {
  Quat to_target;          // rotation from the source's world to the target's
  double scale = 1;        // target units per source unit
  Vec3 offset;             // target position = scale * to_target * source position + offset
  double ground = 0;       // height that the source's feet stand on, along its up axis, source units
  Vec3 up;                 // up axis of the source's motion
  double turned = 0;       // degrees about the up axis by which the motion was turned to face as the target does
  bool moved = false;      // true if the motion was brought to where the target stands
  std::string sentence{};  // what was found and done about units, axes and rest poses, in one line
};

// The way of a foot of the source, for contacts, in the target's space.
struct FootPath {
  std::vector<Vec3> ankle, toe;                 // per frame; no toes: `toe` is empty
  double ankle_standing = 0, toe_standing = 0;  // heights of both above y = 0 where the foot stands flat
};

struct TransferredMotion {
  BoneMotion motion;
  MotionSpace space;
  std::array<FootPath, 2> feet;  // left, right
  // The first frame of a BVH was a rest pose before the motion. The motion's first time is that frame's all the same.
  bool dropped_first_frame = false;
};

// Times at which a clip is sampled to carry it over: its keys where they are dense, otherwise 30 per second.
std::vector<double> sampling_times(const Clip& clip);

// Whether the bones of both legs have a length: at least 1e-4 of the body's extent in its reference pose.
bool has_legs(const RiggedBody& body);

// Joints of the target that move, in the order of the motion's rotations: bones that both bodies have.
std::vector<int> driven_bones(const RiggedBody& source, const RiggedBody& target);

// Throws usage_error unless both bodies are complete and have legs. `poser` is of the target, with driven_bones().
TransferredMotion transfer_motion(const RiggedBody& source, const Clip& clip, const RiggedBody& target,
                                  const BodyPoser& poser);

}  // namespace sinew
