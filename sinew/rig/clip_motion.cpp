#include "sinew/rig/clip_motion.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <utility>

#include "sinew/rig/sampled_surface.h"

namespace sinew {
namespace {

constexpr std::size_t most_points = 96, times_per_part = 2000;
constexpr double longest_piece = 1.0 / 24;  // seconds: longest interval of a cut that an exporter has sampled
constexpr double same_time = 1e-6;          // seconds: keys nearer to each other count as one
constexpr double nearby = 0.75;             // seconds before and after a jump in which motion may explain it
// Limits for explaining a jump: multiples of a point's motion right before and after it, and of the usual motion
// nearby. Whole characters do not start and stop as one piece within a frame; poses do snap, and count only if nothing
// else is as fast.
struct Bounds {
  double adjacent_speed, usual_unsteadiness, usual_speed;
};
constexpr Bounds as_one_piece{1.5, 8, 0}, as_a_pose{3, 8, 6};
// Fewest intervals with motion of a point from which its usual motion is known.
constexpr std::size_t fewest_nearby = 2;
constexpr double one_piece = 0.15;       // relative to a jump: largest deviation of points that move as one piece
constexpr double least_jump = 0.03;      // relative to the longest side: a smaller jump has no visible effect
constexpr double no_motion = 1e-5;       // relative to the longest side
constexpr double least_share = 1.0 / 3;  // fraction of the points
constexpr double most_of_it = 0.9;       // fraction of a jump that narrows its location
constexpr int narrowings = 12;

constexpr double dense_keys =
    0.09;  // seconds between STEP keys, at most, that are sampled motion: on twos, 24 a second
// Seconds: longest time in which physics changes from one held pose to the next.
constexpr double change_of_pose = 1.0 / 12;

// Times of all keys, and more in between so that no interval is longer than that of a cut. Ascending.
std::vector<double> sample_times(const Clip& clip) {
  std::vector<double> keys{clip.start, clip.end}, times;
  for (const Channel& channel : clip.channels)
    if (channel.path != ChannelPath::weights) keys.insert(keys.end(), channel.times.begin(), channel.times.end());
  std::sort(keys.begin(), keys.end());
  for (const double key : keys) {
    if (times.empty()) {
      times.push_back(key);
      continue;
    }
    const double last = times.back(), length = key - last;
    if (length <= same_time) continue;
    const auto pieces = static_cast<int>(std::ceil(length / longest_piece - same_time));
    for (int k = 1; k < pieces; ++k) times.push_back(last + length * k / pieces);
    times.push_back(key);
  }
  return times;
}

// Displacements of the points over each interval between two sampled times.
struct PointMotion {
  std::size_t points = 0;
  std::vector<double> times;       // sampled times
  std::vector<Vec3> displacement;  // displacement, metres: intervals x points
  // Metres: the part of each displacement that those of the adjacent intervals do not predict.
  std::vector<Vec3> unsteady;

