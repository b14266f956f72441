#include "sinew/kinematics/paths/joint_path.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/kinematics/picture_plane.h"

namespace sinew {
namespace {

constexpr std::size_t stroke_samples = 65;
constexpr int smoothing_passes = 2;
constexpr double longest_swing_out = 0.12;  // seconds, in which a velocity at a stroke's end fades

// A stroke as a smooth curve by its length: even samples, smoothed, with cubics between them.
class SmoothStroke {
 public:
  explicit SmoothStroke(const Polyline& line) {
    for (std::size_t k = 0; k < stroke_samples; ++k)
      points_.push_back(line.at(line.length() * static_cast<double>(k) / (stroke_samples - 1)));
    for (int pass = 0; pass < smoothing_passes; ++pass) {
      std::vector<Vec3> smooth = points_;
      for (std::size_t k = 1; k + 1 < points_.size(); ++k)
        smooth[k] = points_[k] * 0.5 + (points_[k - 1] + points_[k + 1]) * 0.25;
      points_ = std::move(smooth);
    }
  }
  Vec3 at(double share) const {
    const double x = std::clamp(share, 0.0, 1.0) * (stroke_samples - 1);
    const auto k = std::min(static_cast<std::size_t>(x), stroke_samples - 2);
    const double t = x - static_cast<double>(k);
    const Vec3 &a = points_[k], &b = points_[k + 1];
    // Catmull and Rom's cubic, which goes on straight at the ends.
    const Vec3 before = k > 0 ? points_[k - 1] : a * 2.0 - b,
               after = k + 2 < stroke_samples ? points_[k + 2] : b * 2.0 - a;
    const Vec3 from = (b - before) * 0.5, to = (after - a) * 0.5;
    return a + (from + ((b - a) * 3.0 - from * 2.0 - to + (from + to - (b - a) * 2.0) * t) * t) * t;
  }

 private:
  std::vector<Vec3> points_;
};

// The place of a given height over the plane that is seen at a point of it.
Vec3 unseen(const PicturePlane& plane, const Vec3& point, double height) {
  if (!plane.eye) return point + plane.normal * height;
  const Vec3 ray = point - *plane.eye;
  return *plane.eye + ray * ((plane.height(*plane.eye) - height) / plane.height(*plane.eye));
}

}  // namespace

std::vector<Vec3> JointPath::in_world() const {
  std::vector<Vec3> world;
  for (std::size_t k = 0; k < places.size(); ++k) world.push_back(frames[k] * places[k]);
  return world;
}

JointPath joint_path(const Skeleton& skeleton, const Clip& clip, int joint, int seen_from,
                     std::span<const double> times) {
  JointPath path;
  path.times.assign(times.begin(), times.end());
  SamplingSpace space;
  Pose pose;
  for (const double time : times) {
    sample(skeleton, &clip, time, space, pose);
    path.frames.push_back(seen_from < 0 ? Affine{} : pose.world[index(seen_from)]);
    const Vec3& place = pose.world[index(joint)].translation;
    path.places.push_back(seen_from < 0 ? place : inverse(path.frames.back()) * place);
  }
  return path;
}

JointPath displaced(JointPath path, const TimeFalloff& falloff, const Vec3& by) {
  for (std::size_t k = 0; k < path.times.size(); ++k)
    if (const double share = falloff(path.times[k]); share > 0) path.places[k] += by * share;
  return path;
}

JointPath redrawn(JointPath path, const DrawnLine& drawn, double begin, double end, double fade) {
  const PicturePlane plane = plane_of(drawn);
  const SmoothStroke stroke(stroke_of(drawn, plane));
  // The part of the path that is replaced, by its length in the picture.
  std::vector<std::size_t> replaced;
  for (std::size_t k = 0; k < path.times.size(); ++k)
    if (path.times[k] >= begin && path.times[k] <= end) replaced.push_back(k);
  if (replaced.size() < 2)
    throw usage_error("A stroke replaces a path between two times; these are none of the clip's.");
  std::vector<Vec3> seen;
  for (const std::size_t k : replaced) seen.push_back(plane.seen(path.places[k]));
  const Polyline old(std::move(seen));
  const double whole = path.times[replaced.back()] - path.times[replaced.front()];
  std::vector<Vec3> added(replaced.size());
  for (std::size_t i = 0; i < replaced.size(); ++i) {
    const std::size_t k = replaced[i];
    // A joint that stands has a path without length, and goes along the stroke evenly.
    const double share =
        old.length() > 0 ? old.until(i) / old.length() : (path.times[k] - path.times[replaced.front()]) / whole;
    added[i] = unseen(plane, stroke.at(share), plane.height(path.places[k])) - path.places[k];
  }
  const auto velocity = [&](std::size_t a, std::size_t b) {
    return (added[b] - added[a]) / (path.times[replaced[b]] - path.times[replaced[a]]);
  };
  const Vec3 at_begin = velocity(0, 1), at_end = velocity(added.size() - 2, added.size() - 1);
  const double swing = std::min(fade, longest_swing_out);
  const auto left = [](double far, double width) { return width > 0 ? 1 - smoother_step(std::abs(far) / width) : 0; };
  const double first = path.times[replaced.front()], last = path.times[replaced.back()];
  for (std::size_t k = 0; k < path.times.size(); ++k) {
    const double time = path.times[k];
    if (time < first)
      path.places[k] +=
          added.front() * left(time - first, fade) + at_begin * ((time - first) * left(time - first, swing));
    else if (time > last)
      path.places[k] += added.back() * left(time - last, fade) + at_end * ((time - last) * left(time - last, swing));
  }
  for (std::size_t i = 0; i < replaced.size(); ++i) path.places[replaced[i]] += added[i];
  return path;
}

double TimeWarp::operator()(double time) const {
  const double x = (time - at) / width;
  if (!(std::abs(x) < 1)) return time;
  // The slope of the falloff is at most 1.875, and x times it at least -1.1: with half of the width and these bounds
  // time never runs backward.
  const double counts = 1 - smoother_step(std::abs(x));
  const double shift = std::clamp(from - at, -0.5 * width, 0.5 * width);
  const double slower = std::clamp(linger, -1.0, 0.9) * (1 - 2 * std::abs(shift) / width);
  return time + shift * counts - (time - at) * slower * counts;
}

}  // namespace sinew
