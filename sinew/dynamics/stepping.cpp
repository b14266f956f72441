#include "sinew/dynamics/stepping.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/base/index.h"
#include "sinew/dynamics/units.h"
#include "sinew/linalg/turns.h"

namespace sinew {
namespace {

constexpr double of_place = 0.5, of_velocity = 0.8;  // lead by the error in heights and in sqrt(g height)
constexpr double largest_lead = 0.7;                 // radians
constexpr double off_balance = 0.16;                 // lead that makes a standing body step
constexpr double calm_lead = 0.06, calm_seconds = 0.35;
constexpr double off_ground = 0.02;  // of the height: lowest skin of a foot that is up
constexpr double thigh_lift = 0.5, knee_lift = 1.0;

// Shape of a lift: 0 at the beginning and the end of a step.
double lift(double share) { return std::sin(std::numbers::pi * std::clamp(share, 0.0, 1.0)); }

}  // namespace

Stepping::Stepping(const CharacterLinks& links, double ground)
    : links_(&links), ground_(ground), swing_seconds_(0.32 * std::sqrt(links.height / 0.95)) {
  for (const LegLinks& leg : legs_of(links)) legs_.push_back({leg, {}, -1, true, false});
}

void Stepping::notice_ground(const PlacedJoints& placed, const PlacedJoints& motion) {
  for (Leg& leg : legs_) {
    leg.is_down = lowest_sole(*links_, leg.foot, placed) - ground_ < off_ground * links_->height;
    leg.is_up_in_motion = lowest_sole(*links_, leg.foot, motion) - ground_ > off_ground * links_->height;
  }
}

std::vector<int> Stepping::standing_thighs() const {
  std::vector<int> thighs;
  for (const Leg& leg : legs_)
    if (leg.is_down && leg.swings < 0) thighs.push_back(leg.thigh);
  return thighs;
}

// The leg that the body leaves behind: it carries the least.
void Stepping::begin_step(const Vec3& wanted, const PlacedJoints& placed) {
  Leg* best = nullptr;
  double least = HUGE_VAL;
  for (Leg& leg : legs_) {
    const double along = dot(placed.place[index(leg.foot)], wanted);
    if (along < least) {
      least = along;
      best = &leg;
    }
  }
  best->swings = 0;
  ++steps_taken_;
}

void Stepping::turn_leg(const Leg& leg, const BalanceError& error, const PlacedJoints& placed,
                        const PlacedJoints& motion, std::span<JointTarget> targets) const {
  const auto& limits = links_->body.tree.limits;
  const bool has_knee = limits.size() == links_->body.size() && limits[index(leg.shin)];
  const double raised = leg.swings >= 0 && has_knee ? lift(leg.swings / swing_seconds_) : 0;
  // A knee bends the shin backward about its hinge; the thigh is lifted forward about the same axis.
  const Vec3 left = has_knee ? rotate(placed.rotation[index(leg.shin)], limits[index(leg.shin)]->hinge) : Vec3{};
  // A turn of the leg by cross(down, lead) moves its foot by the lead.
  const Quat led = rotation_exponential(cross({0, -1, 0}, leg.lead));
  const auto set = [&](int link, const Quat& world) {
    const Quat& above = placed.rotation[index(links_->body.tree.parent[index(link)])];
    targets[index(link)].local = normalized(conjugate(above) * world);
  };
  const auto turn = [&](int link, const Quat& by) {
    const Quat& above = placed.rotation[index(links_->body.tree.parent[index(link)])];
    targets[index(link)].local = normalized(conjugate(above) * by * above * targets[index(link)].local);
  };
  if (leg.swings >= 0) {
    // A leg that swings does not lean with the body.
    set(leg.thigh, normalized(led * rotation_exponential(left * (-thigh_lift * raised)) * error.heading *
                              motion.rotation[index(leg.thigh)]));
    set(leg.foot, normalized(error.heading * motion.rotation[index(leg.foot)]));
    if (raised > 0) {
      Quat& local = targets[index(leg.shin)].local;
      local = normalized(local * axis_angle(limits[index(leg.shin)]->hinge, knee_lift * raised));
    }
  } else {
    turn(leg.thigh, led);
    turn(leg.foot, conjugate(led));  // soles stay level
  }
}

void Stepping::adjust(const BalanceError& error, const PlacedJoints& placed, const PlacedJoints& motion, double step,
                      std::span<JointTarget> targets) {
  notice_ground(placed, motion);
  if (legs_.size() != 2) return;
  const double height = links_->height;
  const Vec3 wanted = shortened(
      error.place * (of_place / height) + error.velocity * (of_velocity / std::sqrt(standard_gravity * height)),
      largest_lead);
  const bool all_stand = std::all_of(
      legs_.begin(), legs_.end(), [](const Leg& leg) { return leg.is_down && !leg.is_up_in_motion && leg.swings < 0; });
  calm_ = all_stand && norm(wanted) < calm_lead ? calm_ + step : 0;
  if (all_stand && norm(wanted) > off_balance) begin_step(wanted, placed);
  if (calm_ > calm_seconds)
    for (Leg& leg : legs_)
      if (norm(leg.lead) > 2 * calm_lead) {
        leg.swings = 0;
        calm_ = 0;
        ++steps_taken_;
        break;
      }
  for (Leg& leg : legs_) {
    if (leg.swings >= 0) {
      leg.swings += step;
      const bool lands = leg.swings > 0.6 * swing_seconds_ && leg.is_down;
      if (lands || leg.swings > 1.3 * swing_seconds_) leg.swings = -1;
    }
    const bool free = leg.swings >= 0 || (leg.is_up_in_motion && !leg.is_down);
    const double follow = std::min(1.0, step / 0.04);
    if (free) leg.lead += follow * (wanted - leg.lead);
    // In a motion that steps by itself a standing leg comes back to the motion.
    if (leg.is_up_in_motion && leg.is_down) leg.lead *= 1 - std::min(1.0, step / 0.2);
    turn_leg(leg, error, placed, motion, targets);
  }
}

}  // namespace sinew
