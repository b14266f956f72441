// Skeletons of a few joints without names or turns.
#pragma once

#include <initializer_list>

#include "sinew/character/character.h"

namespace sinew::test {

struct BareJoint {
  int parent;
  Vec3 place;  // relative to the parent
};

// Parents come before their children.
inline Skeleton bare_skeleton(std::initializer_list<BareJoint> joints) {
  Skeleton skeleton;
  for (const BareJoint& each : joints) {
    Joint joint;
    joint.parent = each.parent;
    joint.rest.translation = each.place;
    skeleton.parents_first.push_back(static_cast<int>(skeleton.joints.size()));
    skeleton.joints.push_back(joint);
  }
  return skeleton;
}

}  // namespace sinew::test
