#include "sinew/jobs/motion/standing_feet.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "sinew/base/index.h"
#include "sinew/kinematics/frame_steps.h"
#include "sinew/linalg/rotation.h"
#include "sinew/linalg/turns.h"

namespace sinew {
namespace {

// Feet that are farther than this from where they are to be, as a share of the leg, were not led there: scales of
// joints change.
constexpr double led_within = 0.01;

BoneMotion sampled_motion(const Skeleton& skeleton, int root, const Clip& clip, double frames_per_second,
                          const BodyPoser& poser) {
  const int frames = std::max(1, static_cast<int>(std::lround((clip.end - clip.start) * frames_per_second)));
  BoneMotion motion;
  std::vector<Vec3> offsets;
  for (int f = 0; f <= frames; ++f) {
    motion.times.push_back(clip.start + (clip.end - clip.start) * f / frames);
    const Pose pose = sample(skeleton, &clip, motion.times.back());
    for (const int joint : poser.bones()) motion.rotations.push_back(orientation_of(pose.world[index(joint)]));
    motion.root.push_back(pose.world[index(root)].translation);
    poser.find_offsets(std::span(motion.rotations).last(poser.bones().size()), pose, offsets);
    motion.offsets.insert(motion.offsets.end(), offsets.begin(), offsets.end());
  }
  return motion;
}

// Whether a clip has the feet where a motion puts them.
bool has_feet_of(const Skeleton& skeleton, const Clip& clip, const BodyPoser& poser, const BoneMotion& motion,
                 std::span<const FootPoints> feet, double leg_length) {
  std::vector<Vec3> positions(skeleton.joints.size());
  std::vector<Quat> rotations(skeleton.joints.size());
  for (std::size_t f = 0; f < motion.times.size(); ++f) {
    poser.place(motion, f, positions, rotations);
    const Pose pose = sample(skeleton, &clip, motion.times[f]);
    for (const FootPoints& foot : feet)
      if (!(distance(positions[index(foot.foot)], pose.world[index(foot.foot)].translation) < led_within * leg_length))
        return false;
  }
  return true;
}

// Largest height of a foot above where it stands flat that it has all the time of one contact, as a share of the leg.
double height_of(const FootPath& path, const FootContacts& contacts, double leg_length) {
  double largest = 0, lowest = 0;
  for (std::size_t f = 0; f < path.ankle.size(); ++f) {
    if (!contacts.any(f)) continue;
    double height = INFINITY;
    if (contacts.heel[f]) height = path.ankle[f].y - path.ankle_standing;
    if (contacts.toe[f]) height = std::min(height, path.toe[f].y - path.toe_standing);
    const bool begins = f == 0 || !contacts.any(f - 1), ends = f + 1 == path.ankle.size() || !contacts.any(f + 1);
    lowest = begins ? height : std::min(lowest, height);
    if (ends) largest = std::max(largest, lowest / leg_length);
  }
  return largest;
}

// The channels that move the bones of `led` as a motion has them, wherever the joints above and between take them: the
// clip's own translations stay, but for bones that do not hang on what carries them.
std::vector<Channel> led_channels(const Skeleton& skeleton, const Clip& clip, const BodyPoser& poser,
                                  const BoneMotion& motion, std::span<const int> led) {
  constexpr double noticed = 1e-6;  // of the distance to the parent
  const std::size_t joints = skeleton.joints.size();
  std::vector<Channel> rotations, translations;
  std::vector<char> moves(led.size());
  std::vector<int> place(joints, -1);
  for (std::size_t k = 0; k < led.size(); ++k) {
    place[index(led[k])] = static_cast<int>(k);
    rotations.push_back({led[k], ChannelPath::rotation, Interpolation::linear, motion.times, 4, {}});
    translations.push_back({led[k], ChannelPath::translation, Interpolation::linear, motion.times, 3, {}});
  }
  SamplingSpace space;
  Pose pose;
  std::vector<Vec3> positions(joints);
  std::vector<Quat> turns(joints), before(led.size());
  std::vector<Affine> world(joints);
  for (std::size_t f = 0; f < motion.times.size(); ++f) {
    sample(skeleton, &clip, motion.times[f], space, pose);
    poser.place(motion, f, positions, turns);
    for (const int joint : skeleton.parents_first) {
      const int parent = skeleton.joints[index(joint)].parent;
      const Affine& own = pose.world[index(joint)];
      const Affine local = parent < 0 ? own : inverse(pose.world[index(parent)]) * own;
      const int k = place[index(joint)];
      if (k < 0) {
        world[index(joint)] = parent < 0 ? own : world[index(parent)] * local;
        continue;
      }
      const Quat turn = normalized(turns[index(joint)] * conjugate(orientation_of(own)));
      world[index(joint)] = {to_matrix(turn) * own.linear, positions[index(joint)]};
      const Transform now =
          to_transform(parent < 0 ? world[index(joint)] : inverse(world[index(parent)]) * world[index(joint)]);
      Quat& last = before[index(k)];
      last = f == 0 ? now.rotation : nearer_quaternion(now.rotation, last);
      std::vector<double>&turned = rotations[index(k)].values, &moved = translations[index(k)].values;
      turned.insert(turned.end(), {last.x, last.y, last.z, last.w});
      moved.insert(moved.end(), {now.translation.x, now.translation.y, now.translation.z});
      if (distance(now.translation, local.translation) > noticed * norm(local.translation)) moves[index(k)] = 1;
    }
  }
  for (std::size_t k = 0; k < led.size(); ++k)
    if (moves[k]) rotations.push_back(std::move(translations[k]));
  return rotations;
}

// Replaces channels of a clip by those of the same joint and path.
void replace_channels(std::vector<Channel> channels, Clip& clip) {
  for (Channel& channel : channels) {
    const auto same = std::find_if(clip.channels.begin(), clip.channels.end(), [&](const Channel& own) {
      return own.joint == channel.joint && own.path == channel.path;
    });
    if (same != clip.channels.end())
      *same = std::move(channel);
    else
      clip.channels.push_back(std::move(channel));
  }
}

// Takes out contacts during which the foot comes farther from its mean place along the ground.
void drop_far_contacts(const FootPath& path, double farthest, FootContacts& contacts) {
  for (std::size_t f = 0; f < contacts.heel.size();) {
    std::size_t end = f;
    while (end < contacts.heel.size() && contacts.any(end)) ++end;
    if (end == f) {
      ++f;
      continue;
    }
    Vec3 middle;
    for (std::size_t k = f; k < end; ++k) middle += path.ankle[k] / static_cast<double>(end - f);
    double away = 0;
    for (std::size_t k = f; k < end; ++k)
      away = std::max(away, std::hypot(path.ankle[k].x - middle.x, path.ankle[k].z - middle.z));
    for (std::size_t k = f; k < end && away > farthest; ++k) contacts.heel[k] = contacts.toe[k] = 0;
    f = end;
  }
}

// The feet of a clip, where some stand.
struct ClipFeet {
  AnatomicalFrames frames;
  BodyPoser poser;
  BoneMotion motion;
  std::vector<FootContacts> contacts;
};

std::optional<ClipFeet> feet_of(const RiggedBody& body, double frames_per_second, const Clip& clip) {
  if (!body.bones.complete()) return std::nullopt;
  ClipFeet result{anatomical_frames(body.bones, body.reference, body.up),
                  BodyPoser(*body.skeleton, body.bones, body.reference, joints_of(body.bones)),
                  {},
                  {}};
  const std::vector<FootPoints> feet = foot_points(body, result.frames, body.bones.legs);
  result.motion = sampled_motion(*body.skeleton, body.bones.root, clip, frames_per_second, result.poser);
  if (feet.empty()) return std::nullopt;
  result.contacts = contacts_of(body, result.frames, result.poser, result.motion);
  const bool stands = std::any_of(result.contacts.begin(), result.contacts.end(), [&](const FootContacts& foot) {
    for (std::size_t f = 0; f < result.motion.times.size(); ++f)
      if (foot.any(f)) return true;
    return false;
  });
  return stands ? std::optional(std::move(result)) : std::nullopt;
}

}  // namespace

std::vector<FootContacts> contacts_of(const RiggedBody& body, const AnatomicalFrames& frames, const BodyPoser& poser,
                                      const BoneMotion& motion) {
  std::vector<FootContacts> contacts;
  for (const FootPoints& foot : foot_points(body, frames, body.bones.legs))
    contacts.push_back(find_contacts(path_of(foot, body, poser, motion), motion.times, frames.leg_length));
  return contacts;
}

ClipStanding measure_clip(const RiggedBody& body, const AnatomicalFrames& frames,
                          std::span<const FootContacts> contacts, const Clip& clip, std::span<const double> times) {
  const std::vector<FootPoints> feet = foot_points(body, frames, body.bones.legs);
  ClipStanding standing;
  std::vector<FootPath> paths(feet.size());
  SamplingSpace space;
  Pose pose;
  for (const double time : times) {
    sample(*body.skeleton, &clip, time, space, pose);
    for (std::size_t side = 0; side < feet.size(); ++side) {
      const Affine& foot = pose.world[index(feet[side].foot)];
      const Quat turn = orientation_of(foot);
      paths[side].ankle.push_back(foot.translation + rotate(turn, feet[side].ankle));
      paths[side].toe.push_back(foot.translation + rotate(turn, feet[side].toe));
    }
  }
  standing.slide = foot_slide(paths, contacts, frames.leg_length).largest;
  for (std::size_t side = 0; side < feet.size(); ++side) {
    paths[side].ankle_standing = feet[side].ankle_standing;
    paths[side].toe_standing = feet[side].toe_standing;
    standing.height = std::max(standing.height, height_of(paths[side], contacts[side], frames.leg_length));
  }
  return standing;
}

MotionReport measure_feet(const RiggedBody& body, const AnatomicalFrames& frames, const BodyPoser& poser,
                          std::span<const FootContacts> contacts, const BoneMotion& motion) {
  std::vector<FootPath> paths;
  for (const FootPoints& foot : foot_points(body, frames, body.bones.legs))
    paths.push_back(path_of(foot, body, poser, motion));
  const FootSlide slide = foot_slide(paths, contacts, frames.leg_length);
  const FrameSteps steps = frame_steps(body, poser, motion, frames.leg_length);
  MotionReport report;
  report.contacts = slide.contacts;
  report.slide = report.slide_before = slide.largest;
  report.first_step = steps.first;
  report.usual_step = steps.usual;
  return report;
}

MotionReport hold_feet(const RiggedBody& body, const AnatomicalFrames& frames, const BodyPoser& poser,
                       std::span<const FootContacts> contacts, BoneMotion& motion) {
  const double before = measure_feet(body, frames, poser, contacts, motion).slide;
  lock_feet(body, frames, poser, contacts, motion);
  MotionReport report = measure_feet(body, frames, poser, contacts, motion);
  report.slide_before = before;
  return report;
}

std::vector<StandingTimes> standing_times(const RiggedBody& body, double frames_per_second, const Clip& clip) {
  const std::optional<ClipFeet> feet = feet_of(body, frames_per_second, clip);
  std::vector<StandingTimes> standing;
  for (std::size_t side = 0; feet && side < feet->contacts.size(); ++side) {
    StandingTimes own{body.bones.legs[side].end_joint(), {}};
    const std::vector<double>& times = feet->motion.times;
    for (std::size_t f = 0; f < times.size(); ++f) {
      if (!feet->contacts[side].any(f)) continue;
      if (f > 0 && feet->contacts[side].any(f - 1))
        own.contacts.back().second = times[f];
      else
        own.contacts.emplace_back(times[f], times[f]);
    }
    standing.push_back(std::move(own));
  }
  return standing;
}

std::optional<double> foot_slide_of(const RiggedBody& body, double frames_per_second, const Clip& clip) {
  const std::optional<ClipFeet> feet = feet_of(body, frames_per_second, clip);
  if (!feet) return std::nullopt;
  return measure_feet(body, feet->frames, feet->poser, feet->contacts, feet->motion).slide;
}

std::optional<MotionReport> hold_feet_of(const RiggedBody& body, double frames_per_second, double most_slide,
                                         Clip& clip, double farthest) {
  std::optional<ClipFeet> feet = feet_of(body, frames_per_second, clip);
  if (!feet) return std::nullopt;
  const std::vector<FootPoints> points = foot_points(body, feet->frames, body.bones.legs);
  for (std::size_t side = 0; std::isfinite(farthest) && side < points.size(); ++side)
    drop_far_contacts(path_of(points[side], body, feet->poser, feet->motion), farthest * feet->frames.leg_length,
                      feet->contacts[side]);
  BoneMotion held = feet->motion;
  MotionReport report = hold_feet(body, feet->frames, feet->poser, feet->contacts, held);
  if (report.slide_before <= most_slide) {
    report.slide = report.slide_before;
    return report;
  }
  std::vector<int> led{body.bones.root};
  for (const LimbBones& leg : body.bones.legs)
    for (const int joint : {leg.upper, leg.lower, leg.end})
      if (joint >= 0) led.push_back(joint);
  Clip corrected = clip;
  replace_channels(led_channels(*body.skeleton, clip, feet->poser, held, led), corrected);
  if (!has_feet_of(*body.skeleton, corrected, feet->poser, held, points, feet->frames.leg_length)) return std::nullopt;
  clip = std::move(corrected);
  return report;
}

}  // namespace sinew
