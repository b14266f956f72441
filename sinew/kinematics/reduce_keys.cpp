#include "sinew/kinematics/reduce_keys.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "sinew/base/index.h"

namespace sinew {
namespace {

constexpr double jump = 2e-6;      // seconds: two keys that are closer are a jump, which stays
constexpr int most_trials = 10;    // of tolerances
constexpr double well_used = 0.9;  // share of the bound with which a trial is content

double angle_between(const Quat& a, const Quat& b) {
  const Quat turn = conjugate(a) * b;
  return 2 * std::atan2(norm(Vec3{turn.x, turn.y, turn.z}), std::abs(turn.w));
}

Quat rotation_at(const Channel& channel, std::size_t key) {
  const double* v = &channel.values[4 * key];
  return normalized(Quat{v[0], v[1], v[2], v[3]});
}

// Distance of a key from the line between two others, in the channel's own measure: radians for rotations.
double deviation(const Channel& channel, std::size_t begin, std::size_t key, std::size_t end) {
  const double share = (channel.times[key] - channel.times[begin]) / (channel.times[end] - channel.times[begin]);
  if (channel.path == ChannelPath::rotation)
    return angle_between(slerp(rotation_at(channel, begin), rotation_at(channel, end), share),
                         rotation_at(channel, key));
  const auto width = index(channel.components);
  double squared = 0;
  for (std::size_t c = 0; c < width; ++c) {
    const double from = channel.values[width * begin + c], to = channel.values[width * end + c],
                 off = from + share * (to - from) - channel.values[width * key + c];
    squared += off * off;
  }
  return std::sqrt(squared);
}

// Marks the keys between two kept ones that are needed (Ramer 1972; Douglas and Peucker 1973).
void keep_between(const Channel& channel, std::size_t begin, std::size_t end, double tolerance,
                  std::vector<char>& kept) {
  std::vector<std::pair<std::size_t, std::size_t>> open{{begin, end}};
  while (!open.empty()) {
    const auto [first, last] = open.back();
    open.pop_back();
    std::size_t farthest = first;
    double most = tolerance;
    for (std::size_t k = first + 1; k < last; ++k)
      if (const double off = deviation(channel, first, k, last); off > most) most = off, farthest = k;
    if (farthest == first) continue;
    kept[farthest] = 1;
    open.emplace_back(first, farthest);
    open.emplace_back(farthest, last);
  }
}

Channel with_kept_keys(const Channel& channel, const std::vector<char>& kept) {
  Channel result = channel;
  result.times.clear();
  result.values.clear();
  const auto width = index(channel.components);
  for (std::size_t k = 0; k < kept.size(); ++k) {
    if (kept[k] == 0) continue;
    result.times.push_back(channel.times[k]);
    result.values.insert(result.values.end(), &channel.values[width * k], &channel.values[width * k] + width);
  }
  return result;
}

Channel reduced(const Channel& channel, double tolerance) {
  const std::size_t count = channel.times.size();
  if (count < 3) return channel;
  std::vector<char> kept(count);
  kept.front() = kept.back() = 1;
  for (std::size_t k = 0; k + 1 < count; ++k)
    if (channel.times[k + 1] - channel.times[k] < jump) kept[k] = kept[k + 1] = 1;
  const std::vector<char> fixed = kept;
  for (std::size_t begin = 0, end = 1; end < count; ++end)
    if (fixed[end] != 0) keep_between(channel, std::exchange(begin, end), end, tolerance, kept);
  return with_kept_keys(channel, kept);
}

// The joints that only lines from key to key move.
std::vector<int> joints_on_lines(const Clip& clip) {
  std::set<int> joints, others;
  for (const Channel& channel : clip.channels)
    if (channel.path != ChannelPath::weights)
      (channel.interpolation == Interpolation::linear ? joints : others).insert(channel.joint);
  std::vector<int> result;
  std::set_difference(joints.begin(), joints.end(), others.begin(), others.end(), std::back_inserter(result));
  return result;
}

// The errors that channels may have, so that no joint is farther off than the bound: a turn moves what hangs on its
// joint by no more than the angle times its reach, and errors add up along the chain.
class Tolerances {
 public:
  Tolerances(const Skeleton& skeleton, const Clip& clip)
      : skeleton_(skeleton), rest_(sample(skeleton, nullptr, 0)), reach_(skeleton.joints.size()) {
    find_reach();
    find_sharers(clip);
  }

  double end_of_bone() const { return end_; }  // length of bones at whose end no joint is: world
  bool is_last(std::size_t joint) const { return last_[joint] != 0; }

  double of(const Channel& channel, double bound) const {
    const auto j = index(channel.joint);
    const double share = bound / std::max(1, sharers_[j]), scale = scale_of(channel.joint),
                 parent_scale = scale_of(skeleton_.joints[j].parent);
    switch (channel.path) {
      case ChannelPath::rotation:
        return share / reach_[j];
      case ChannelPath::scale:
        return share * scale / (std::max(parent_scale, 1e-12) * reach_[j]);
      default:
        return share / std::max(parent_scale, 1e-12);
    }
  }

 private:
  double scale_of(int joint) const {
    return joint < 0 ? 1 : std::cbrt(std::abs(determinant(rest_.world[index(joint)].linear)));
  }

