#include "sinew/kinematics/transfer_motion.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/character/channel.h"
#include "sinew/kinematics/bone_links.h"
#include "sinew/linalg/rotation.h"

namespace sinew {
namespace {

constexpr double right_angle = 1.5707963267948966;

// World rotations and places of some joints of a skeleton while it plays a clip.
class SourcePlayer {
 public:
  // `turned`: joints whose rotations are asked for; `placed`: joints whose places are.
  SourcePlayer(const Skeleton& skeleton, const Clip& clip, std::span<const int> turned, std::span<const int> placed)
      : skeleton_(skeleton), rotation_(skeleton.joints.size()), world_(skeleton.joints.size()) {
    std::vector<char> needs(skeleton.joints.size(), 0);  // 1: a rotation, 2: a place too
    const auto mark = [&](std::span<const int> joints, char what) {
      for (int joint : joints)
        for (; joint >= 0 && needs[index(joint)] < what; joint = skeleton.joints[index(joint)].parent)
          needs[index(joint)] = what;
    };
    mark(turned, 1);
    mark(placed, 2);
    for (const int joint : skeleton.parents_first)
      if (needs[index(joint)] > 0) steps_.push_back({joint, needs[index(joint)] > 1});
    local_.resize(skeleton.joints.size());
    animated_.assign(skeleton.joints.size(), 0);
    for (std::size_t j = 0; j < local_.size(); ++j) local_[j] = skeleton.joints[j].rest;
    for (const Channel& channel : clip.channels)
      if (channel.path != ChannelPath::weights && needs[index(channel.joint)] > 0) {
        channels_.push_back(&channel);
        animated_[index(channel.joint)] = 1;
      }
  }

  void go_to(double seconds) {
    for (const Channel* channel : channels_) {
      std::array<double, 4> v{};
      evaluate(*channel, seconds, v);
      Transform& local = local_[index(channel->joint)];
      if (channel->path == ChannelPath::rotation) local.rotation = normalized(Quat{v[0], v[1], v[2], v[3]});
      if (channel->path == ChannelPath::translation) local.translation = {v[0], v[1], v[2]};
      if (channel->path == ChannelPath::scale) local.scale = {v[0], v[1], v[2]};
    }
    for (const Step& step : steps_) {
      const auto j = index(step.joint);
      const Joint& own = skeleton_.joints[j];
      const bool by_matrix = own.rest_matrix && !animated_[j];
      const Quat turn = by_matrix ? orientation_of(*own.rest_matrix) : local_[j].rotation;
      rotation_[j] = own.parent < 0 ? turn : rotation_[index(own.parent)] * turn;
      if (!step.placed) continue;
      const Affine place = by_matrix ? *own.rest_matrix : to_affine(local_[j]);
      world_[j] = own.parent < 0 ? place : world_[index(own.parent)] * place;
    }
  }
  const Quat& rotation(int joint) const { return rotation_[index(joint)]; }
  Vec3 position(int joint) const { return world_[index(joint)].translation; }

 private:
  struct Step {
    int joint = -1;
    bool placed = false;
  };

