// Built-in motions as curves in the terms of a body: how far it crouches, leans and turns, what its arms do, where its
// feet stand. They suit any body; gesture_motion.h puts them on a skeleton.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "sinew/linalg/small.h"

namespace sinew {

// Lengths are shares of the leg's length, along the body's left, up and forward; angles are degrees.
struct GesturePose {
  Vec3 hips;                             // from where they stand
  double pitch = 0, yaw = 0, roll = 0;   // of the pelvis: leans forward, turns to the left, leans to the left
  double bend = 0, twist = 0, lean = 0;  // of the chest against the pelvis, likewise
  double nod = 0, look = 0;              // of the head against the chest: down, to the left
  struct Arm {
    double down = 78;  // below the horizontal
    double swing = 0;  // forward
    double elbow = 12;
  };
  std::array<Arm, 2> arms;  // left, right
  struct Foot {
    Vec3 shift;        // of the ball from where it stands, turned with `yaw`
    double pitch = 0;  // toes down; the foot rolls about its ball
    double yaw = 0;    // about the place where the body stands, to the left
  };
  std::array<Foot, 4> feet;  // left and right; of a body on four legs also the front left and front right one
};

// The properties of a body that gestures depend on.
struct GestureBody {
  double gravity = 11.5;  // legs per second squared: 9.81 m/s^2 divided by the length of the leg
  bool on_all_fours = false;
};

struct Gesture {
  std::string_view name, summary;
  double (*seconds)(const GestureBody& body);
  GesturePose (*pose)(double time, const GestureBody& body);
};

// jump, shake, turn, nod, stomp, twist and fall.
std::span<const Gesture> all_gestures();

// Flight of the jump, for its test: begin and end in seconds, and the height over the take-off in shares of the leg.
struct Flight {
  double begin = 0, end = 0, height = 0;
};
Flight flight_of_jump(const GestureBody& body);

}  // namespace sinew
