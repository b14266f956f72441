// A character as a body that hops on one leg (hop.h): a trunk of all that is not that leg, a thigh, and a shin with its
// foot. While it hops the other leg is lifted, and arms that are held out hang.
#pragma once

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

// `standing`: the links upright, toes ahead. Throws usage_error for a body that cannot walk (gait.h), and for
// legs of no length.
HoppingBody hopping_body(const CharacterLinks& links, const TreePose& standing);

// The heading of the trunk, radians about the vertical from `upright`.
double hop_heading(const TreePose& pose);

// A displacement of a foot from where the body of three links has it.
struct FootMove {
  Vec3 by;          // level, metres
  double turn = 0;  // about the vertical, radians
};

// The links in a pose of the hopping body. The ankle goes to where the foot is level over the point that it stands on;
// higher up the foot turns with its shin.
TreePose pose_of_hopping(const CharacterLinks& links, const HoppingBody& hopping, const TreePose& pose, double ground,
                         const FootMove& move = {});

}  // namespace sinew
