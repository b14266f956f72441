#include "sinew/dynamics/balance.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/base/index.h"
#include "sinew/base/smooth_step.h"
#include "sinew/dynamics/units.h"
#include "sinew/linalg/turns.h"

namespace sinew {
namespace {

constexpr double begins_to_fall = 0.35, falls = 0.7, has_fallen = 1.0;  // lean, radians
constexpr double lowest_height = 0.6;  // share of the motion's height of the centre of mass; below, the body has fallen
constexpr double place_follows = 0.5;  // seconds in which the motion's place comes over to the body's

Vec3 middle_of_feet(const CharacterLinks& links, const PlacedJoints& placed) {
  Vec3 sum;
  double count = 0;
  for (std::size_t k = 0; k < links.body.size(); ++k)
    if (links.foot[k]) {
      sum += placed(static_cast<int>(k), links.body.tree.mass_centre[k]);
      count += 1;
    }
  return sum / std::max(count, 1.0);
}

}  // namespace

Balance::Balance(const CharacterLinks& links, const BalanceOptions& options)
    : links_(&links),
      options_(options),
      mass_(total_mass(links.body)),
      has_feet_(std::find(links.foot.begin(), links.foot.end(), 1) != links.foot.end()) {}

double Balance::find_lean(const ReferenceState& reference, const BodyState& state) {
  const ArticulatedBody& body = links_->body;
  place_joints(body.tree, state.pose, placed_);
  place_joints(body.tree, reference.pose, wanted_);
  const Quat heading = axis_angle({0, 1, 0}, turned_);
  const Vec3 centre = centre_of_mass(body.tree, placed_), wanted_centre = centre_of_mass(body.tree, wanted_);
  share_of_height_ = (centre.y - options_.ground) / std::max(wanted_centre.y - options_.ground, 1e-6);
  const Quat tilt = normalized(state.pose.local[0] * conjugate(normalized(heading * reference.pose.local[0])));
  const double tilted = std::acos(std::clamp(rotate(tilt, {0, 1, 0}).y, -1.0, 1.0));
  if (!has_feet_) return tilted;
  const Vec3 way = level(centre - middle_of_feet(*links_, placed_));
  const Vec3 wanted = rotate(heading, level(wanted_centre - middle_of_feet(*links_, wanted_)));
  return std::atan(norm(way - wanted) / links_->height);
}

BalanceHelp Balance::help(const ReferenceState& reference, const BodyState& state, double step) {
  lean_ = find_lean(reference, state);
  if (lean_ > has_fallen || share_of_height_ < lowest_height) fallen_ = true;
  // The motion's place and heading come over to the body's.
  const double follow = std::min(1.0, step / place_follows);
  const Vec3 root = level(state.pose.root);
  if (!place_) place_ = root;
  *place_ += step * rotate(axis_angle({0, 1, 0}, turned_), level(reference.root_velocity));
  *place_ += follow * (root - *place_);
  const Quat apart = normalized(state.pose.local[0] * conjugate(reference.pose.local[0]));
  turned_ += follow * std::remainder(twist_angle(apart, {0, 1, 0}) - turned_, 2 * std::numbers::pi);
  const double share = options_.support * (1 - smooth_step((lean_ - begins_to_fall) / (falls - begins_to_fall)));
  if (fallen_ || !(share > 0)) return {};

  const double rate = 2.5 * std::sqrt(standard_gravity / links_->height);  // 1/s
  const Quat heading = axis_angle({0, 1, 0}, turned_);
  const Vec3 apart_place = *place_ + Vec3{0, reference.pose.root.y, 0} - (root + Vec3{0, state.pose.root.y, 0});
  const Vec3 apart_speed = rotate(heading, reference.root_velocity) - state.root_velocity;
  const Vec3 force = level(mass_ * (rate * rate * apart_place + 2 * rate * apart_speed));
  const Quat wanted = normalized(heading * reference.pose.local[0]);
  const Vec3 error = rotation_logarithm(normalized(wanted * conjugate(state.pose.local[0])));
  const Vec3 spin = rotate(wanted, reference.targets[0].spin) - rotate(state.pose.local[0], state.spin[0]);
  const double inertia = 0.25 * mass_ * links_->height * links_->height;
  const Vec3 torque = inertia * (rate * rate * error + 2 * rate * spin);
  const double most = share * mass_ * standard_gravity;
  return {shortened(force, most), shortened(torque, most * 0.5 * links_->height)};
}

}  // namespace sinew
