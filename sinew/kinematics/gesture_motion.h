// Motion in the terms of a body (gestures.h) on a skeleton.
#pragma once

#include <functional>

#include "sinew/kinematics/gestures.h"
#include "sinew/kinematics/transfer_motion.h"

namespace sinew {

// The motion on a complete body, at 60 frames per second, with its feet placed by inverse kinematics. `pose_at`: by
// time, from 0 to `seconds`. `poser` is of the body, with gesture_bones().
BoneMotion gesture_motion(const std::function<GesturePose(double)>& pose_at, double seconds, const RiggedBody& body,
                          const AnatomicalFrames& frames, const BodyPoser& poser);

}  // namespace sinew
