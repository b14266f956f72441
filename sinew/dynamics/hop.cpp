#include "sinew/dynamics/hop.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/dynamics/units.h"
#include "sinew/linalg/turns.h"

namespace sinew {
namespace {

constexpr std::size_t hop_trunk = 0, hop_thigh = 1, hop_shin = 2;
constexpr double servo_rate = 10;        // with which the leg is led in the air, per time unit
constexpr double shortest_stance = 0.2;  // stance times before the foot may leave
constexpr double hop_learns = 0.5;       // share of a hop's error in height that the next thrust makes good
constexpr double corrects_hop = 0.15;    // change of the foot's place by the error of speed in each hop
constexpr double hops_to_speed = 5;      // until the wanted speed is the whole one
constexpr double most_hop_thrust = 4, most_hop_lean = 0.6;
constexpr double hop_friction = 0.6;  // between sole and ground, less than the engine's
constexpr double side_stiffness = 1;  // of the knee against turns about other axes than its hinge, in weight times leg

}  // namespace

HopControl::HopControl(const ArticulatedBody& body, const Hop& hop, const Vec3& hinge)
    : body_(&body), hop_(hop), hinge_(normalized(hinge)), mass_(total_mass(body)) {
  if (body.size() != 3 || body.tree.parent[hop_thigh] != 0 || body.tree.parent[hop_shin] != 1 ||
      body.skin_points[hop_shin].empty())
    throw usage_error("A body that hops needs a trunk, a thigh and a shin with skin.");
  foot_ = *std::min_element(body.skin_points[hop_shin].begin(), body.skin_points[hop_shin].end(),
                            [](const Vec3& a, const Vec3& b) { return a.y < b.y; });
  const double a = norm(body.tree.offset[hop_shin]), b = norm(foot_);
  leg_ = a + b;
  rest_ = std::sqrt(a * a + b * b + 2 * a * b * std::cos(hop.bent));
  unit_time_ = std::sqrt(leg_ / standard_gravity);
  const double rate = servo_rate / unit_time_, leg_mass = body.tree.mass[hop_thigh] + body.tree.mass[hop_shin];
  const auto servo = [&](double inertia) { return JointDrive{rate * rate * inertia, 2 * rate * inertia}; };
  drives_ = {{}, servo(0.25 * leg_mass * rest_ * rest_), servo(0.4 * body.tree.mass[hop_shin] * b * b)};
  stiffness_ = mass_ * std::pow(std::numbers::pi / (hop.stance_time * unit_time_), 2);
}

BodyState HopControl::beginning(double ground, double above) const {
  BodyState state{{{}, std::vector<Quat>(3)}, {}, std::vector<Vec3>(3)};
  const double a = norm(body_->tree.offset[hop_shin]), b = norm(foot_);
  state.pose.local[hop_shin] = axis_angle(hinge_, hop_.bent);
  state.pose.local[hop_thigh] = axis_angle(hinge_, -std::atan2(b * std::sin(hop_.bent), a + b * std::cos(hop_.bent)));
  PlacedJoints placed;
  place_joints(body_->tree, state.pose, placed);
  state.pose.root.y = ground + above - placed(hop_shin, foot_).y;
  return state;
}

void HopControl::change_phase(double length, const Vec3& velocity, double centre, bool on_ground, double step) {
  in_phase_ += step;
  const double up = velocity.y;
  if (stands_) {
    if (!stretches_ && up > 0) {
      // The spring gives back the energy that the height needs, beside that which lifts the body as it stretches.
      const double way = std::max(rest_ - length, 1e-3 * leg_);
      const double energy = mass_ * standard_gravity * (hop_.height * leg_ + way);
      thrust_ = std::clamp(gain_ * energy / (0.5 * stiffness_ * way * way), 0.0, most_hop_thrust);
      stretches_ = true;
    }
    if (in_phase_ > shortest_stance * hop_.stance_time * unit_time_ && stretches_ && (!on_ground || length > rest_)) {
      stands_ = stretches_ = false;
      in_phase_ = 0;
      apex_ = centre;
      phases_.leaves_with.push_back(up);
    }
  } else {
    apex_ = std::max(apex_, centre);
    if (!on_ground || up > 0) return;
    if (!phases_.leaves_with.empty()) {
      phases_.flight.push_back(in_phase_);
      phases_.apex.push_back(apex_);
      ++phases_.hops;
      const double reached = std::pow(std::max(phases_.leaves_with.back(), 0.0), 2) / (2 * standard_gravity);
      gain_ = std::clamp(gain_ * (1 + hop_learns * (hop_.height * leg_ - reached) / (hop_.height * leg_)), 0.3, 3.0);
    }
    stands_ = true;
    in_phase_ = 0;
    correction_ += (level(velocity) - wanted()) * (corrects_hop * unit_time_);
  }
}

// The speed grows over the first hops.
Vec3 HopControl::wanted() const { return hop_.velocity * std::min(1.0, phases_.hops / hops_to_speed); }

// From the hip to where the foot is to be as it lands.
Vec3 HopControl::landing(const PlacedJoints& placed, const Vec3& velocity) const {
  const Vec3 speed = level(velocity);
  const Vec3 ahead = speed * (0.5 * hop_.stance_time * unit_time_) +
                     (speed - wanted()) * (hop_.ahead_by_error * unit_time_) + correction_;
  const Vec3 centre = centre_of_mass(body_->tree, placed) - placed.place[hop_thigh];
  const Vec3 way = shortened(level(centre) + ahead, most_hop_lean * rest_);
  return way - Vec3{0, std::sqrt(rest_ * rest_ - dot(way, way)), 0};
}

void HopControl::fly(const BodyState& state, const PlacedJoints& placed, const Vec3& velocity, double step,
                     std::span<Vec3> torque) const {
  const Quat yaw = axis_angle({0, 1, 0}, twist_angle(state.pose.local[hop_trunk], {0, 1, 0}));
  const Quat bent = axis_angle(hinge_, hop_.bent);
  const Vec3 foot = body_->tree.offset[hop_shin] + rotate(bent, foot_);  // thigh space
  const Quat wanted = normalized(shortest_turn(rotate(yaw, foot), landing(placed, velocity)) * yaw);
  const Quat local = normalized(conjugate(placed.rotation[hop_trunk]) * wanted);
  const std::array<JointTarget, 3> targets{{{}, {local, {}}, {bent, {}}}};
  drive_torques(*body_, drives_, targets, state, step, torque);
}

void HopControl::stand(const BodyState& state, const PlacedJoints& placed, const LinkVelocities& velocities,
                       double pressed, std::span<Vec3> torque) {
  const double moment = mass_ * standard_gravity * leg_;
  const Vec3 foot = placed(hop_shin, foot_), way = foot - placed.place[hop_thigh];
  const double length = norm(way);
  const double force = stiffness_ * (stretches_ ? thrust_ : 1.0) * std::max(0.0, rest_ - length);
  // The torque on the trunk that turns it upright; it turns about the vertical as it likes.
  const Quat heading = axis_angle({0, 1, 0}, twist_angle(state.pose.local[hop_trunk], {0, 1, 0}));
  const Vec3 error = rotation_logarithm(normalized(heading * conjugate(state.pose.local[hop_trunk])));
  Vec3 upright = moment * (hop_.upright * error - hop_.calm * unit_time_ * velocities.angular[hop_trunk]);
  // A push along the leg turns a body whose centre of mass is not above its hip.
  const Vec3 push = way * (-force / length);
  upright -= cross(placed.place[hop_thigh] - centre_of_mass(body_->tree, placed), push);
  upright.y = 0;
  upright -= way * (dot(upright, way) / (length * length));
  // The ground pushes along the leg, and across it as the hip's torque asks.
  const Vec3 ground = push + cross(upright, way) / (length * length);
  torque[hop_thigh] = rotate(conjugate(placed.rotation[hop_thigh]), -1.0 * upright);
  const Vec3 knee = -1.0 * cross(foot - placed.place[hop_shin], ground);
  torque[hop_shin] = rotate(conjugate(placed.rotation[hop_shin]), knee);
  // A disc that turns under even pressure has friction of 2/3 mu N r about its middle.
  const double most_yaw = hop_friction * pressed * hop_.foot_radius * 2 / 3;
  const double yaw = twist_angle(state.pose.local[hop_trunk], {0, 1, 0});
  const double turning = -moment * (hop_.upright * yaw + hop_.calm * unit_time_ * velocities.angular[hop_trunk].y);
  const Vec3 up = rotate(conjugate(state.pose.local[hop_trunk]), {0, 1, 0});
  torque[hop_trunk] = up * std::clamp(turning, -most_yaw, most_yaw);
  const Vec3 off_hinge = rotation_logarithm(state.pose.local[hop_shin]);
  const Vec3 side = off_hinge - hinge_ * dot(off_hinge, hinge_), spin = state.spin[hop_shin];
  torque[hop_shin] -= moment * side_stiffness * (side + 0.05 * unit_time_ * (spin - hinge_ * dot(spin, hinge_)));
}

void HopControl::torques(const BodyState& state, double pressed, double step, std::span<Vec3> torque) {
  PlacedJoints placed;
  place_joints(body_->tree, state.pose, placed);
  const LinkVelocities velocities = link_velocities(*body_, state, placed);
  const Vec3 velocity = centre_velocity(*body_, placed, velocities);
  change_phase(norm(placed(hop_shin, foot_) - placed.place[hop_thigh]), velocity, centre_of_mass(body_->tree, placed).y,
               pressed > 0, step);
  std::fill(torque.begin(), torque.end(), Vec3{});
  if (stands_)
    stand(state, placed, velocities, pressed, torque);
  else
    fly(state, placed, velocity, step, torque);
}

}  // namespace sinew
