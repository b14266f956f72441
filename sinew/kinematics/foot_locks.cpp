#include "sinew/kinematics/foot_locks.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/index.h"
#include "sinew/base/smooth_step.h"
#include "sinew/kinematics/two_bone.h"
#include "sinew/linalg/turns.h"

namespace sinew {
namespace {

constexpr double blend_seconds = 0.2;   // in which a correction comes and goes
constexpr double settle_seconds = 0.1;  // over which heights of a correction and of the hips are averaged
// Length of a foot without a toe joint, as a share of the leg.
constexpr double usual_foot = 0.15;
// Share of the leg's length to which it is stretched at most.
constexpr double most_stretch = 0.998;

const Vec3 upward{0, 1, 0};

Vec3 horizontal(const Vec3& v) { return {v.x, 0, v.z}; }

// The part of a foot that is held in a frame.
enum class Held : char { none, heel, toe };

// The held part in each frame: the heel as long as it stands, then the toe.
std::vector<Held> held_parts(const FootContacts& contacts) {
  std::vector<Held> held(contacts.heel.size(), Held::none);
  for (std::size_t f = 0; f < held.size(); ++f) {
    const bool heel = contacts.heel[f] != 0, toe = contacts.toe[f] != 0;
    const Held before = f > 0 ? held[f - 1] : Held::none;
    if (heel && toe)
      held[f] = before == Held::none ? Held::toe : before;
    else if (heel || toe)
      held[f] = heel ? Held::heel : Held::toe;
  }
  return held;
}

// Mean over the frames around each one, within `seconds`.
std::vector<double> averaged(const std::vector<double>& values, std::span<const double> times, double seconds) {
  std::vector<double> result(values.size());
  for (std::size_t f = 0; f < values.size(); ++f) {
    double sum = 0;
    int count = 0;
    for (std::size_t k = f; k-- > 0 && times[f] - times[k] <= seconds;) sum += values[k], ++count;
    for (std::size_t k = f; k < values.size() && times[k] - times[f] <= seconds; ++k) sum += values[k], ++count;
    result[f] = sum / count;
  }
  return result;
}

// Largest value within `seconds` of each frame.
std::vector<double> largest_around(const std::vector<double>& values, std::span<const double> times, double seconds) {
  std::vector<double> result(values);
  for (std::size_t f = 0; f < values.size(); ++f) {
    for (std::size_t k = f; k-- > 0 && times[f] - times[k] <= seconds;) result[f] = std::max(result[f], values[k]);
    for (std::size_t k = f; k < values.size() && times[k] - times[f] <= seconds; ++k)
      result[f] = std::max(result[f], values[k]);
  }
  return result;
}

// Corrections of a foot's place, per frame, that hold it.
class FootCorrection {
 public:
  FootCorrection(const FootPoints& foot, const FootPath& path, const FootContacts& contacts,
                 std::span<const double> times)
      : foot_(foot), path_(path), times_(times), held_(held_parts(contacts)), correction_(times.size()) {}

  std::vector<Vec3> find() {
    hold();
    level();
    blend();
    return std::move(correction_);
  }

 private:
  const Vec3& point(std::size_t f, Held part) const { return part == Held::toe ? path_.toe[f] : path_.ankle[f]; }

  std::size_t end_of(std::size_t f) const {
    std::size_t end = f;
    while (end < held_.size() && held_[end] == held_[f]) ++end;
    return end;
  }

  // The first part of a contact is held at the mean of its places; the next where it is when it takes over.
  void hold() {
    for (std::size_t f = 0; f < held_.size();) {
      const std::size_t end = end_of(f);
      const Held part = held_[f];
      if (part != Held::none) {
        Vec3 place;
        if (f > 0 && held_[f - 1] != Held::none) {
          place = horizontal(point(f - 1, part) + correction_[f - 1]);
        } else {
          for (std::size_t k = f; k < end; ++k) place += horizontal(point(k, part)) / static_cast<double>(end - f);
        }
        for (std::size_t k = f; k < end; ++k) correction_[k] = place - horizontal(point(k, part));
      }
      f = end;
    }
  }

