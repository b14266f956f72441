#include "sinew/kinematics/paths/put_keys.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/index.h"
#include "sinew/character/channel.h"
#include "sinew/linalg/rotation.h"

namespace sinew {
namespace {

constexpr double longest_step = 1.0 / 30;  // seconds between keys of a path
constexpr double same_time = 1e-5;         // seconds
constexpr double slope_step = 1e-5;        // seconds, for slopes of splines

std::size_t values_per_key(const Channel& channel) {
  return index(channel.components) * (channel.interpolation == Interpolation::cubic_spline ? 3 : 1);
}

// The joint's channel; where there is none, one that holds the rest.
std::size_t channel_for(const Skeleton& skeleton, int joint, ChannelPath path, Clip& clip) {
  const auto moves = [&](ChannelPath which) {
    return std::find_if(clip.channels.begin(), clip.channels.end(),
                        [&](const Channel& channel) { return channel.joint == joint && channel.path == which; });
  };
  if (const auto found = moves(path); found != clip.channels.end())
    return static_cast<std::size_t>(found - clip.channels.begin());
  const Joint& own = skeleton.joints[index(joint)];
  const bool animated = std::any_of(clip.channels.begin(), clip.channels.end(), [&](const Channel& channel) {
    return channel.joint == joint && channel.path != ChannelPath::weights;
  });
  const Transform rest = own.rest_matrix && !animated ? to_transform(*own.rest_matrix) : own.rest;
  const Channel turn{joint,
                     ChannelPath::rotation,
                     Interpolation::linear,
                     {clip.start},
                     4,
                     {rest.rotation.x, rest.rotation.y, rest.rotation.z, rest.rotation.w}},
      move{joint,
           ChannelPath::translation,
           Interpolation::linear,
           {clip.start},
           3,
           {rest.translation.x, rest.translation.y, rest.translation.z}},
      size{joint,
           ChannelPath::scale,
           Interpolation::linear,
           {clip.start},
           3,
           {rest.scale.x, rest.scale.y, rest.scale.z}};
  // A node that is animated has no matrix any more.
  if (own.rest_matrix && !animated)
    for (const Channel* channel : {&turn, &move, &size})
      if (channel->path != path) clip.channels.push_back(*channel);
  clip.channels.push_back(path == ChannelPath::rotation ? turn : move);
  return clip.channels.size() - 1;
}

// The new values, rotations on the side of the sphere on which the channel has them, so that lines between keys are
// short.
std::vector<double> on_same_side(const Channel& channel, std::span<const double> times,
                                 std::span<const double> values) {
  std::vector<double> result(values.begin(), values.end());
  if (channel.path != ChannelPath::rotation) return result;
  std::vector<double> own(4);
  for (std::size_t k = 0; k < times.size(); ++k) {
    evaluate(channel, times[k], own);
    double along = 0;
    for (std::size_t c = 0; c < 4; ++c) along += own[c] * values[4 * k + c];
    if (along < 0)
      for (std::size_t c = 0; c < 4; ++c) result[4 * k + c] = -values[4 * k + c];
  }
  return result;
}

// Slopes of new keys of a spline: the channel's own before and after each time, and those of what is added to it.
class Slopes {
 public:
  Slopes(const Channel& channel, std::span<const double> times, std::span<const double> values)
      : channel_(channel), times_(times), width_(index(channel.components)), added_(values.begin(), values.end()) {
    std::vector<double> own(width_);
    for (std::size_t k = 0; k < times.size(); ++k) {
      evaluate(channel, times[k], own);
      for (std::size_t c = 0; c < width_; ++c) added_[width_ * k + c] -= own[c];
    }
  }
  std::vector<double> at(std::size_t key, double step) const {
    std::vector<double> here(width_), beside(width_), slope(width_);
    evaluate(channel_, times_[key], here);
    evaluate(channel_, times_[key] + step, beside);
    const std::size_t before = key > 0 ? key - 1 : key, after = std::min(key + 1, times_.size() - 1);
    const double span = times_[after] - times_[before];
    const bool inside = before != key && after != key;
    for (std::size_t c = 0; c < width_; ++c) {
      slope[c] = (beside[c] - here[c]) / step;
      if (inside) slope[c] += (added_[width_ * after + c] - added_[width_ * before + c]) / span;
    }
    return slope;
  }

