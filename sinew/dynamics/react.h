// A character that follows a clip as a body of links, is pushed, hit and let go, and keeps its balance or falls.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/dynamics/balance.h"
#include "sinew/dynamics/character_links.h"
#include "sinew/dynamics/gait.h"
#include "sinew/dynamics/reference_motion.h"

namespace sinew {

// A push takes a tenth of a second.
inline constexpr double push_seconds = 0.1;

struct Push {
  double time = 0;  // seconds
  int link = 0;     // pushed at its mass centre
  Vec3 impulse;     // newton seconds, model space
};

// A ball that is thrown so that it would hit the link, were that to stay where it is, 0.3 s after `time`.
struct ThrownBall {
  double time = 0;  // seconds
  int link = 0;
  Vec3 velocity;    // with which it arrives, m/s
  double mass = 3;  // kilograms; its density is 500 kg/m^3
};
double radius_of(const ThrownBall& ball);  // metres

struct ReactOptions {
  double seconds = 3;
  double step = 1.0 / 500;        // seconds
  double frames_per_second = 60;  // of the result
  double strength = 1;            // of the joints (joint_drives.h)
  double support = 0.3;           // BalanceOptions::support
  bool has_ground = true;
  bool steps = true;  // legs step where that catches the body (stepping.h)
  // The body walks by itself from rest in the motion's first pose, which stands; nothing helps it from outside, and the
  // rest of the motion does not matter.
  std::optional<Gait> gait{};
  std::vector<Push> pushes;
  std::vector<ThrownBall> balls;
  bool ends_with_a_fall = false;  // nothing is simulated after it
  std::optional<double> limp;     // time at which the body lets go
};

struct Reaction {
  std::vector<double> times;  // seconds, from 0
  std::vector<TreePose> poses;
  std::vector<std::vector<Vec3>> balls;  // per frame, places of the balls; a ball that was not thrown yet is far away
  double most_lean = 0;                  // radians (Balance::lean)
  std::optional<double> fell;            // time at which it had fallen, without ReactOptions::limp
  double mean_help = 0, most_help = 0;   // force from outside, share of the weight
  int steps = 0;                         // that were not the motion's, or all of a gait
  double effort = 0;                     // mean square of all joints' torques, in (weight height)^2
  double missed = 0;                     // mean angle between joints and their targets while it stood, radians
};

// Same bits for any number of threads: one thread computes. Throws usage_error for times outside and links that do not
// exist, simulation_error where the engine fails.
Reaction react(const CharacterLinks& links, const ReferenceMotion& motion, const ReactOptions& options,
               const Progress& progress = {});

}  // namespace sinew