  const Skeleton& skeleton_;
  std::vector<Step> steps_;  // each after its parent
  std::vector<const Channel*> channels_;
  std::vector<Transform> local_;
  std::vector<char> animated_;
  std::vector<Quat> rotation_;
  std::vector<Affine> world_;
};

int toe_joint(const LimbBones& leg) { return leg.tip >= 0 ? leg.tip : leg.end >= 0 ? leg.marker : -1; }

// Samples of the source's motion, in its own space.
struct SourceSamples {
  std::vector<double> times;
  std::vector<Quat> rotations;  // frames x links, of `source`; blends already made
  std::vector<Vec3> hips;       // per frame: middle between the thighs' joints
  Vec3 left, left_after_first;  // across the thighs in the first frame, and in the second
  Vec3 body_up;                 // from the feet to the hips, sum over frames of unit vectors
  std::array<FootPath, 2> feet;
};

SourceSamples sample_source(const RiggedBody& source, const AnatomicalFrames& frames, const Clip& clip,
                            const std::vector<BoneLink>& links) {
  SourceSamples samples;
  samples.times = sampling_times(clip);
  const auto& legs = source.bones.legs;
  std::vector<int> turned, placed;
  for (const BoneLink& link : links) {
    turned.push_back(link.source);
    if (link.other >= 0) turned.push_back(link.other);
  }
  for (const LimbBones& leg : legs) {
    placed.insert(placed.end(), {leg.upper, leg.end_joint()});
    if (toe_joint(leg) >= 0) placed.push_back(toe_joint(leg));
  }
  SourcePlayer player(*source.skeleton, clip, turned, placed);
  const auto framed = [&](int joint) { return player.rotation(joint) * frames.frame_to_joint[index(joint)]; };
  samples.rotations.reserve(samples.times.size() * links.size());
  for (const double time : samples.times) {
    player.go_to(time);
    for (const BoneLink& link : links)
      samples.rotations.push_back(link.other < 0 ? framed(link.source)
                                                 : slerp(framed(link.source), framed(link.other), link.share));
    const Vec3 left = player.position(legs[0].upper), right = player.position(legs[1].upper);
    samples.hips.push_back((left + right) / 2);
    if (samples.hips.size() == 1) samples.left = left - right;
    if (samples.hips.size() == 2) samples.left_after_first = left - right;
    Vec3 feet;
    for (std::size_t side = 0; side < 2; ++side) {
      const int toe = toe_joint(legs[side]);
      samples.feet[side].ankle.push_back(player.position(legs[side].end_joint()));
      if (toe >= 0) samples.feet[side].toe.push_back(player.position(toe));
      feet += samples.feet[side].ankle.back() / 2;
    }
    samples.body_up += normalized(samples.hips.back() - feet);
  }
  return samples;
}

// Largest turn of a bone, radians, from one frame to the next.
double turn_between(const SourceSamples& samples, std::size_t links, std::size_t f) {
  double least_cosine = 1;
  for (std::size_t k = 0; k < links; ++k)
    least_cosine =
        std::min(least_cosine, std::abs(dot(samples.rotations[f * links + k], samples.rotations[(f + 1) * links + k])));
  return 2 * std::acos(std::min(least_cosine, 1.0));
}

// Whether the first frame is no part of the motion: a rest pose that recording programs put before it. Bones then turn
// far more than in any of the frames that follow.
bool begins_with_rest_pose(const SourceSamples& samples, std::size_t links) {
  constexpr std::size_t compared = 10;  // frames
  constexpr double far = 0.35, many_times = 5;
  if (samples.times.size() < 4) return false;
  double usual = 0;
  for (std::size_t f = 1; f < std::min(compared, samples.times.size() - 1); ++f)
    usual = std::max(usual, turn_between(samples, links, f));
  const double first = turn_between(samples, links, 0);
  return first > far && first > many_times * usual;
}

// The motion keeps its beginning: its times are shifted by the frame that is left out.
void drop_first_frame(SourceSamples& samples, std::size_t links) {
  const double shift = samples.times[1] - samples.times[0];
  samples.times.erase(samples.times.begin());
  for (double& time : samples.times) time -= shift;
  samples.rotations.erase(samples.rotations.begin(), samples.rotations.begin() + static_cast<std::ptrdiff_t>(links));
  samples.hips.erase(samples.hips.begin());
  for (FootPath& foot : samples.feet) {
    foot.ankle.erase(foot.ankle.begin());
    if (!foot.toe.empty()) foot.toe.erase(foot.toe.begin());
  }
  samples.left = samples.left_after_first;
}

// Height that the feet stand on: that of the lower foot, but for a few frames.
double ground_of(const SourceSamples& samples, const AnatomicalFrames& frames, const Vec3& up) {
  constexpr double outliers = 0.02;
  std::vector<double> lowest;
  for (std::size_t f = 0; f < samples.times.size(); ++f) {
    double low = INFINITY;
    for (const FootPath& foot : samples.feet) {
      low = std::min(low, dot(foot.ankle[f], up) - frames.ankle_height);
      if (!foot.toe.empty()) low = std::min(low, dot(foot.toe[f], up) - frames.toe_height);
    }
    lowest.push_back(low);
  }
  const auto at = lowest.begin() + static_cast<std::ptrdiff_t>(outliers * static_cast<double>(lowest.size()));
  std::nth_element(lowest.begin(), at, lowest.end());
  return *at;
}

// The unit of a skeleton whose legs have this length, for a sentence: a grown-up's are about 0.85 m.
std::string unit_words(double leg) {
  struct Unit {
    const char* name;
    double metres;
  };
  constexpr Unit units[] = {{"metres", 1},          {"decimetres", 0.1}, {"centimetres", 0.01},
                            {"millimetres", 0.001}, {"inches", 0.0254},  {"feet", 0.3048}};
  constexpr double usual_leg = 0.85, most_off = 0.35;  // metres, share
  const Unit* nearest = nullptr;
  double least = most_off;
  for (const Unit& unit : units)
    if (const double off = std::abs(std::log(leg * unit.metres / usual_leg)); off < least) {
      least = off;
      nearest = &unit;
    }
  char text[96];
  if (nearest != nullptr)
    std::snprintf(text, sizeof(text), "units look like %s", nearest->name);
  else
    std::snprintf(text, sizeof(text), "one unit is about %.2g cm if it is of a grown-up", 100 * usual_leg / leg);
  return text;
}

std::string axis_name(const Vec3& axis) {
  const char* names[] = {"x", "y", "z"};
  for (std::size_t k = 0; k < 3; ++k)
    if (std::abs(axis[k]) > 0.5) return std::string(axis[k] < 0 ? "-" : "+") + names[k];
  return "";
}

// Angle of the upper arms below horizontal in the reference pose, degrees, as a word.
std::string rest_pose_word(const RiggedBody& body, const AnatomicalFrames& frames) {
  double sink = 0;
  int arms = 0;
  for (const LimbBones& arm : body.bones.arms) {
    if (arm.upper < 0 || arm.lower < 0) continue;
    const Vec3 along =
        normalized(body.reference.position[index(arm.lower)] - body.reference.position[index(arm.upper)]);
    sink += std::asin(std::clamp(-dot(along, frames.axes.column(1)), -1.0, 1.0)) * 180 / (2 * right_angle);
    ++arms;
  }
  if (arms == 0) return "no arms";
  sink /= arms;
  return sink < -20 ? "arms raised" : sink < 20 ? "T pose" : sink < 65 ? "A pose" : "arms down";
}

// Rotation from the motion's space to the target's, heading included.
Quat heading(const RiggedBody& source, const AnatomicalFrames& from, const AnatomicalFrames& to,
             const SourceSamples& samples, MotionSpace& space) {
  const Quat target = to_quaternion(to.axes);
  // The source's axes in its motion's space: those of the reference pose, or turned with the up axis.
  Mat3 axes = from.axes;
  if (norm(space.up - from.axes.column(1)) > 0.5) {
    const Vec3 across = nearest_axis(samples.left - dot(samples.left, space.up) * space.up);
    axes = Mat3::from_columns(across, space.up, cross(across, space.up));
  }
  if (source.grounded) return normalized(target * conjugate(to_quaternion(axes)));
  const Vec3 across = normalized(samples.left - dot(samples.left, space.up) * space.up);
  const double angle = std::atan2(dot(cross(axes.column(0), across), space.up), dot(axes.column(0), across));
  const double quarter = std::round(angle / right_angle) * right_angle;
  space.turned = -quarter * 90 / right_angle;
  const Quat turn = axis_angle(space.up, quarter);
  return normalized(target * conjugate(normalized(turn * to_quaternion(axes))));
}

MotionSpace motion_space(const RiggedBody& source, const AnatomicalFrames& from, const AnatomicalFrames& to,
                         const SourceSamples& samples) {
  MotionSpace space;
  space.up = source.up;
  constexpr double clearly = 0.75;  // cosine
  const Vec3 body_up = samples.body_up / static_cast<double>(samples.times.size());
  // Files have y or z up.
  const Vec3 other = std::abs(source.up.y) > 0.5 ? Vec3{0, 0, 1} : Vec3{0, 1, 0};
  if (!source.grounded && dot(body_up, source.up) < clearly && dot(body_up, other) > clearly) space.up = other;
  space.to_target = heading(source, from, to, samples, space);
  space.scale = to.leg_length / from.leg_length;
  space.ground = source.grounded ? from.ground : ground_of(samples, from, space.up);

  // Standing height: the ankles of both are as high above their grounds as at rest.
  const double source_ankle = space.ground + from.ankle_height;
  const double target_ankle = to.ground + to.ankle_height;
  const auto scaled = [&](const Vec3& p) { return space.scale * rotate(space.to_target, p); };
  const Vec3 start = scaled(samples.hips.front()), own = to.hip_centre;
  const Vec3 up = to.axes.column(1);
  Vec3 along;  // horizontal part of the offset
  const Vec3 gap = own - start, flat_gap = gap - dot(gap, up) * up;
  if (source.grounded) {
    const Vec3 rest_gap = own - scaled(from.hip_centre);
    along = rest_gap - dot(rest_gap, up) * up;
    constexpr double far = 2;  // lengths of the leg
    if (norm(flat_gap - along) > far * to.leg_length) {
      along = flat_gap;
      space.moved = true;
    }
  } else {
    along = flat_gap;
    space.moved = norm(flat_gap) > 0.05 * to.leg_length;
  }
  space.offset = along + (target_ankle - space.scale * source_ankle) * up;
  return space;
}

}  // namespace

std::vector<double> sampling_times(const Clip& clip) {
  std::vector<double> times;
  bool curved = false;
  for (const Channel& channel : clip.channels) {
    if (channel.path == ChannelPath::weights || channel.path == ChannelPath::scale) continue;
    curved = curved || channel.interpolation != Interpolation::linear;
    times.insert(times.end(), channel.times.begin(), channel.times.end());
  }
  std::sort(times.begin(), times.end());
  constexpr double same = 1e-5;  // seconds
  times.erase(std::unique(times.begin(), times.end(), [](double a, double b) { return b - a < same; }), times.end());
  if (times.empty()) return {clip.start};
  constexpr double slowest = 24, rate = 30;  // keys per second
  const double length = times.back() - times.front();
  if (!curved && static_cast<double>(times.size()) >= slowest * length) return times;
  std::vector<double> regular;
  const auto frames = static_cast<std::size_t>(std::ceil(length * rate - 1e-6));
  for (std::size_t f = 0; f < frames; ++f) regular.push_back(times.front() + static_cast<double>(f) / rate);
  regular.push_back(times.back());
  return regular;
}

bool has_legs(const RiggedBody& body) {
  constexpr double shortest = 1e-4;  // share of the body's extent
  if (!body.bones.complete()) return false;
  const auto place = [&](int joint) { return body.reference.position[index(joint)]; };
  double extent = 0;
  for (const int joint : joints_of(body.bones)) extent = std::max(extent, norm(place(joint) - place(body.bones.root)));
  return std::all_of(body.bones.legs.begin(), body.bones.legs.end(), [&](const LimbBones& leg) {
    const double length = norm(place(leg.lower) - place(leg.upper)) + norm(place(leg.end_joint()) - place(leg.lower));
    return length > shortest * extent;  // not for numbers that are not finite either
  });
}

std::vector<int> driven_bones(const RiggedBody& source, const RiggedBody& target) {
  std::vector<int> driven;
  for (const BoneLink& link : bone_links(source.bones, target.bones)) driven.push_back(link.target);
  return driven;
}

TransferredMotion transfer_motion(const RiggedBody& source, const Clip& clip, const RiggedBody& target,
                                  const BodyPoser& poser) {
  if (!source.bones.complete() || !target.bones.complete())
    throw usage_error("Motion can only be carried between bodies with hips and two legs of two bones each.");
  if (!has_legs(source) || !has_legs(target))
    throw usage_error("Motion can only be carried between bodies whose legs have a length.");
  const AnatomicalFrames from = anatomical_frames(source.bones, source.reference, source.up);
  const AnatomicalFrames to = anatomical_frames(target.bones, target.reference, target.up);
  const std::vector<BoneLink> links = bone_links(source.bones, target.bones);
  SourceSamples samples = sample_source(source, from, clip, links);
  TransferredMotion result;
  result.dropped_first_frame = !source.grounded && begins_with_rest_pose(samples, links.size());
  if (result.dropped_first_frame) drop_first_frame(samples, links.size());
  result.space = motion_space(source, from, to, samples);
  const MotionSpace& space = result.space;
  BoneMotion& motion = result.motion;
  motion.times = samples.times;
  std::vector<Quat> joint_from_frame;  // per link
  for (const BoneLink& link : links) joint_from_frame.push_back(conjugate(to.frame_to_joint[index(link.target)]));

  const auto mapped = [&](const Vec3& p) { return space.scale * rotate(space.to_target, p) + space.offset; };
  const Vec3 root_place = to.hip_centre;
  std::vector<Vec3> positions(target.skeleton->joints.size());
  std::vector<Quat> rotations(target.skeleton->joints.size());
  motion.rotations.reserve(samples.rotations.size());
  for (std::size_t f = 0; f < samples.times.size(); ++f) {
    for (std::size_t k = 0; k < links.size(); ++k)
      motion.rotations.push_back(
          normalized(space.to_target * samples.rotations[f * links.size() + k] * joint_from_frame[k]));
    poser.place(std::span(motion.rotations).subspan(f * links.size(), links.size()), root_place, positions, rotations);
    const Vec3 hips = (positions[index(target.bones.legs[0].upper)] + positions[index(target.bones.legs[1].upper)]) / 2;
    motion.root.push_back(root_place + mapped(samples.hips[f]) - hips);
  }
  for (std::size_t side = 0; side < 2; ++side) {
    for (const Vec3& p : samples.feet[side].ankle) result.feet[side].ankle.push_back(mapped(p));
    for (const Vec3& p : samples.feet[side].toe) result.feet[side].toe.push_back(mapped(p));
    result.feet[side].ankle_standing = to.ground + to.ankle_height;
    result.feet[side].toe_standing = to.ground + to.ankle_height + space.scale * (from.toe_height - from.ankle_height);
  }

  result.space.sentence = (source.grounded ? "" : unit_words(from.leg_length) + ", ") + axis_name(space.up) + " is up";
  if (const double turn = std::abs(std::remainder(space.turned, 360.0)); turn > 1) {
    char text[80];
    std::snprintf(text, sizeof(text), ", turned by %.0f degrees to face as the character does", turn);
    result.space.sentence += text;
  }
  if (space.moved) {
    const Vec3& start = samples.hips.front();
    char text[96];
    std::snprintf(text, sizeof(text), ", brought from (%.3g, %.3g, %.3g) to where the character stands", start.x,
                  start.y, start.z);
    result.space.sentence += text;
  }
  result.space.sentence +=
      "; rest poses: " + rest_pose_word(source, from) + " (motion), " + rest_pose_word(target, to) + " (character)";
  return result;
}

}  // namespace sinew
