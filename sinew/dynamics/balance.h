// Keeps a body of links upright over its feet, notices that it falls, and lets it.
//
// Joint drives alone hold a pose, not a place: whoever walks or is pushed needs to be led back over the feet. What
// leads here is a weak force and torque on the first link that no muscle makes, at most `support` of the weight. They
// pull towards the motion's upright pose and velocity, not towards its place: a body that was pushed away goes on from
// where it is. Where the body leans farther than it could catch itself, they fade, and it falls.
#pragma once

#include <optional>

#include "sinew/dynamics/articulated_body.h"
#include "sinew/dynamics/character_links.h"
#include "sinew/dynamics/reference_motion.h"
#include "sinew/dynamics/stepping.h"

namespace sinew {

struct BalanceOptions {
  // Largest force from outside, share of the weight; 0: the body stands by its own feet or falls.
  double support = 0.3;
  double ground = 0;  // height, metres
};

struct BalanceHelp {
  Vec3 force;   // on the first link's mass centre, model space, newtons
  Vec3 torque;  // on the first link, model space, newton metres
};

class Balance {
 public:
  Balance(const CharacterLinks& links, const BalanceOptions& options);

  // Takes notice of the state at the beginning of a step of `step` seconds, and finds the help.
  BalanceHelp help(const ReferenceState& reference, const BodyState& state, double step);

  // No more help, and the body counts as limp.
  void let_go() { fallen_ = true; }
  bool fallen() const { return fallen_; }
  // The error that was found in the last step; zero without feet.
  const BalanceError& error() const { return error_; }
  const PlacedJoints& placed() const { return placed_; }
  const PlacedJoints& motion() const { return wanted_; }
  // Torque with which standing legs turn the first link to the motion's posture, model space, newton metres.
  const Vec3& posture_torque() const { return posture_torque_; }
  // Angle between the ways from the feet to the centre of mass in the motion and in the body, radians; without feet,
  // the angle by which the first link is tilted.
  double lean() const { return lean_; }

 private:
  double find_lean(const ReferenceState& reference, const BodyState& state);

  const CharacterLinks* links_;
  BalanceOptions options_;
  double mass_ = 0, lean_ = 0, share_of_height_ = 1;
  bool fallen_ = false, has_feet_ = false;
  std::optional<Vec3> place_;  // level: where the motion would have the first link, had it begun where the body is
  double turned_ = 0;          // about the vertical, from the motion's heading to the body's, radians
  BalanceError error_;
  Vec3 posture_torque_;
  PlacedJoints placed_, wanted_;
};

}  // namespace sinew
