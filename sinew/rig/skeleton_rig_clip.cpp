#include "sinew/rig/skeleton_rig_clip.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/linalg/turns.h"

namespace sinew {
namespace {

constexpr double least_scale = 1e-12;    // relative to the rest scale: replaces zero
constexpr double turn_per_moment = 0.3;  // radians between moments of Track::turns
constexpr int cubic_moments = 16;        // per interval of a cubic spline

Quat key_rotation(const Channel& channel, std::size_t key) {
  const std::size_t at = channel.interpolation == Interpolation::cubic_spline ? 3 * key + 1 : key;
  const double* v = channel.values.data() + 4 * at;
  return normalized(Quat{v[0], v[1], v[2], v[3]});
}

// Times at which a channel is sampled to represent it: keys, and `between`(key) more between them.
template <class Between>
std::vector<double> moments(const Channel& channel, const Between& between) {
  std::vector<double> times;
  for (std::size_t k = 0; k < channel.times.size(); ++k) {
    times.push_back(channel.times[k]);
    if (k + 1 == channel.times.size()) break;
    const int more = between(k);
    for (int i = 1; i <= more; ++i)
      times.push_back(channel.times[k] + (channel.times[k + 1] - channel.times[k]) * i / (more + 1));
  }
  return times;
}

}  // namespace

ClipAnimation::ClipAnimation(const CharacterRig& rig, const Clip& clip) : keyed_(rig.parameters().size(), 0) {
  for (const RigParameter& parameter : rig.parameters()) rest_.push_back(parameter.rest);
  for (const Channel& channel : clip.channels) {
    Track track;
    track.channel = channel;
    track.rest = rig.skeleton().joints[index(channel.joint)].rest;
    track.metres_per_local_unit = rig.metres_per_local_unit(channel.joint);
    if (channel.path == ChannelPath::weights) {
      track.first = rig.first_weight(channel.joint);
      track.count = std::min(rig.weight_count(channel.joint), channel.components);
    } else {
      static constexpr int offset[] = {0, 3, 6};
      track.first = rig.first_parameter(channel.joint);
      if (track.first >= 0) track.first += offset[static_cast<int>(channel.path)];
      track.count = channel.path == ChannelPath::scale ? 4 : 3;
    }
    if (track.first < 0) continue;
    if (channel.path == ChannelPath::scale) check_scale(rig, clip, track);
    if (channel.path == ChannelPath::rotation) follow_rotation(track);
    std::fill_n(keyed_.begin() + track.first, track.count, char{1});
    tracks_.push_back(std::move(track));
  }
}

void ClipAnimation::check_scale(const CharacterRig& rig, const Clip& clip, const Track& track) {
  const Channel& channel = track.channel;
  const bool cubic = channel.interpolation == Interpolation::cubic_spline;
  for (std::size_t key = 0; key < channel.times.size(); ++key)
    for (std::size_t c = 0; c < 3; ++c) {
      const double value = channel.values[3 * (cubic ? 3 * key + 1 : key) + c], rest = track.rest.scale[c];
      if (rest != 0 ? value / rest >= 0 : value == 0) continue;
      throw input_error(
          rig.file() + ": clip '" + clip.name + "' scales node '" + rig.skeleton().joints[index(channel.joint)].name +
          "' " + (rest != 0 ? "to the other side of zero" : "up from a rest scale of zero") +
          ", which a rig's logarithm of scale cannot follow; give the node a rest scale of the clip's sign.");
    }
}

// The rotation from rest as a vector: of all equivalent ones, the one nearest to `near`.
Vec3 ClipAnimation::rotation_vector(const Track& track, double seconds, const Vec3& near) const {
  std::array<double, 4> v{};
  evaluate(track.channel, seconds, v);
  const Quat rotation = normalized(Quat{v[0], v[1], v[2], v[3]});
  return nearest_rotation_vector(normalized(conjugate(track.rest.rotation) * rotation), near);
}

void ClipAnimation::follow_rotation(Track& track) const {
  const Channel& channel = track.channel;
  track.turn_times = moments(channel, [&](std::size_t k) {
    if (channel.interpolation == Interpolation::cubic_spline) return cubic_moments;
    if (channel.interpolation == Interpolation::step) return 0;
    const double turn =
        norm(rotation_logarithm(normalized(conjugate(key_rotation(channel, k)) * key_rotation(channel, k + 1))));
    return static_cast<int>(turn / turn_per_moment);
  });
  Vec3 last;
  for (const double time : track.turn_times) track.turns.push_back(last = rotation_vector(track, time, last));
}

void ClipAnimation::sample(double seconds, std::span<double> p) const {
  std::vector<double> values;
  for (const Track& track : tracks_) {
    const std::span<double> own = p.subspan(index(track.first), index(track.count));
    if (track.channel.path == ChannelPath::rotation) {
      const auto next = std::upper_bound(track.turn_times.begin(), track.turn_times.end(), seconds);
      const auto after = static_cast<std::size_t>(next - track.turn_times.begin());
      Vec3 near = track.turns[after > 0 ? after - 1 : 0];
      if (after > 0 && after < track.turns.size() && track.channel.interpolation != Interpolation::step) {
        const double begin = track.turn_times[after - 1],
                     fraction = (seconds - begin) / (track.turn_times[after] - begin);
        near += (track.turns[after] - near) * fraction;
      }
      const Vec3 r = rotation_vector(track, seconds, near);
      for (std::size_t c = 0; c < 3; ++c) own[c] = r[c];
      continue;
    }
    values.resize(index(track.channel.components));
    evaluate(track.channel, seconds, values);
    switch (track.channel.path) {
      case ChannelPath::translation:
        for (std::size_t c = 0; c < 3; ++c)
          own[c] = (values[c] - track.rest.translation[c]) * track.metres_per_local_unit;
        break;
      case ChannelPath::scale:
        for (std::size_t c = 0; c < 3; ++c)
          own[c] = track.rest.scale[c] == 0 ? 0 : std::log(std::max(values[c] / track.rest.scale[c], least_scale));
        own[3] = 0;
        break;
      default:
        std::copy_n(values.begin(), own.size(), own.begin());
    }
  }
}

std::vector<char> ClipAnimation::still(double tolerance) const {
  std::vector<char> still = keyed_;
  std::vector<double> p = rest_;
  for (const Track& track : tracks_) {
    const bool cubic = track.channel.interpolation == Interpolation::cubic_spline;
    // Between two keys rotations turn about an axis of their own, which need not be that of either key.
    for (const double time : moments(track.channel, [&](std::size_t) { return cubic ? cubic_moments : 3; })) {
      sample(time, p);
      for (int c = track.first; c < track.first + track.count; ++c)
        if (std::fabs(p[index(c)] - rest_[index(c)]) > tolerance) still[index(c)] = 0;
    }
  }
  return still;
}

}  // namespace sinew
