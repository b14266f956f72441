// A clip in which a joint goes through given places: inverse kinematics in every frame of a window, as smooth in time
// as the places are.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "sinew/character/clip.h"
#include "sinew/character/skeleton.h"
#include "sinew/kinematics/paths/time_falloff.h"

namespace sinew {

// Places of a joint over a time, of which the first and the last are those that the clip has, unless the clip begins or
// ends there.
struct TimedPlaces {
  std::vector<double> times;  // seconds, ascending, within the clip
  std::vector<Vec3> places;   // world, file units
};

// A joint that keeps the path and the orientation that it has in the clip.
struct PinnedJoint {
  int joint = -1;
  // Where the first bone is led: times at which it does so; at others it goes along. Empty: at all times.
  std::vector<TimeFalloff> stands = {};
};

struct LedJoint {
  int joint = -1;
  std::vector<TimedPlaces> windows;
  std::vector<PinnedJoint> pinned = {};
  std::vector<int> level = {};  // joints that keep their orientation in the world, such as feet, wherever they go
  // {bone, joint}: joints that a bone carries in the body, although they hang elsewhere in the tree of joints
  // (body_poser.h). They are led by that bone, and displaced along with it.
  std::vector<std::pair<int, int>> carried = {};
};

struct LedClip {
  Clip clip;
  double missed = 0;         // largest distance of the joint from its places, file units
  double pins_missed = 0;    // of pinned joints from theirs
  bool trunk_helps = false;  // limbs alone do not reach
};

// Limbs alone follow; where they do not reach everywhere, the trunk helps in the whole of the windows, so that nothing
// jumps, and the first bone moves if anything is pinned. Each frame begins from the clip's own pose, which places
// displaced by nothing leave as it is. `bone`: per joint, whether it is one of the body's bones. Keys outside of the
// windows keep their bits. Throws usage_error for a joint that is no bone.
LedClip lead_joint(const Skeleton& skeleton, std::span<const char> bone, const Clip& clip, const LedJoint& led);

}  // namespace sinew
