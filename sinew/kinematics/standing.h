// Where a body stands on the ground and which way it looks: a turn about the world's y axis, then a way along the
// ground. Standings are compositions of such motions as well, so that one can be applied to another.
#pragma once

#include "sinew/character/skeleton.h"

namespace sinew {

struct Standing {
  double heading = 0;  // radians about y; 0 as in the rest pose
  Vec3 place;          // y is 0; the unit is the caller's
};

// A vector turned by a heading.
Vec3 turned(double heading, const Vec3& v);
// `step`, taken from where `first` leads.
Standing after(const Standing& first, const Standing& step);
// The step that leads from one standing to another: after(from, between(from, to)) is `to`.
Standing between(const Standing& from, const Standing& to);
// after(inverse(s), s) is no motion.
Standing inverse(const Standing& standing);
// Linear in place and heading, without regard to full turns.
Standing mixed(const Standing& a, const Standing& b, double weight);
// Adds or takes off full turns, so that the heading is nearest to `near`.
double nearest_heading(double heading, double near);
Affine to_affine(const Standing& standing);

// Tells the standing of a body from a pose by its root joint.
class RootStanding {
 public:
  RootStanding(const Skeleton& skeleton, int root);

  int root() const { return root_; }
  Quat rotation(const Pose& pose) const;        // of the root, joint to world
  double heading(const Pose& pose) const;       // in (-pi, pi]
  Standing operator()(const Pose& pose) const;  // place in file units

 private:
  int root_;
  Quat rest_;
};

}  // namespace sinew
