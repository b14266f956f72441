#include "sinew/kinematics/hand_touches.h"

#include <algorithm>
#include <array>
#include <optional>

#include "sinew/base/index.h"
#include "sinew/base/smooth_step.h"
#include "sinew/kinematics/built_in_motion.h"
#include "sinew/kinematics/two_bone.h"

namespace sinew {
namespace {

// Distances from the skin, as shares of the leg: the palm of a touching hand, and where a hand is not led any more.
constexpr double touching_gap = 0.05, farthest_gap = 0.15;
// Distance of two palms that touch each other, a share of the leg.
constexpr double palms_apart = 0.05;
// Share of a part's axis beyond its ends at which a hand is not led any more.
constexpr double farthest_beyond = 0.25;
// Share of an arm's length from which on it approaches full stretch softly; an arm that is longer already stays so.
constexpr double soft_from = 0.95;
// Way, as a share of the leg, below which a hand stays as it is, to the bit.
constexpr double least_way = 1e-6;
// Place of the palm between the wrist and the fingers, and its distance from a wrist without fingers, shares of the
// leg.
constexpr double palm_share = 0.7, usual_palm = 0.1;

// A hand's palm.
struct Palm {
  int wrist = -1;
  Vec3 offset;  // from the wrist, in the axes of its joint, file units

  Vec3 at(const PosedJoints& pose) const {
    return pose.position[index(wrist)] + rotate(pose.rotation[index(wrist)], offset);
  }
};

std::optional<Palm> palm_of(const RiggedBody& body, const AnatomicalFrames& frames, std::size_t side) {
  const LimbBones& arm = body.bones.arms[side];
  if (arm.upper < 0 || arm.lower < 0 || arm.end < 0) return {};
  const auto place = [&](int joint) { return body.reference.position[index(joint)]; };
  int beyond = -1;
  for (const std::size_t finger : {std::size_t{2}, std::size_t{1}, std::size_t{3}})
    if (beyond < 0 && !body.bones.fingers[side][finger].empty()) beyond = body.bones.fingers[side][finger].front();
  if (beyond < 0) beyond = arm.marker;
  const Vec3 along = normalized(place(arm.end) - place(arm.lower));
  const Vec3 offset =
      beyond >= 0 ? palm_share * (place(beyond) - place(arm.end)) : usual_palm * frames.leg_length * along;
  return Palm{arm.end, rotate(conjugate(body.reference.rotation[index(arm.end)]), offset)};
}

// World places of all joints while a clip plays.
class PlayedJoints {
 public:
  PlayedJoints(const Skeleton& skeleton, const Clip& clip)
      : skeleton_(skeleton), clip_(clip), position_(skeleton.joints.size()), rotation_(skeleton.joints.size()) {}

  PosedJoints at(double seconds) {
    const Pose pose = sample(skeleton_, &clip_, seconds);
    for (std::size_t j = 0; j < position_.size(); ++j) {
      position_[j] = pose.world[j].translation;
      rotation_[j] = orientation_of(pose.world[j]);
    }
    return {position_, rotation_};
  }

 private:
  const Skeleton& skeleton_;
  const Clip& clip_;
  std::vector<Vec3> position_;
  std::vector<Quat> rotation_;
};

// How much a hand is led by a gap, a share of the leg.
double touch_weight(double gap) { return 1 - smooth_step((gap - touching_gap) / (farthest_gap - touching_gap)); }

// How a hand is led in a frame. Places are averaged by the cubes of their weights, and the mean is followed by the
// largest weight.
struct Led {
  Vec3 way;
  bool touches = false, other_arm = false;  // the skin, or the other arm or hand

  void add(double weight, const Vec3& to_place) {
    touches = touches || weight == 1;
    const double share = weight * weight * weight;
    sum += share * to_place;
    shares += share;
    most = std::max(most, weight);
    way = sum * (most / shares);
  }

