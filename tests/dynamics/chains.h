// Bodies of links made by hand: pendulums, and a person.
#pragma once

#include <string>

#include "sinew/dynamics/character_links.h"

namespace sinew::test {

inline Mat3 ball_inertia(double mass, double radius) { return Mat3::identity() * (0.4 * mass * radius * radius); }

// Links that hang on each other at the end of rods without mass: a ball of `mass` at the end of each rod of `length`,
// along x.
inline ArticulatedBody pendulum(int links, double length, double mass, double radius) {
  ArticulatedBody body;
  for (int k = 0; k < links; ++k) {
    body.tree.parent.push_back(k - 1);
    body.tree.offset.push_back(k == 0 ? Vec3{} : Vec3{length, 0, 0});
    body.tree.mass.push_back(mass);
    body.tree.mass_centre.push_back({length, 0, 0});
    body.inertia.push_back(ball_inertia(mass, radius));
    body.name.push_back("rod " + std::to_string(k));
    body.joint.push_back(-1);
    body.capsule.push_back({});
    body.skin_points.push_back({});
  }
  return body;
}

inline BodyState at_rest(const ArticulatedBody& body) {
  return {{{}, std::vector<Quat>(body.size())}, {}, std::vector<Vec3>(body.size())};
}

}  // namespace sinew::test
