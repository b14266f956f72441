// Poses set by the user on top of a clip's: rotated joints, and a displaced character.
#pragma once

#include <map>
#include <string>

#include "sinew/session/session.h"

namespace sinew::studio {

struct HandPose {
  std::map<int, Quat> joints;  // local rotations that replace the clip's
  Vec3 carried;                // metres, world: offset from the clip's position
  bool empty() const { return joints.empty() && carried == Vec3{}; }
  bool operator==(const HandPose&) const = default;
};

// Poses that are kept, by their names: local rotations by the names of joints, so that they fit another export of the
// character.
using KeptPoses = std::map<std::string, std::map<std::string, Quat>>;

// Leads the session's character from one pose by hand to the next, by actions, smoothly: pointer input and undo jump.
void change_pose(Session& session, const Skeleton& skeleton, const HandPose& from, const HandPose& to);

}  // namespace sinew::studio
