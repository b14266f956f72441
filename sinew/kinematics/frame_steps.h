// Measures the motion from frame to frame: a first frame that jumps is a rest pose that was left in the file, or a clip
// that was cut badly.
#pragma once

#include "sinew/kinematics/transfer_motion.h"

namespace sinew {

// Largest displacement of any bone's joint between two frames, relative to that of the hips, as a share of the leg's
// length.
struct FrameSteps {
  double first = 0;  // from the first frame to the second
  double usual = 0;  // median over the other pairs of frames
};

FrameSteps frame_steps(const RiggedBody& body, const BodyPoser& poser, const BoneMotion& motion, double leg_length);

}  // namespace sinew