  // Lifts or sinks each contact so that its lowest frame is on the ground.
  void level() {
    std::vector<double> heights(held_.size(), 0.0);
    for (std::size_t f = 0; f < held_.size();) {
      const std::size_t end = end_of(f);
      if (held_[f] != Held::none) {
        const double standing = held_[f] == Held::toe ? foot_.toe_standing : foot_.ankle_standing;
        double lowest = point(f, held_[f]).y;
        for (std::size_t k = f; k < end; ++k) lowest = std::min(lowest, point(k, held_[f]).y);
        for (std::size_t k = f; k < end; ++k) heights[k] = standing - lowest;
      }
      f = end;
    }
    for (std::size_t f = 0; f < held_.size();) {
      std::size_t end = f;
      while (end < held_.size() && (held_[end] == Held::none) == (held_[f] == Held::none)) ++end;
      if (held_[f] != Held::none) {
        const std::vector<double> own(heights.begin() + static_cast<std::ptrdiff_t>(f),
                                      heights.begin() + static_cast<std::ptrdiff_t>(end));
        const std::vector<double> smooth = averaged(own, times_.subspan(f, end - f), settle_seconds);
        for (std::size_t k = f; k < end; ++k) correction_[k].y = smooth[k - f];
      }
      f = end;
    }
  }

  // Between contacts the correction of the one before goes and that of the next one comes.
  void blend() {
    for (std::size_t f = 0; f < held_.size();) {
      const std::size_t end = end_of(f);
      if (held_[f] == Held::none) {
        const bool after = f > 0, before = end < held_.size();
        const double from = after ? times_[f - 1] : times_[f], to = before ? times_[end] : times_[end - 1];
        const double window = std::min(blend_seconds, after && before ? (to - from) / 2 : to - from);
        for (std::size_t k = f; k < end && window > 0; ++k) {
          Vec3 sum;
          if (after) sum += (1 - smooth_step((times_[k] - from) / window)) * correction_[f - 1];
          if (before) sum += (1 - smooth_step((to - times_[k]) / window)) * correction_[end];
          correction_[k] = sum;
        }
      }
      f = end;
    }
  }

  const FootPoints& foot_;
  const FootPath& path_;
  std::span<const double> times_;
  std::vector<Held> held_;
  std::vector<Vec3> correction_;
};

// The least distance by which the hips must sink for the leg to reach.
double sink_for(const Vec3& hip, const Vec3& ankle, double reach) {
  const Vec3 away = hip - ankle, across = horizontal(away);
  if (squared_norm(away) <= reach * reach || squared_norm(across) >= reach * reach) return 0;
  return away.y - std::sqrt(reach * reach - squared_norm(across));
}

// A pose of the body in one frame, for reading and changing.
class FrameOfMotion {
 public:
  FrameOfMotion(const RiggedBody& body, const BodyPoser& poser)
      : poser_(poser), positions_(body.skeleton->joints.size()), rotations_(body.skeleton->joints.size()) {}

  void place(const BoneMotion& motion, std::size_t f) { poser_.place(motion, f, positions_, rotations_); }
  const Vec3& position(int joint) const { return positions_[index(joint)]; }
  const Quat& rotation(int joint) const { return rotations_[index(joint)]; }
  Vec3 point(const FootPoints& foot, const Vec3& offset) const {
    return position(foot.foot) + rotate(rotation(foot.foot), offset);
  }

