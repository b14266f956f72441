// A character as rigid links joined at their joints: what an engine for rigid bodies moves. Links have the mass of the
// flesh that they carry.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/kinematics/joint_tree.h"

namespace sinew {

// A rod with round ends; a sphere where both ends are one point.
struct Capsule {
  Vec3 from, to;      // the link's space, metres
  double radius = 0;  // metres
};

// Links are numbered as the joints of the tree, depth first: all that hangs on a link follows it. The space of a link
// is that of its joint. The tree has masses.
struct ArticulatedBody {
  JointTree tree;
  std::vector<std::string> name;               // name of each link's joint
  std::vector<int> joint;                      // index into Skeleton::joints; -1: a link of no character
  std::vector<Mat3> inertia;                   // about the link's centre of mass, in its axes, kg m^2
  std::vector<Capsule> capsule;                // what balls hit
  std::vector<std::vector<Vec3>> skin_points;  // points of the skin that touch the ground, the link's space, metres

  std::size_t size() const { return tree.size(); }
};

// Throws usage_error, naming the link, where lists differ in length, links are not in order, or masses and inertias are
// not positive and finite.
void check_articulated_body(const ArticulatedBody& body);

double total_mass(const ArticulatedBody& body);

// Per link, the mass of the link and of all links beyond it, kilograms.
std::vector<double> carried_mass(const ArticulatedBody& body);

// Positions and velocities of all links.
struct BodyState {
  TreePose pose;
  Vec3 root_velocity;      // of the first joint, model space, m/s
  std::vector<Vec3> spin;  // angular velocity of each link relative to its parent, in the link's axes, rad/s
};

// Velocities of links in model space.
struct LinkVelocities {
  std::vector<Vec3> linear;   // of each joint's place, m/s
  std::vector<Vec3> angular;  // rad/s
};
LinkVelocities link_velocities(const ArticulatedBody& body, const BodyState& state, const PlacedJoints& placed);

// Velocity of the centre of mass, m/s.
Vec3 centre_velocity(const ArticulatedBody& body, const PlacedJoints& placed, const LinkVelocities& velocities);

// Height of the lowest skin point, metres; HUGE_VAL without any.
double lowest_point(const ArticulatedBody& body, const PlacedJoints& placed);

}  // namespace sinew
