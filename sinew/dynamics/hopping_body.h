// A character as a body that hops on one leg (hop.h): a trunk of all that is not that leg, a thigh, and a shin with its
// foot. While it hops the other leg is lifted, and arms that are held out hang.
#pragma once

#include <optional>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/dynamics/hop.h"
#include "sinew/dynamics/legs.h"

namespace sinew {

struct HoppingBody {
  ArticulatedBody body;  // trunk, thigh and shin; their axes are those of model space while all rotations are none
  Vec3 ahead, left;      // level directions, model space
  TreePose upright;      // the character's links while all rotations of `body` are none
  LegLinks leg;          // the character's links that hop
  Vec3 sole;  // from the ankle to the point that touches the ground, axes of model space in `upright`, metres
  double foot_radius = 0;  // of a disc as large as the sole, metres
};

// `standing`: the links upright, toes ahead. Throws usage_error for a body that cannot walk (gait.h).
HoppingBody hopping_body(const CharacterLinks& links, const TreePose& standing);

// How far a foot is moved from where the body of three links has it.
struct FootMove {
  Vec3 by;          // level, metres
  double turn = 0;  // about the vertical, radians
};

// The links in a pose of the hopping body. The ankle goes to where the foot is level over the point that it stands on;
// higher up the foot turns with its shin.
TreePose pose_of_hopping(const CharacterLinks& links, const HoppingBody& hopping, const TreePose& pose, double ground,
                         const FootMove& move = {});

struct HoppingOptions {
  double speed = 0.5;  // wanted, ahead, m/s
  double seconds = 10;
  double frames_per_second = 60;  // of the result
  double ground = 0;              // height, metres
};

struct Hopping {
  std::vector<double> times;    // seconds, from 0
  std::vector<TreePose> poses;  // of the character's links
  HopPhases phases;
  double speed = 0;            // in the second half of the time, ahead, m/s
  double aside = 0;            // largest distance from the line ahead, metres
  std::optional<double> fell;  // time at which it leaned too far, seconds; nothing follows it
};

// The engine lets a pressed foot creep by some centimetres; the result's foot stays as it is in the middle of each
// stance. One thread computes, so that the bits are the same on every run. Throws usage_error for times and numbers
// outside of what can be.
Hopping hop_along(const CharacterLinks& links, const HoppingBody& hopping, const HoppingOptions& options,
                  const Progress& progress = {});

}  // namespace sinew