 private:
  const BodyPoser& poser_;
  std::vector<Vec3> positions_;
  std::vector<Quat> rotations_;
};

// Whether a limb is bent backward at rest, as front legs are.
bool bends_backward(const FootPoints& foot, const RiggedBody& body) {
  constexpr double clearly = 0.05;  // sine
  const auto place = [&](int joint) { return body.reference.position[index(joint)]; };
  const Vec3 thigh = normalized(place(foot.shin) - place(foot.thigh));
  const Vec3 ankle = place(foot.foot) + rotate(body.reference.rotation[index(foot.foot)], foot.ankle);
  const Vec3 hinge = rotate(body.reference.rotation[index(foot.thigh)], foot.hinge);
  return dot(cross(normalized(ankle - place(foot.shin)), thigh), hinge) < -clearly;
}

// Motion capture bends straight legs a little backward. Such a limb would fold backward when it is shortened, so its
// lower bone is first turned to where the limb is bent hardly, the right way. Returns that turn.
Quat unbent(const Vec3& thigh, const Vec3& shin, const Vec3& hinge) {
  constexpr double hardly = 0.02;  // radians
  const Vec3 along = normalized(thigh);
  if (dot(cross(normalized(shin), along), hinge) >= 0.5 * hardly) return {};
  return shortest_turn(shin, rotate(axis_angle(hinge, -hardly), along));
}

// Length of a leg, as it is in a frame: bones that are pulled apart make it longer.
double length_of(const FootPoints& foot, const FrameOfMotion& frame) {
  const Vec3& knee = frame.position(foot.shin);
  return distance(frame.position(foot.thigh), knee) + distance(knee, frame.point(foot, foot.ankle));
}

void reach_with(const FootPoints& foot, const RiggedBody& body, const FrameOfMotion& frame, const BodyPoser& poser,
                const Vec3& target, std::span<Quat> rotations) {
  TwoBoneGoal goal;
  goal.target = target;
  goal.hinge = rotate(frame.rotation(foot.thigh), foot.hinge);
  const Vec3 hip = frame.position(foot.thigh), knee = frame.position(foot.shin);
  const Vec3 shin = frame.point(foot, foot.ankle) - knee;
  const Quat first = bends_backward(foot, body) ? Quat{} : unbent(knee - hip, shin, goal.hinge);
  const TwoBonePose pose = solve_two_bones({hip, knee, knee + rotate(first, shin)}, goal);
  const auto turn = [&](int joint, const Quat& by) {
    if (const int bone = poser.bone_of(joint); bone >= 0)
      rotations[index(bone)] = normalized(by * rotations[index(bone)]);
  };
  turn(foot.thigh, pose.root);
  turn(foot.shin, pose.middle * first);
}

}  // namespace

std::vector<FootPoints> foot_points(const RiggedBody& body, const AnatomicalFrames& frames,
                                    std::span<const LimbBones> limbs) {
  std::vector<FootPoints> feet;
  const auto place = [&](int joint) { return body.reference.position[index(joint)]; };
  for (const LimbBones& leg : limbs) {
    const int ankle = leg.end >= 0 ? leg.end : leg.marker;
    if (leg.upper < 0 || leg.lower < 0 || ankle < 0) return {};
    FootPoints foot;
    foot.thigh = leg.upper;
    foot.shin = leg.lower;
    foot.foot = leg.end >= 0 ? leg.end : leg.lower;
    const Quat back = conjugate(body.reference.rotation[index(foot.foot)]);
    const int toe = leg.end < 0 ? -1 : leg.tip >= 0 ? leg.tip : leg.marker;
    const Vec3 forward = frames.axes.column(2);
    Vec3 ball = toe >= 0 ? place(toe) : place(ankle) + usual_foot * frames.leg_length * forward;
    if (toe < 0) ball.y = frames.ground;
    foot.ankle = rotate(back, place(ankle) - place(foot.foot));
    foot.toe = rotate(back, ball - place(foot.foot));
    foot.ankle_standing = place(ankle).y;
    foot.toe_standing = ball.y;
    foot.hinge = rotate(conjugate(body.reference.rotation[index(foot.thigh)]), -frames.axes.column(0));
    foot.thigh_length = norm(place(leg.lower) - place(leg.upper));
    foot.shin_length = norm(place(ankle) - place(leg.lower));
    feet.push_back(foot);
  }
  return feet;
}

FootPath path_of(const FootPoints& foot, const RiggedBody& body, const BodyPoser& poser, const BoneMotion& motion) {
  FootPath path;
  path.ankle_standing = foot.ankle_standing;
  path.toe_standing = foot.toe_standing;
  FrameOfMotion frame(body, poser);
  for (std::size_t f = 0; f < motion.times.size(); ++f) {
    frame.place(motion, f);
    path.ankle.push_back(frame.point(foot, foot.ankle));
    path.toe.push_back(frame.point(foot, foot.toe));
  }
  return path;
}

FootSlide foot_slide(std::span<const FootPath> feet, std::span<const FootContacts> contacts, double leg_length) {
  FootSlide slide;
  for (std::size_t side = 0; side < feet.size(); ++side) {
    const FootContacts& contact = contacts[side];
    double way = 0;
    for (std::size_t f = 0; f < contact.heel.size(); ++f) {
      if (!contact.any(f)) continue;
      if (f == 0 || !contact.any(f - 1)) {
        ++slide.contacts;
        way = 0;
        continue;
      }
      const auto step = [&](const std::vector<Vec3>& path) { return norm(horizontal(path[f] - path[f - 1])); };
      const bool heel = contact.heel[f] && contact.heel[f - 1], toe = contact.toe[f] && contact.toe[f - 1];
      // A foot that changes from heel to toe in this frame stands on both.
      if (heel && !toe)
        way += step(feet[side].ankle);
      else if (toe && !heel)
        way += step(feet[side].toe);
      else
        way += std::min(step(feet[side].ankle), step(feet[side].toe));
      slide.largest = std::max(slide.largest, way / leg_length);
    }
  }
  return slide;
}

void lock_feet(const RiggedBody& body, const AnatomicalFrames& frames, const BodyPoser& poser,
               std::span<const FootContacts> contacts, BoneMotion& motion) {
  const std::vector<FootPoints> feet = foot_points(body, frames, body.bones.legs);
  if (feet.empty() || motion.times.empty()) return;
  std::vector<std::vector<Vec3>> targets(feet.size());
  for (std::size_t side = 0; side < feet.size(); ++side) {
    const FootPath path = path_of(feet[side], body, poser, motion);
    targets[side] = FootCorrection(feet[side], path, contacts[side], motion.times).find();
    for (std::size_t f = 0; f < motion.times.size(); ++f) targets[side][f] += path.ankle[f];
  }

  FrameOfMotion frame(body, poser);
  std::vector<double> sink(motion.times.size(), 0.0);
  for (std::size_t f = 0; f < motion.times.size(); ++f) {
    frame.place(motion, f);
    for (std::size_t side = 0; side < feet.size(); ++side)
      if (contacts[side].any(f))
        sink[f] = std::max(sink[f], sink_for(frame.position(feet[side].thigh), targets[side][f],
                                             most_stretch * length_of(feet[side], frame)));
  }
  sink = averaged(largest_around(sink, motion.times, settle_seconds), motion.times, settle_seconds);
  for (std::size_t f = 0; f < motion.times.size(); ++f) motion.root[f] -= sink[f] * upward;
  place_feet(body, poser, feet, targets, motion);
}

void place_feet(const RiggedBody& body, const BodyPoser& poser, std::span<const FootPoints> feet,
                std::span<const std::vector<Vec3>> targets, BoneMotion& motion) {
  const std::size_t count = poser.bones().size();
  FrameOfMotion frame(body, poser);
  for (std::size_t f = 0; f < motion.times.size(); ++f) {
    frame.place(motion, f);
    const std::span<Quat> rotations = std::span(motion.rotations).subspan(f * count, count);
    for (std::size_t side = 0; side < feet.size(); ++side)
      reach_with(feet[side], body, frame, poser, targets[side][f], rotations);
  }
}

}  // namespace sinew
