// Built-in motions on a skeleton: test motion for characters without a clip.
#pragma once

#include <string>

#include "sinew/kinematics/gestures.h"
#include "sinew/kinematics/transfer_motion.h"

namespace sinew {

// The gesture of this name. Throws usage_error that lists all if there is none.
const Gesture& find_gesture(const std::string& name);

// Joints that gestures move: all bones of the body but fingers and tail.
std::vector<int> gesture_bones(const BodyBones& bones);

// Whether the arms are front legs: the hands are as near to the ground as the feet at rest.
bool is_on_all_fours(const RiggedBody& body, const AnatomicalFrames& frames);

// The motion on a complete body, at 60 frames per second, with its feet placed by inverse kinematics. `poser` is of the
// body, with gesture_bones().
BoneMotion built_in_motion(const Gesture& gesture, const RiggedBody& body, const AnatomicalFrames& frames,
                           const BodyPoser& poser, double metres_per_unit);

}  // namespace sinew
