#include "sinew/dynamics/gait.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/dynamics/units.h"
#include "sinew/linalg/turns.h"

namespace sinew {
namespace {

constexpr double touches = 0.006;          // of the height: a sole that is lower is down
constexpr double longest_landing = 2;      // lifts; then the legs change although nothing touched
constexpr double arm_apart = 0.2;          // of hanging arms from the body, radians
constexpr double arm_swing = 0.5;          // of the angle of the leg on the other side
constexpr double least_way_of_feet = 0.2;  // of the mean distance of the feet's skin
constexpr double largest_turn = 0.8;       // radians

// Level way from a foot's joint to the middle of its skin's and its toes' points, as a share of their mean distance.
Vec3 way_of_toes(const CharacterLinks& links, int foot, const PlacedJoints& placed) {
  Vec3 way;
  double far = 0;
  for (std::size_t k = index(foot); k < links.body.size(); ++k) {
    if (!is_part_of_foot(links, static_cast<int>(k), foot)) continue;
    for (const Vec3& point : links.body.skin_points[k]) {
      const Vec3 to = level(placed(static_cast<int>(k), point) - placed.place[index(foot)]);
      way += to;
      far += norm(to);
    }
  }
  return far > 0 ? way / far : Vec3{};
}

Vec3 way_of_feet(const CharacterLinks& links, std::span<const LegLinks> legs, const PlacedJoints& placed) {
  Vec3 way;
  for (const LegLinks& leg : legs) way += way_of_toes(links, leg.foot, placed) / static_cast<double>(legs.size());
  return way;
}

}  // namespace

std::array<double, gait_numbers> numbers_of(const Gait& g) {
  return {g.lift_seconds,   g.lean,           g.lift.thigh,     g.lift.knee,     g.land.thigh,
          g.land.knee,      g.stand_knee,     g.stand_foot,     g.swing_foot,    g.apart,
          g.ahead_by_place, g.ahead_by_speed, g.aside_by_place, g.aside_by_speed};
}

Gait gait_of(std::span<const double, gait_numbers> n) {
  return {n[0], n[1], {n[2], n[3]}, {n[4], n[5]}, n[6], n[7], n[8], n[9], n[10], n[11], n[12], n[13]};
}

std::string why_it_cannot_walk(const CharacterLinks& links, const TreePose& standing) {
  const std::vector<LegLinks> legs = legs_of(links);
  if (legs.size() != 2)
    return "has " + std::to_string(legs.size()) +
           " legs with feet, and a walk of its own needs two; let it follow a clip instead.";
  PlacedJoints placed;
  place_joints(links.body.tree, standing, placed);
  if (norm(way_of_feet(links, legs, placed)) < least_way_of_feet)
    return "has feet that point nowhere, and a walk of its own goes where they point; let it follow a clip instead.";
  return "";
}

GaitControl::GaitControl(const CharacterLinks& links, const TreePose& standing, const Gait& gait, double ground)
    : links_(&links), gait_(gait), standing_(standing), legs_(legs_of(links)), ground_(ground) {
  if (const std::string why = why_it_cannot_walk(links, standing); !why.empty()) throw usage_error("The body " + why);
  place_joints(links.body.tree, standing_, rest_);
  ahead_ = normalized(way_of_feet(links, legs_, rest_));
  left_ = cross({0, 1, 0}, ahead_);
  if (dot(rest_.place[index(legs_[0].thigh)] - rest_.place[index(legs_[1].thigh)], left_) < 0)
    std::swap(legs_[0], legs_[1]);
  lower_arms();
  height_ = centre_of_mass(links.body.tree, rest_).y - ground;
  lift_seconds_ = gait.lift_seconds * std::sqrt(height_ / 0.95);
}

void GaitControl::lower_arms() {
  const JointTree& tree = links_->body.tree;
  for (const int arm : links_->upper_arms) {
    const int above = tree.parent[index(arm)];
    Vec3 way = rest_(arm, tree.mass_centre[index(arm)]) - rest_.place[index(arm)];
    if (!(norm(way) > 0)) continue;
    way = normalized(way);
    const double side = dot(rest_.place[index(arm)] - rest_.place[0], left_) < 0 ? -1 : 1;
    const Vec3 hanging = normalized(Vec3{0, -1, 0} + left_ * (side * std::tan(arm_apart)));
    if (way.y < hanging.y * 0.9) continue;  // they hang
    const Quat& parent = rest_.rotation[index(above)];
    standing_.local[index(arm)] =
        normalized(conjugate(parent) * shortest_turn(way, hanging) * rest_.rotation[index(arm)]);
  }
  place_joints(tree, standing_, rest_);
}

// Each arm swings with the leg of the other side.
void GaitControl::swing_arms(const PlacedJoints& placed, std::span<JointTarget> targets) const {
  const JointTree& tree = links_->body.tree;
  for (const int arm : links_->upper_arms) {
    const bool is_left = dot(rest_.place[index(arm)] - rest_.place[0], left_) > 0;
    const LegLinks& leg = legs_[is_left ? 1 : 0];
    const Vec3 down = placed.place[index(leg.shin)] - placed.place[index(leg.thigh)];
    const double angle = std::atan2(dot(down, ahead_), std::max(-down.y, 1e-6));
    const Quat& above = rest_.rotation[index(tree.parent[index(arm)])];
    targets[index(arm)].local =
        normalized(conjugate(above) * turned_ahead(arm_swing * angle) * rest_.rotation[index(arm)]);
  }
}

// A turn that moves what hangs down ahead.
Quat GaitControl::turned_ahead(double angle) const { return rotation_exponential(left_ * -angle); }

void GaitControl::change_phase(const PlacedJoints& placed, double step) {
  in_phase_ += step;
  if (!lands_) {
    if (in_phase_ < lift_seconds_) return;
    lands_ = true;
  } else {
    const double sole = lowest_sole(*links_, legs_[swings_].foot, placed) - ground_;
    if (sole > touches * height_ && in_phase_ < longest_landing * lift_seconds_) return;
    lands_ = false;
    swings_ = 1 - swings_;
    ++steps_;
  }
  in_phase_ = 0;
}

void GaitControl::advance(const BodyState& state, const PlacedJoints& placed, double step,
                          std::span<JointTarget> targets) {
  change_phase(placed, step);
  const JointTree& tree = links_->body.tree;
  for (std::size_t k = 0; k < links_->body.size(); ++k) targets[k] = {standing_.local[k], {}};
  const LegLinks &swing = legs_[swings_], &stand = legs_[1 - swings_];

  const double speed_unit = std::sqrt(standard_gravity * height_);
  const Vec3 from_ankle = (centre_of_mass(tree, placed) - placed.place[index(stand.foot)]) / height_;
  const LinkVelocities velocities = link_velocities(links_->body, state, placed);
  const Vec3 speed = centre_velocity(links_->body, placed, velocities) / speed_unit;
  const SwingAngles& angles = lands_ ? gait_.land : gait_.lift;
  const double led_ahead = gait_.ahead_by_place * dot(from_ankle, ahead_) + gait_.ahead_by_speed * dot(speed, ahead_);
  const double outward = swings_ == 0 ? gait_.apart : -gait_.apart;
  const double led_aside =
      outward + gait_.aside_by_place * dot(from_ankle, left_) + gait_.aside_by_speed * dot(speed, left_);

  // Against the world: the joint's target is relative to its parent as that is now.
  const auto set_in_world = [&](int link, const Quat& world) {
    targets[index(link)].local = normalized(conjugate(placed.rotation[index(tree.parent[index(link)])]) * world);
  };
  // Against the parent, from the standing pose, about the axis to the left that the parent has there.
  const auto turn = [&](int link, const Quat& by) {
    const Quat& above = rest_.rotation[index(tree.parent[index(link)])];
    targets[index(link)].local = normalized(conjugate(above) * by * rest_.rotation[index(link)]);
  };
  const Quat aside = rotation_exponential(ahead_ * std::clamp(led_aside, -largest_turn, largest_turn));
  set_in_world(swing.thigh,
               normalized(aside * turned_ahead(angles.thigh + std::clamp(led_ahead, -largest_turn, largest_turn)) *
                          rest_.rotation[index(swing.thigh)]));
  turn(swing.shin, turned_ahead(-angles.knee));
  set_in_world(swing.foot, normalized(turned_ahead(gait_.swing_foot) * rest_.rotation[index(swing.foot)]));
  const Quat trunk = normalized(turned_ahead(-gait_.lean) * rest_.rotation[0]);
  const Quat& thigh = placed.rotation[index(stand.thigh)];
  targets[index(stand.thigh)] = {normalized(conjugate(trunk) * thigh),
                                 rotate(conjugate(thigh), velocities.angular[index(stand.thigh)])};
  turn(stand.shin, turned_ahead(-gait_.stand_knee));
  turn(stand.foot, turned_ahead(-gait_.stand_foot));
  swing_arms(placed, targets);
}

void GaitControl::hold_trunk(const PlacedJoints& placed, double most, std::span<Vec3> torque) const {
  const JointTree& tree = links_->body.tree;
  const int stand = standing_thigh();
  Vec3 taken;
  for (std::size_t k = 1; k < links_->body.size(); ++k)
    if (tree.parent[k] == 0 && static_cast<int>(k) != stand) taken += rotate(placed.rotation[k], torque[k]);
  Vec3& own = torque[index(stand)];
  own = shortened(own - rotate(conjugate(placed.rotation[index(stand)]), taken), most);
}

}  // namespace sinew
