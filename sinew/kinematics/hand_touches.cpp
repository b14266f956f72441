#include "sinew/kinematics/hand_touches.h"

#include <algorithm>
#include <optional>

#include "sinew/base/index.h"
#include "sinew/base/smooth_step.h"
#include "sinew/kinematics/built_in_motion.h"
#include "sinew/kinematics/two_bone.h"

namespace sinew {
namespace {

// Distances from the skin, as shares of the leg: the palm of a touching hand, and where a hand is not led any more.
constexpr double touching_gap = 0.05, farthest_gap = 0.15;
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
  int beyond = arm.marker;
  for (const std::size_t finger : {std::size_t{2}, std::size_t{1}, std::size_t{3}})
    if (beyond < 0 && !body.bones.fingers[side][finger].empty()) beyond = body.bones.fingers[side][finger].front();
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

// How a hand is led in a frame.
struct Led {
  Vec3 way;
  bool touches = false;
};

double beside_ends(const BodyShape::Place& place) {
  return 1 - smooth_step(std::max({0.0, -place.along, place.along - 1}) / farthest_beyond);
}

// From the palm to the place that the source's palm has on the skin.
Led kept_touch(const TouchingBody& source, const PosedJoints& played, const Vec3& source_palm,
               const TouchingBody& target, const PosedJoints& posed, const Vec3& palm) {
  const double scale = target.frames.leg_length / source.frames.leg_length;
  Led led;
  double weights = 0;
  for (std::size_t p = 0; p < BodyShape::parts; ++p) {
    const auto part = static_cast<BodyShape::Part>(p);
    if (!source.shape.has(part) || !target.shape.has(part)) continue;
    BodyShape::Place place = source.shape.place_of(part, source_palm, played);
    const double weight = touch_weight(place.gap / source.frames.leg_length) * beside_ends(place);
    if (!(weight > 0)) continue;
    led.touches = led.touches || weight == 1;
    place.gap *= scale;
    place.beyond *= scale;
    led.way += weight * (target.shape.point_at(part, place, posed) - palm);
    weights += weight;
  }
  if (weights > 1) led.way = led.way * (1 / weights);
  return led;
}

void turn_bone(const BodyPoser& poser, int joint, const Quat& by, std::span<Quat> rotations) {
  if (const int bone = poser.bone_of(joint); bone >= 0)
    rotations[index(bone)] = normalized(by * rotations[index(bone)]);
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
    bool touches = false;
    for (std::size_t side = 0; side < 2; ++side) {
      if (!from[side] || !to[side]) continue;
      const Vec3 palm = to[side]->at(posed);
      const Led led = kept_touch(source, played, from[side]->at(played), target, posed, palm);
      touches = touches || led.touches;
      const Vec3& way = led.way;
      const double far = norm(way) / target.frames.leg_length;
      if (!(far > least_way)) continue;
      result.largest = std::max(result.largest, far);
      const LimbBones& arm = target.body.bones.arms[side];
      const auto place = [&](int joint) { return positions[index(joint)]; };
      const TwoBoneLimb posed_arm{place(arm.upper), place(arm.lower), place(arm.end)};
      const double length = distance(posed_arm.root, posed_arm.middle) + distance(posed_arm.middle, posed_arm.end);
      const double stretch = std::max(soft_from, distance(posed_arm.root, posed_arm.end) / length);
      const TwoBonePose pose = solve_two_bones(posed_arm, {posed_arm.end + way, {}, {}, false, stretch});
      turn_bone(poser, arm.upper, pose.root, rotations);
      turn_bone(poser, arm.lower, pose.middle, rotations);
    }
    result.touching += touches;
  }
  return result;
}

}  // namespace sinew
