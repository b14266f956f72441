#include "sinew/jobs/fit/exercise_clip.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "sinew/linalg/rotation.h"

namespace sinew {
namespace {

constexpr double keys_per_second = 60, duration = 1.4;  // seconds
// Amplitudes per frequency: heights per second squared for topmost bones, radians per second squared for every bone.
constexpr double translation = 2.5, rotation = 7.5;
constexpr std::array<double, 5> frequencies = {0.83, 1.37, 2.13, 3.41, 5.3};  // hertz, without a common period
constexpr double largest_angle = 0.2;                                         // radians, per frequency
constexpr double largest_way = 0.05;                                          // heights, per frequency
constexpr double
    ends = 0.65,
    gentlest = 0.15;  // share of the time after which flesh comes to rest; share of the full strength at the beginning

// Pseudo-random number in [0, 1) (Steele, Lea and Flood 2014: SplitMix).
double scattered(std::uint64_t index) {
  std::uint64_t z = (index + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return static_cast<double>((z ^ z >> 31) >> 11) * 0x1p-53;
}

// Strength over time: rises smoothly from gentle to violent, then drops to zero.
double strength_at(double share) {
  if (share >= ends) return 0;
  const double s = share / ends, in = std::min(1.0, 10 * s), out = std::min(1.0, 12 * (1 - s));
  const auto smooth = [](double v) { return v * v * (3 - 2 * v); };
  return smooth(in) * smooth(out) * (gentlest + (1 - gentlest) * s);
}

// Motion of one bone: acceleration amplitudes per frequency, in three directions.
Vec3 sines(std::uint64_t bone, double seconds, double acceleration, double most) {
  Vec3 sum{};
  for (std::size_t f = 0; f < frequencies.size(); ++f) {
    const double rate = 2 * std::numbers::pi * frequencies[f];
    const double amplitude = std::min(acceleration / (rate * rate), most);
    for (std::size_t k = 0; k < 3; ++k) {
      const double phase = 2 * std::numbers::pi * scattered((bone * frequencies.size() + f) * 3 + k);
      // Each of the three directions is the strongest in turn.
      sum[k] += amplitude / std::numbers::sqrt3 * std::sin(rate * seconds + phase);
    }
  }
  return sum;
}

Quat turn_by(const Vec3& w) {
  const double angle = norm(w), share = angle > 1e-12 ? std::sin(angle / 2) / angle : 0.5;
  return {share * w.x, share * w.y, share * w.z, std::cos(angle / 2)};
}

// Three channels of one joint, to be keyed.
struct JointKeys {
  Channel translation, rotation, scale;
};

JointKeys joint_keys(int joint) {
  JointKeys keys;
  keys.translation = {.joint = joint, .path = ChannelPath::translation, .times = {}, .values = {}};
  keys.rotation = {.joint = joint, .path = ChannelPath::rotation, .times = {}, .components = 4, .values = {}};
  keys.scale = {.joint = joint, .path = ChannelPath::scale, .times = {}, .values = {}};
  return keys;
}

void add_key(Channel& channel, double time, std::initializer_list<double> values) {
  channel.times.push_back(time);
  channel.values.insert(channel.values.end(), values);
}

}  // namespace

Clip exercise_clip(const Character& character, const SimulationSurface& surface, int clip, double height) {
  const Skeleton& skeleton = character.skeleton;
  const Clip* base = clip >= 0 ? &character.clips[static_cast<std::size_t>(clip)] : nullptr;
  std::vector<char> shaken(skeleton.joints.size()), moved(skeleton.joints.size()), keyed(skeleton.joints.size());
  for (const Bone& bone : surface.bones) {
    const auto j = static_cast<std::size_t>(bone.joint);
    shaken[j] = keyed[j] = 1;
    moved[j] = bone.parent < 0;
  }
  if (base)
    for (const Channel& channel : base->channels)
      if (channel.path != ChannelPath::weights) keyed[static_cast<std::size_t>(channel.joint)] = 1;
  Clip result;
  result.name = "exercise";
  result.end = duration;
  std::vector<JointKeys> keys;
  SamplingSpace space;
  Pose pose;
  sample(skeleton, base, base ? base->start : 0, space, pose);
  for (std::size_t j = 0; j < keyed.size(); ++j) {
    // A node with a matrix has no translation, rotation and scale; it is left alone.
    if (skeleton.joints[j].rest_matrix && !space.animated[j]) keyed[j] = 0;
    if (keyed[j]) keys.push_back(joint_keys(static_cast<int>(j)));
  }
  const auto count = static_cast<int>(std::lround(duration * keys_per_second));
  const double clip_length = base ? base->end - base->start : 0;
  for (int k = 0; k <= count; ++k) {
    const double time = k / keys_per_second, share = time / duration;
    // Back and forth through the clip's poses, no faster than the clip.
    const double along = std::min(clip_length, duration / 2) * (1 - std::abs(2 * share - 1));
    sample(skeleton, base, base ? base->start + along : 0, space, pose);
    const double strength = strength_at(share);
    for (JointKeys& of : keys) {
      const auto j = static_cast<std::size_t>(of.translation.joint);
      const int parent = skeleton.joints[j].parent;
      Transform local = space.local[j];
      if (shaken[j])
        local.rotation = normalized(local.rotation * turn_by(strength * sines(2 * j, time, rotation, largest_angle)));
      if (moved[j]) {
        const Vec3 way =
            (strength * height / character.metres_per_unit) * sines(2 * j + 1, time, translation, largest_way);
        const Mat3 frame = parent < 0 ? Mat3::identity() : pose.world[static_cast<std::size_t>(parent)].linear;
        if (std::abs(determinant(frame)) > 1e-12) local.translation += inverse(frame) * way;
      }
      add_key(of.translation, time, {local.translation.x, local.translation.y, local.translation.z});
      add_key(of.rotation, time, {local.rotation.x, local.rotation.y, local.rotation.z, local.rotation.w});
      add_key(of.scale, time, {local.scale.x, local.scale.y, local.scale.z});
    }
  }
  for (JointKeys& of : keys)
    for (Channel* channel : {&of.translation, &of.rotation, &of.scale}) result.channels.push_back(std::move(*channel));
  return result;
}

}  // namespace sinew
