#include "sinew/kinematics/built_in_motion.h"

#include <algorithm>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/kinematics/gesture_motion.h"

namespace sinew {

const Gesture& find_gesture(const std::string& name) {
  std::string all;
  for (const Gesture& gesture : all_gestures()) {
    if (gesture.name == name) return gesture;
    all += (all.empty() ? "" : ", ") + std::string(gesture.name);
  }
  throw usage_error("test:" + name + ": there is no built-in motion of this name; choose one of " + all + ".");
}

std::vector<int> gesture_bones(const BodyBones& bones) {
  BodyBones moved = bones;
  moved.fingers = {};
  moved.tail.clear();
  return joints_of(moved);
}

bool is_on_all_fours(const RiggedBody& body, const AnatomicalFrames& frames) {
  constexpr double near_ground = 0.3;  // of the leg
  return std::all_of(body.bones.arms.begin(), body.bones.arms.end(), [&](const LimbBones& arm) {
    const int hand = arm.end >= 0 ? arm.end : arm.marker;
    return arm.upper >= 0 && arm.lower >= 0 && hand >= 0 &&
           dot(body.reference.position[index(hand)], body.up) - frames.ground < near_ground * frames.leg_length;
  });
}

BoneMotion built_in_motion(const Gesture& gesture, const RiggedBody& body, const AnatomicalFrames& frames,
                           const BodyPoser& poser, double metres_per_unit) {
  const GestureBody how{9.81 / (metres_per_unit * frames.leg_length), is_on_all_fours(body, frames)};
  return gesture_motion([&](double time) { return gesture.pose(time, how); }, gesture.seconds(how), body, frames,
                        poser);
}

}  // namespace sinew
