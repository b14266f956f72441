// Balls that fall: sphere colliders that are let go as a clip begins. They fly, bounce and roll as rigid spheres among
// the other colliders and on the ground, and flesh pushes them as they push it (contact/balls_in_contact.h).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sinew/deform/collider_settings.h"
#include "sinew/deform/environment.h"

namespace sinew {

// A ball at one time. World space.
struct BallState {
  Vec3 place, velocity;  // of its centre, metres and m/s
  Vec3 spin;             // angular velocity, rad/s

  bool operator==(const BallState&) const = default;
};

// What a ball is made of.
struct Ball {
  std::size_t setting = 0;  // index of its collider in the settings
  std::size_t capsule = 0;  // index among Colliders::capsules
  double radius = 0;        // metres
  double mass = 0;          // kilograms
  double restitution = 0;   // speed after a bounce on something rigid over the speed before, 0 to 1
  Vec3 start;               // in the default pose, metres, world
  std::string joint;        // its collider's
};

// Whether two balls are made alike and start at the same place. Where they stand among colliders may differ.
bool is_same_ball(const Ball& a, const Ball& b);

// The balls that fall among the colliders of these settings.
std::vector<Ball> falling_balls(std::span<const ColliderSettings> settings);

// What balls meet besides flesh.
struct BallSurroundings {
  const Environment& environment;  // its colliders, ground and friction; those of `balls` are left out
  Vec3 gravity;                    // m/s^2
  double step = 0;                 // seconds
};

// Moves one ball over a step: parabolas, exact bounces on ground and planes at rest, rolling where it rests on them.
void fly(const Ball& ball, const BallSurroundings& around, BallState& state);

class FallingBalls {
 public:
  FallingBalls() = default;
  explicit FallingBalls(std::span<const ColliderSettings> settings)
      : balls_(falling_balls(settings)), states_(balls_.size()), begun_(balls_.size(), 0) {}

  bool empty() const { return balls_.empty(); }
  std::span<const Ball> balls() const { return balls_; }
  std::span<const BallState> states() const { return states_; }
  bool has_begun(std::size_t ball) const { return begun_[ball] != 0; }  // true: its state is known

  // Lets colliders of an environment lead balls during a step, before they are let go: all, or those that have not
  // begun.
  void follow(const Environment& environment, double step, bool all = true);
  // Moves the balls over a step, without the flesh, and makes them colliders and falling balls of the environment.
  void fly(const Vec3& gravity, double step, Environment& environment);
  // Adds what the flesh did in that step; empty: nothing. Balls that it pushed into something else are moved out again.
  void take(std::span<const BallPush> pushes, const Environment& environment);

  // Goes on with those balls of earlier settings that are the same, whatever colliders were added or removed before
  // them; others begin anew. Of several that are alike each goes on as another one, in their order.
  void take_over(const FallingBalls& other);
  // The states as numbers, and back; throws forged_state() (deform/snapshot_numbers.h).
  std::vector<double> numbers() const;
  void load(std::span<const double> numbers);

 private:
  std::vector<Ball> balls_;
  std::vector<BallState> states_;  // per ball
  std::vector<char> begun_;        // per ball: whether its state is known
};

}  // namespace sinew
