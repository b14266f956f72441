// The motion of a clip as a body of links follows it, sampled once and looked up at any time.
#pragma once

#include <vector>

#include "sinew/character/character.h"
#include "sinew/dynamics/character_links.h"
#include "sinew/dynamics/joint_drives.h"

namespace sinew {

// The state that the body should have at one time.
struct ReferenceState {
  TreePose pose;
  Vec3 root_velocity;                // m/s
  std::vector<JointTarget> targets;  // per link; that of the first is relative to the world
};

class ReferenceMotion {
 public:
  // `repeats`: after its end the clip begins anew where it ended; otherwise the last pose stays.
  ReferenceMotion(const Character& character, const Clip& clip, bool repeats, const CharacterLinks& links);

  // Between the poses that are looked up, seconds.
  double step() const { return step_; }
  double seconds() const { return step_ * static_cast<double>(poses_.size() - 1); }
  // Time from the clip's beginning.
  void at(double time, ReferenceState& state) const;
  // Height that the lowest skin of the motion has, metres.
  double ground() const { return ground_; }
  // The motion stays on its spot although its feet step, and was given the travel of its standing feet.
  bool was_given_travel() const { return given_travel_; }

 private:
  void find_ground(const CharacterLinks& links);
  void give_travel(const CharacterLinks& links);

  double step_ = 0;
  bool repeats_ = false, given_travel_ = false;
  std::vector<TreePose> poses_;  // at steps from the clip's beginning
  double ground_ = 0;
  Vec3 cycle_;  // level displacement of the first link in a cycle
};

}  // namespace sinew