 private:
  const Channel& channel_;
  std::span<const double> times_;
  std::size_t width_;
  std::vector<double> added_;
};

// The keys of the channel from one on until another.
void copy_keys(const Channel& channel, std::size_t from, std::size_t until, Channel& to) {
  const auto n = static_cast<std::ptrdiff_t>(values_per_key(channel));
  const auto at = [](std::size_t key) { return static_cast<std::ptrdiff_t>(key); };
  to.times.insert(to.times.end(), channel.times.begin() + at(from), channel.times.begin() + at(until));
  to.values.insert(to.values.end(), channel.values.begin() + n * at(from), channel.values.begin() + n * at(until));
}

}  // namespace

std::vector<double> path_times(const Clip& clip, std::span<const int> joints, double begin, double end,
                               std::span<const double> also) {
  std::vector<double> own(also.begin(), also.end());
  own.insert(own.end(), {begin, end});
  for (const Channel& channel : clip.channels)
    if (std::find(joints.begin(), joints.end(), channel.joint) != joints.end())
      own.insert(own.end(), channel.times.begin(), channel.times.end());
  std::erase_if(own, [&](double time) { return time < begin || time > end; });
  std::sort(own.begin(), own.end());
  const auto asked = [&](double time) {
    return time == begin || time == end || std::find(also.begin(), also.end(), time) != also.end();
  };
  std::vector<double> times;
  for (const double time : own) {
    if (!times.empty() && time - times.back() < same_time) {
      if (asked(time) && !asked(times.back())) times.back() = time;
      continue;
    }
    const double last = times.empty() ? time : times.back();
    const auto steps = static_cast<int>(std::ceil((time - last) / longest_step - 1e-3));
    for (int k = 1; k < steps; ++k) times.push_back(last + (time - last) * k / steps);
    times.push_back(time);
  }
  return times;
}

void put_keys(const Skeleton& skeleton, int joint, ChannelPath path, std::span<const double> times,
              std::span<const double> values, Clip& clip) {
  Channel& channel = clip.channels[channel_for(skeleton, joint, path, clip)];
  const auto width = index(channel.components);
  const std::vector<double> wanted = on_same_side(channel, times, values);
  const Slopes slopes(channel, times, wanted);
  const auto key_at = [&](auto found) { return static_cast<std::size_t>(found - channel.times.begin()); };
  const std::size_t first = key_at(std::lower_bound(channel.times.begin(), channel.times.end(), times.front())),
                    after = key_at(std::upper_bound(channel.times.begin(), channel.times.end(), times.back()));
  Channel changed = channel;
  changed.times.clear();
  changed.values.clear();
  // A channel of one key holds it at all times, and does not need it before the window.
  const bool holds = channel.times.size() == 1;
  if (!holds) copy_keys(channel, 0, first, changed);
  std::vector<double> own(width);
  for (std::size_t k = 0; k < times.size(); ++k) {
    const auto value = std::span(wanted).subspan(width * k, width);
    evaluate(channel, times[k], own);
    bool same = std::equal(own.begin(), own.end(), value.begin());
    if (path == ChannelPath::rotation)  // poses have its unit quaternion
      same = same || normalized(Quat{own[0], own[1], own[2], own[3]}) == Quat{value[0], value[1], value[2], value[3]};
    const auto found = std::lower_bound(channel.times.begin(), channel.times.end(), times[k]);
    if (same && found != channel.times.end() && *found == times[k]) {
      copy_keys(channel, key_at(found), key_at(found) + 1, changed);
      continue;
    }
    changed.times.push_back(times[k]);
    if (channel.interpolation != Interpolation::cubic_spline) {
      changed.values.insert(changed.values.end(), value.begin(), value.end());
      continue;
    }
    for (const auto& part :
         {slopes.at(k, -slope_step), std::vector<double>(value.begin(), value.end()), slopes.at(k, slope_step)})
      changed.values.insert(changed.values.end(), part.begin(), part.end());
  }
  if (!holds) copy_keys(channel, after, channel.times.size(), changed);
  channel = std::move(changed);
}

}  // namespace sinew