  void find_reach() {
    const std::vector<Joint>& joints = skeleton_.joints;
    last_.assign(joints.size(), 1);
    double sum = 0;
    int bones = 0;
    std::vector<double> length(joints.size());
    for (std::size_t j = 0; j < joints.size(); ++j) {
      const int parent = joints[j].parent;
      if (parent < 0) continue;
      last_[index(parent)] = 0;
      length[j] = distance(rest_.world[j].translation, rest_.world[index(parent)].translation);
      if (length[j] > 0) sum += length[j], ++bones;
    }
    end_ = bones > 0 ? sum / bones : 1;
    for (std::size_t j = 0; j < joints.size(); ++j) reach_[j] = last_[j] != 0 ? end_ : 0;
    for (std::size_t k = joints.size(); k-- > 0;) {
      const auto j = index(skeleton_.parents_first[k]);
      if (joints[j].parent >= 0)
        reach_[index(joints[j].parent)] = std::max(reach_[index(joints[j].parent)], reach_[j] + length[j]);
    }
  }

  // Per joint: the most channels that move one end of its chains.
  void find_sharers(const Clip& clip) {
    const std::vector<Joint>& joints = skeleton_.joints;
    std::vector<int> above(joints.size());
    for (const Channel& channel : clip.channels)
      if (channel.path != ChannelPath::weights && channel.times.size() > 2) ++above[index(channel.joint)];
    for (const int j : skeleton_.parents_first)
      if (joints[index(j)].parent >= 0) above[index(j)] += above[index(joints[index(j)].parent)];
    sharers_ = above;
    for (std::size_t k = joints.size(); k-- > 0;) {
      const int j = skeleton_.parents_first[k], parent = joints[index(j)].parent;
      if (parent >= 0) sharers_[index(parent)] = std::max(sharers_[index(parent)], sharers_[index(j)]);
    }
  }

  const Skeleton& skeleton_;
  const Pose rest_;
  std::vector<double> reach_;  // per joint: farthest that anything hangs on it, world
  std::vector<char> last_;     // per joint: 1 if no joint hangs on it
  std::vector<int> sharers_;
  double end_ = 0;
};

// The times at which errors are measured.
std::vector<double> times_of(const Clip& clip) {
  std::vector<double> times;
  for (const Channel& channel : clip.channels) times.insert(times.end(), channel.times.begin(), channel.times.end());
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  const std::size_t keys = times.size();
  for (std::size_t k = 0; k + 1 < keys; ++k) times.push_back(0.5 * (times[k] + times[k + 1]));
  return times;
}

// Farthest that a joint, or a point as far from a last joint as bones are long, is from where `clip` has it.
double farthest_joint(const Skeleton& skeleton, const Tolerances& tolerances, const Clip& clip, const Clip& other,
                      std::span<const double> times) {
  SamplingSpace space, other_space;
  Pose pose, other_pose;
  double most = 0;
  for (const double t : times) {
    sample(skeleton, &clip, t, space, pose);
    sample(skeleton, &other, t, other_space, other_pose);
    for (std::size_t j = 0; j < pose.world.size(); ++j) {
      const Affine &a = pose.world[j], &b = other_pose.world[j];
      most = std::max(most, distance(a.translation, b.translation));
      for (std::size_t axis = 0; axis < 3 && tolerances.is_last(j); ++axis) {
        const double size = norm(a.linear.column(axis));
        if (!(size > 0)) continue;
        const double along = tolerances.end_of_bone() / size;
        most = std::max(most,
                        norm(a.translation - b.translation + along * (a.linear.column(axis) - b.linear.column(axis))));
      }
    }
  }
  return most;
}

std::size_t key_count(const Clip& clip) {
  std::size_t count = 0;
  for (const Channel& channel : clip.channels) count += channel.times.size();
  return count;
}

}  // namespace

ReducedKeys reduce_keys(const Skeleton& skeleton, const Clip& clip, double bound) {
  const Tolerances tolerances(skeleton, clip);
  const std::vector<double> times = times_of(clip);
  ReducedKeys best{clip, joints_on_lines(clip), key_count(clip), key_count(clip), 0};
  // Errors seldom all add up: the largest tolerances with which they keep within the bound.
  double factor = 1, held = 0, broken = 0;
  for (int trial = 0; trial < most_trials; ++trial) {
    Clip tried = clip;
    for (Channel& channel : tried.channels)
      if (channel.path != ChannelPath::weights &&
          std::binary_search(best.joints.begin(), best.joints.end(), channel.joint))
        channel = reduced(channel, factor * tolerances.of(channel, bound));
    const double farthest = farthest_joint(skeleton, tolerances, clip, tried, times);
    if (farthest <= bound) {
      held = factor;
      if (const std::size_t after = key_count(tried); after <= best.after)
        best = {std::move(tried), std::move(best.joints), best.before, after, farthest};
      if (farthest > well_used * bound) break;
    } else {
      broken = factor;
    }
    factor = broken == 0 ? 2 * factor : held == 0 ? factor / 2 : std::sqrt(held * broken);
  }
  return best;
}

}  // namespace sinew
