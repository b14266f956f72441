// Feet that go where they catch the body: corrections of a motion's legs.
//
// A leg that swings is led by the body's error (Yin, Loken and van de Panne 2007, SIMBICON): where the centre of mass
// is ahead of the motion's, or faster, the foot comes down farther that way. A body that is pushed out of balance over
// feet that all stand takes a step with the leg that carries less. A leg keeps its lead while it stands, and steps back
// once the body is calm.
#pragma once

#include <span>
#include <vector>

#include "sinew/dynamics/character_links.h"
#include "sinew/dynamics/joint_drives.h"
#include "sinew/dynamics/legs.h"

namespace sinew {

// The difference between the body and the motion, level, model space.
struct BalanceError {
  Vec3 place;     // of the centre of mass against the feet, metres
  Vec3 velocity;  // of the centre of mass, m/s
  Quat heading;   // from the motion's heading to the body's
};

class Stepping {
 public:
  Stepping(const CharacterLinks& links, double ground);

  // Changes the targets of legs for a step of `step` seconds; `motion`: where the motion has the links.
  void adjust(const BalanceError& error, const PlacedJoints& placed, const PlacedJoints& motion, double step,
              std::span<JointTarget> targets);

  // Thighs of the legs that stand.
  std::vector<int> standing_thighs() const;
  int steps_taken() const { return steps_taken_; }

 private:
  struct Leg : LegLinks {
    Vec3 lead;           // level turn of the leg, as the way of its foot in lengths of the leg
    double swings = -1;  // time since it left the ground for a step of its own, seconds; below 0: it does not
    bool is_down = true, is_up_in_motion = false;
  };
  void notice_ground(const PlacedJoints& placed, const PlacedJoints& motion);
  void begin_step(const Vec3& wanted, const PlacedJoints& placed);
  void turn_leg(const Leg& leg, const BalanceError& error, const PlacedJoints& placed, const PlacedJoints& motion,
                std::span<JointTarget> targets) const;

  const CharacterLinks* links_;
  double ground_ = 0, swing_seconds_ = 0, calm_ = 0;
  std::vector<Leg> legs_;
  int steps_taken_ = 0;
};

}  // namespace sinew