 private:
  Vec3 sum;
  double shares = 0, most = 0;
};

double beside_ends(const BodyShape::Place& place) {
  return 1 - smooth_step(std::max({0.0, -place.along, place.along - 1}) / farthest_beyond);
}

bool is_arm(std::size_t part) { return part >= BodyShape::left_upper_arm; }
bool is_of_arm(std::size_t part, std::size_t side) {
  return part == BodyShape::left_upper_arm + side || part == BodyShape::left_forearm + side;
}

// Palms of both hands in a frame.
using Palms = std::array<Vec3, 2>;

// From where a palm was carried to the places that the source's palm has on the skin. `now`: the palms as they are led
// so far.
Led kept_touch(const TouchingBody& source, const PosedJoints& played, const Palms& source_palms,
               const TouchingBody& target, const PosedJoints& posed, const Vec3& carried, const Palms& now,
               std::size_t side, bool both) {
  const double scale = target.frames.leg_length / source.frames.leg_length;
  Led led;
  for (std::size_t p = 0; p < BodyShape::parts; ++p) {
    const auto part = static_cast<BodyShape::Part>(p);
    if (is_of_arm(p, side) || !source.shape.has(part) || !target.shape.has(part)) continue;
    BodyShape::Place place = source.shape.place_of(part, source_palms[side], played);
    const double weight = touch_weight(place.gap / source.frames.leg_length) * beside_ends(place);
    if (!(weight > 0)) continue;
    place.gap *= scale;
    place.beyond *= scale;
    led.other_arm = led.other_arm || is_arm(p);
    led.add(weight, target.shape.point_at(part, place, posed) - carried);
  }
  if (!both) return led;
  // Palms that meet stay as far apart, on both sides of the middle between them.
  const Vec3 from_other = source_palms[side] - source_palms[1 - side];
  const double weight = touch_weight(norm(from_other) / source.frames.leg_length - palms_apart);
  if (weight > 0) {
    const Vec3 apart = scale * (target.frames.axes * (transpose(source.frames.axes) * from_other));
    led.other_arm = true;
    led.add(weight, (now[0] + now[1]) / 2 + apart / 2 - carried);
  }
  return led;
}

void turn_bone(const BodyPoser& poser, int joint, const Quat& by, std::span<Quat> rotations) {
  if (const int bone = poser.bone_of(joint); bone >= 0)
    rotations[index(bone)] = normalized(by * rotations[index(bone)]);
}

// Moves a wrist by a way, by the arm's two bones.
void lead_wrist(const LimbBones& arm, const Vec3& way, std::span<const Vec3> positions, const BodyPoser& poser,
                std::span<Quat> rotations) {
  const auto place = [&](int joint) { return positions[index(joint)]; };
  const TwoBoneLimb posed{place(arm.upper), place(arm.lower), place(arm.end)};
  const double length = distance(posed.root, posed.middle) + distance(posed.middle, posed.end);
  const double stretch = std::max(soft_from, distance(posed.root, posed.end) / length);
  const TwoBonePose pose = solve_two_bones(posed, {posed.end + way, {}, {}, false, stretch});
  turn_bone(poser, arm.upper, pose.root, rotations);
  turn_bone(poser, arm.lower, pose.middle, rotations);
}

}  // namespace

HandTouches lead_touching_hands(const TouchingBody& source, const Clip& clip, const TouchingBody& target,
                                const BodyPoser& poser, TransferredMotion& carried) {
  HandTouches result;
  BoneMotion& motion = carried.motion;
  if (is_on_all_fours(source.body, source.frames) || is_on_all_fours(target.body, target.frames)) return result;
  const std::vector<double> keys = sampling_times(clip);
  const double later = carried.dropped_first_frame && keys.size() > 1 ? keys[1] - keys[0] : 0;
  PlayedJoints player(*source.body.skeleton, clip);
  std::vector<Vec3> positions(target.body.skeleton->joints.size());
  std::vector<Quat> turns(positions.size());
  const std::size_t count = poser.bones().size();
  const std::optional<Palm> from[] = {palm_of(source.body, source.frames, 0), palm_of(source.body, source.frames, 1)},
                            to[] = {palm_of(target.body, target.frames, 0), palm_of(target.body, target.frames, 1)};
  for (std::size_t f = 0; f < motion.times.size(); ++f) {
    const PosedJoints played = player.at(motion.times[f] + later);
    const std::span<Quat> rotations = std::span(motion.rotations).subspan(f * count, count);
    poser.place(rotations, motion.root[f], positions, turns);
    const PosedJoints posed{positions, turns};
    const auto can_be_led = [&](std::size_t side) {
      const LimbBones& arm = target.body.bones.arms[side];
      return from[side] && to[side] && poser.bone_of(arm.upper) >= 0 && poser.bone_of(arm.lower) >= 0;
    };
    const bool is_led[] = {can_be_led(0), can_be_led(1)};
    Palms source_palms, carried_palms;
    for (std::size_t side = 0; side < 2; ++side) {
      if (from[side]) source_palms[side] = from[side]->at(played);
      if (to[side]) carried_palms[side] = to[side]->at(posed);
    }
    bool touches = false, again = true;
    // Where a hand is led to the other arm, that may be led itself: a second time they meet.
    for (int time = 0; time < 2 && again; ++time) {
      again = false;
      Palms now = carried_palms;
      for (std::size_t side = 0; side < 2; ++side)
        if (to[side]) now[side] = to[side]->at(posed);
      for (std::size_t side = 0; side < 2; ++side) {
        if (!is_led[side]) continue;
        const Led led = kept_touch(source, played, source_palms, target, posed, carried_palms[side], now, side,
                                   is_led[0] && is_led[1]);
        touches = touches || led.touches;
        again = again || led.other_arm;
        const Vec3 way = carried_palms[side] + led.way - to[side]->at(posed);
        if (!(norm(way) > least_way * target.frames.leg_length)) continue;
        result.largest = std::max(result.largest, norm(led.way) / target.frames.leg_length);
        lead_wrist(target.body.bones.arms[side], way, positions, poser, rotations);
        poser.place(rotations, motion.root[f], positions, turns);
      }
    }
    result.touching += touches;
  }
  return result;
}

}  // namespace sinew