  std::size_t pieces() const { return times.empty() ? 0 : times.size() - 1; }
  double seconds(std::size_t piece) const { return times[piece + 1] - times[piece]; }
  Vec3 velocity(std::size_t piece, std::size_t point) const {
    return displacement[piece * points + point] / seconds(piece);
  }
};

PointMotion point_motion(SampledSurface& surface, const Clip& clip, std::vector<double> times) {
  PointMotion motion{surface.size(), std::move(times), {}, {}};
  std::vector<Vec3> before(surface.size()), now(surface.size());
  for (std::size_t k = 0; k < motion.times.size(); ++k) {
    surface.at(clip, motion.times[k], now);
    for (std::size_t p = 0; k > 0 && p < now.size(); ++p) motion.displacement.push_back(now[p] - before[p]);
    before.swap(now);
  }
  for (std::size_t k = 0; k < motion.pieces(); ++k)
    for (std::size_t p = 0; p < motion.points; ++p) {
      Vec3 expected;
      if (motion.pieces() > 1) {
        const std::size_t earlier = k > 0 ? k - 1 : k + 1, later = k + 1 < motion.pieces() ? k + 1 : k - 1;
        expected = 0.5 * (motion.velocity(earlier, p) + motion.velocity(later, p));
      }
      motion.unsteady.push_back(motion.seconds(k) * (motion.velocity(k, p) - expected));
    }
  return motion;
}

double median_of(std::vector<double>& values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Speed, metres per second, that the motion of a point explains at this interval. `still`: displacement, metres, that
// does not count as motion.
double explained_speed(const PointMotion& motion, std::size_t piece, std::size_t point, const Bounds& bounds,
                       double still) {
  double adjacent = 0;
  if (piece > 0) adjacent = norm(motion.velocity(piece - 1, point));
  if (piece + 1 < motion.pieces()) adjacent = std::max(adjacent, norm(motion.velocity(piece + 1, point)));
  std::vector<double> speeds, unsteadiness;
  const auto add = [&](std::size_t k, const Vec3& displacement, std::vector<double>& to) {
    if (norm(displacement) > still) to.push_back(norm(displacement) / motion.seconds(k));
  };
  // A jump also makes the adjacent intervals unsteady.
  for (std::size_t k = piece; k-- > 0 && motion.times[k + 1] > motion.times[piece] - nearby;) {
    add(k, motion.displacement[k * motion.points + point], speeds);
    if (k + 1 < piece) add(k, motion.unsteady[k * motion.points + point], unsteadiness);
  }
  for (std::size_t k = piece + 1; k < motion.pieces() && motion.times[k] < motion.times[piece + 1] + nearby; ++k) {
    add(k, motion.displacement[k * motion.points + point], speeds);
    if (k > piece + 1) add(k, motion.unsteady[k * motion.points + point], unsteadiness);
  }
  if (speeds.size() < fewest_nearby) return bounds.adjacent_speed * adjacent;
  return std::max({bounds.adjacent_speed * adjacent, bounds.usual_speed * median_of(speeds),
                   bounds.usual_unsteadiness * median_of(unsteadiness)});
}

bool moves_as_one_piece(std::span<const Vec3> motion) {
  Vec3 mean;
  for (const Vec3& displacement : motion) mean += displacement / static_cast<double>(motion.size());
  return std::all_of(motion.begin(), motion.end(),
                     [&](const Vec3& displacement) { return distance(displacement, mean) <= one_piece * norm(mean); });
}

bool is_jump(const PointMotion& motion, std::size_t piece, double size) {
  const double enough = least_share * static_cast<double>(motion.points);
  const auto unsteady = std::span(motion.unsteady).subspan(piece * motion.points, motion.points);
  const auto far = [&](const Vec3& displacement) { return norm(displacement) > least_jump * size; };
  if (static_cast<double>(std::count_if(unsteady.begin(), unsteady.end(), far)) < enough) return false;
  const Bounds& bounds = moves_as_one_piece(unsteady) ? as_one_piece : as_a_pose;
  std::size_t unexplained = 0;
  for (std::size_t p = 0; p < motion.points; ++p)
    unexplained +=
        far(unsteady[p]) &&
        norm(unsteady[p]) > motion.seconds(piece) * explained_speed(motion, piece, p, bounds, no_motion * size);
  return static_cast<double>(unexplained) >= enough;
}

double farthest(std::span<const Vec3> a, std::span<const Vec3> b) {
  double most = 0;
  for (std::size_t p = 0; p < a.size(); ++p) most = std::max(most, distance(a[p], b[p]));
  return most;
}

// Bisects the time of a jump while nearly all of it is in one half, e.g. for two keys at one time, or STEP keys.
Cut narrowed(SampledSurface& surface, const Clip& clip, double begin, double end) {
  std::vector<Vec3> first(surface.size()), last(surface.size()), middle(surface.size());
  surface.at(clip, begin, first);
  surface.at(clip, end, last);
  const double jump = farthest(first, last);
  for (int k = 0; k < narrowings; ++k) {
    const double between = 0.5 * (begin + end);
    surface.at(clip, between, middle);
    if (farthest(first, middle) >= most_of_it * jump) {
      end = between;
      last.swap(middle);
    } else if (farthest(middle, last) >= most_of_it * jump) {
      begin = between;
      first.swap(middle);
    } else {
      break;
    }
  }
  return {begin, end, jump};
}

std::vector<Cut> find_cuts(const Character& character, const SimulationSurface& surface, const Clip& clip) {
  std::vector<Cut> cuts;
  if (!(clip.end > clip.start)) return cuts;
  SampledSurface points(character, surface, most_points);
  const double size = longest_side(surface);
  const std::vector<double> times = sample_times(clip);
  // Works in parts, with what is nearby on both sides, so that long clips need no more memory than short ones.
  for (std::size_t part = 0; part + 1 < times.size(); part += times_per_part) {
    const std::size_t last = std::min(part + times_per_part, times.size() - 1);
    const auto from = std::lower_bound(times.begin(), times.end(), times[part] - 2 * nearby);
    const auto to = std::upper_bound(times.begin(), times.end(), times[last] + 2 * nearby);
    const PointMotion motion = point_motion(points, clip, {from, to});
    for (std::size_t piece = 0; piece < motion.pieces(); ++piece) {
      if (motion.times[piece] < times[part] || motion.times[piece] >= times[last] || !is_jump(motion, piece, size))
        continue;
      const Cut cut = narrowed(points, clip, motion.times[piece], motion.times[piece + 1]);
      if (!cuts.empty() && cut.begin <= cuts.back().end)
        cuts.back() = {cuts.back().begin, cut.end, std::max(cuts.back().jump, cut.jump)};
      else
        cuts.push_back(cut);
    }
  }
  return cuts;
}

bool within(double time, std::span<const Cut> cuts) {
  return std::any_of(cuts.begin(), cuts.end(),
                     [&](const Cut& cut) { return time > cut.begin - same_time && time < cut.end + same_time; });
}

// Keys of the smooth channel: where each pose is left and where the next is reached. The curve through them starts and
// ends at rest where a pose is held.
class MovingKeys {
 public:
  explicit MovingKeys(const Channel& steps) : steps_(steps), width_(static_cast<std::size_t>(steps.components)) {}

  void add(double time, std::size_t key, bool jumps = false) {
    const auto value = steps_.values.begin() + static_cast<std::ptrdiff_t>(key * width_);
    if (!times_.empty() && time <= times_.back() + same_time) {
      if (std::equal(values_.back().begin(), values_.back().end(), value)) return;
      time = std::nextafter(times_.back(), HUGE_VAL);
    }
    times_.push_back(time);
    jumps_.push_back(jumps);
    values_.emplace_back(value, value + static_cast<std::ptrdiff_t>(width_));
    if (steps_.path == ChannelPath::rotation && values_.size() > 1)
      take_the_shorter_arc(values_[values_.size() - 2], values_.back());
  }

  Channel channel() const {
    Channel moving = steps_;
    moving.interpolation = Interpolation::cubic_spline;
    moving.times = times_;
    moving.values.clear();
    for (std::size_t k = 0; k < times_.size(); ++k) {
      const std::vector<double> slope = tangent(k);
      for (const std::vector<double>* part : {&slope, &values_[k], &slope})
        moving.values.insert(moving.values.end(), part->begin(), part->end());
    }
    return moving;
  }

 private:
  static void take_the_shorter_arc(const std::vector<double>& before, std::vector<double>& now) {
    if (std::inner_product(before.begin(), before.end(), now.begin(), 0.0) >= 0) return;
    for (double& value : now) value = -value;
  }

  std::vector<double> slope(std::size_t from, std::size_t to) const {
    std::vector<double> result(width_);
    for (std::size_t c = 0; c < width_; ++c)
      result[c] = (values_[to][c] - values_[from][c]) / (times_[to] - times_[from]);
    return result;
  }

  // True if the value is held from this key to the next.
  bool is_held(std::size_t k) const { return values_[k] == values_[k + 1] && times_[k + 1] - times_[k] > dense_keys; }

  // Derivative per second, for both sides of a key.
  std::vector<double> tangent(std::size_t k) const {
    const bool comes = k > 0 && !jumps_[k], goes = k + 1 < times_.size() && !jumps_[k + 1];
    if (!comes && !goes) return std::vector<double>(width_, 0.0);
    if (!comes) return slope(k, k + 1);
    if (!goes) return slope(k - 1, k);
    if (is_held(k - 1) || is_held(k)) return std::vector<double>(width_, 0.0);
    return slope(k - 1, k + 1);
  }

  const Channel& steps_;
  std::size_t width_;
  std::vector<double> times_;
  std::vector<char> jumps_;  // per key: whether the value jumps to it
  std::vector<std::vector<double>> values_;
};

// Indices of the first key and of those at which the value changes. For a value that lasts no longer than the interval
// of dense keys, e.g. where a motion reverses, all of its keys.
std::vector<std::size_t> changes_of(const Channel& steps) {
  const auto width = static_cast<std::ptrdiff_t>(steps.components);
  const auto value = [&](std::size_t key) { return steps.values.begin() + static_cast<std::ptrdiff_t>(key) * width; };
  std::vector<std::size_t> changes;
  for (std::size_t k = 0; k < steps.times.size();) {
    std::size_t next = k + 1;
    while (next < steps.times.size() && std::equal(value(k), value(k) + width, value(next))) ++next;
    const bool held = next == steps.times.size() || steps.times[next] - steps.times[k] > dense_keys;
    for (std::size_t i = k; i < (held ? k + 1 : next); ++i) changes.push_back(i);
    k = next;
  }
  return changes;
}

Channel moving(const Channel& steps, std::span<const Cut> cuts) {
  MovingKeys keys(steps);
  const std::vector<std::size_t> changes = changes_of(steps);
  const auto time = [&](std::size_t i) { return steps.times[changes[i]]; };
  const auto cut = [&](std::size_t i) { return within(time(i), cuts); };
  const auto dense = [&](std::size_t i) { return time(i) - time(i - 1) <= dense_keys; };
  keys.add(time(0), 0);
  for (std::size_t i = 1; i < changes.size(); ++i) {
    if (cut(i) || !dense(i)) keys.add(time(i), changes[i - 1]);
    if (cut(i) || dense(i)) {
      keys.add(time(i), changes[i], cut(i));
      continue;
    }
    double held = i + 1 < changes.size() ? time(i + 1) - time(i) : change_of_pose;
    if (held <= dense_keys) held *= 0.5;  // the change to the next pose starts before its key
    keys.add(time(i) + std::min(held, change_of_pose), changes[i]);
  }
  return keys.channel();
}

}  // namespace

bool ClipMotion::is_cut(double begin, double end) const {
  return std::any_of(cuts.begin(), cuts.end(), [&](const Cut& cut) { return begin < cut.end && end > cut.begin; });
}

std::optional<Clip> with_moving_steps(const Clip& clip, std::span<const Cut> cuts) {
  const auto is_step = [](const Channel& channel) {
    return channel.interpolation == Interpolation::step && channel.path != ChannelPath::weights &&
           channel.times.size() > 1;
  };
  if (std::none_of(clip.channels.begin(), clip.channels.end(), is_step)) return std::nullopt;
  Clip driven = clip;
  for (Channel& channel : driven.channels)
    if (is_step(channel)) channel = moving(channel, cuts);
  return driven;
}

ClipMotion clip_motion(const Character& character, const SimulationSurface& surface, const Clip& clip) {
  ClipMotion motion;
  motion.cuts = find_cuts(character, surface, clip);
  motion.driven = with_moving_steps(clip, motion.cuts);
  return motion;
}

std::string describe_cuts(const std::string& clip, std::span<const Cut> cuts) {
  if (cuts.empty()) return "";
  constexpr std::size_t most_named = 5;
  double jump = 0;
  std::string times;
  char text[64];
  for (std::size_t k = 0; k < cuts.size(); ++k) {
    jump = std::max(jump, cuts[k].jump);
    if (k >= most_named) continue;
    std::snprintf(text, sizeof text, "%.3g s", cuts[k].end);
    times += (k == 0 ? "" : k + 1 == cuts.size() ? " and " : ", ") + std::string(text);
  }
  if (cuts.size() > most_named) times += " and at " + std::to_string(cuts.size() - most_named) + " more times";
  std::snprintf(text, sizeof text, "%.2g m", jump);
  return "In " + clip + " the rig jumps at " + times + ", by " + (cuts.size() > 1 ? "up to " : "") + text +
         ", which its motion before and after does not explain: this counts as a cut, across which the flesh is "
         "carried along.";
}

}  // namespace sinew
