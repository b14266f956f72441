#include "sinew/kinematics/matching/motion_database.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sinew/base/index.h"

namespace sinew {
namespace {

constexpr double calm_reach = 1.0 / 3;  // seconds over which the heading of a clip that does not loop is averaged

int frames_in(double seconds, double rate) { return std::max(1, static_cast<int>(std::lround(seconds * rate))); }

void append(const Vec3& v, std::vector<float>& values) {
  for (std::size_t axis = 0; axis < 3; ++axis) values.push_back(static_cast<float>(v[axis]));
}

void append_along_ground(const Vec3& v, std::vector<float>& values) {
  values.push_back(static_cast<float>(v.x));
  values.push_back(static_cast<float>(v.z));
}

// The number of the frame in its cycle.
int around(const FramedClip& clip, int frame) {
  if (!clip.loops()) return frame;
  const int within = frame % clip.frames();
  return within < 0 ? within + clip.frames() : within;
}

}  // namespace

int frames_before(const DatabaseOptions& options, double frames_per_second) {
  return std::max(3, frames_in(options.least_before, frames_per_second));
}

int frames_left(const DatabaseOptions& options, double frames_per_second) {
  return frames_in(options.least_left, frames_per_second);
}

MotionDatabase::MotionDatabase(const GraphBody& body, std::span<const FramedClip> clips, const PointCloud& points,
                               std::span<const double> liveliness, DatabaseOptions options)
    : clips_(clips), options_(std::move(options)), table_({}, 0, {}) {
  double lively = 0;
  for (const double each : liveliness) lively += each / static_cast<double>(liveliness.size());
  std::vector<float> costs;  // with what is never begun in
  for (std::size_t c = 0; c < clips.size(); ++c) {
    const FramedClip& clip = clips[c];
    calm_.push_back(calm_headings(clip, frames_in(calm_reach, clip.frames_per_second())));
    first_rows_.push_back(places_.size());
    const double share = lively > 0 ? liveliness[c] / lively : 0;
    for (int f = 0; f < clip.frames(); ++f) {
      places_.push_back({static_cast<int>(c), f});
      costs_.push_back(static_cast<float>(options_.lively_cost * share * share));
      costs.push_back(can_begin(places_.back()) ? costs_.back() : std::numeric_limits<float>::infinity());
    }
  }
  values_ = features(body, clips, points);
  set_scales();
  for (std::size_t k = 0; k < values_.size(); ++k) values_[k] *= scale_[k % width_];
  table_ = FeatureTable(values_, width_, costs);
}

bool MotionDatabase::can_begin(const Place& place) const {
  const FramedClip& clip = clips_[index(place.clip)];
  const double rate = clip.frames_per_second();
  return clip.loops() ||
         (place.frame >= frames_before(options_, rate) && place.frame + frames_left(options_, rate) < clip.frames());
}

std::size_t MotionDatabase::row(int clip, int frame) const {
  return first_rows_[index(clip)] + index(around(clips_[index(clip)], frame));
}

Standing MotionDatabase::body(int clip, int frame) const {
  const FramedClip& own = clips_[index(clip)];
  return {calm_heading_of(own, calm_[index(clip)], frame), own.standing(frame).place + frame * own.travel_step()};
}

Standing MotionDatabase::body_in_pose(int clip, int frame) const {
  const FramedClip& own = clips_[index(clip)];
  const int within = around(own, frame);
  return {calm_[index(clip)][index(within)], own.standing(within).place};
}

Standing MotionDatabase::step(int clip, int frame) const {
  const FramedClip& own = clips_[index(clip)];
  const int before = around(own, frame - 1);
  return between(body(clip, before), body(clip, before + 1));
}

// Beyond the end of a clip that does not loop the body goes straight on, as fast as in the last frames.
PlaceAhead MotionDatabase::place_ahead(int clip, int frame, int later, const Vec3& forward) const {
  const FramedClip& own = clips_[index(clip)];
  const Standing now = body(clip, frame);
  const int last = own.loops() ? frame + later : std::min(frame + later, own.frames() - 1);
  Standing then = body(clip, last);
  constexpr int few = 5;
  if (const int beyond = frame + later - last; beyond > 0 && own.frames() > few)
    then.place += (then.place - body(clip, last - few).place) * (static_cast<double>(beyond) / few);
  const Standing way = between(now, then);
  return {way.place, turned(way.heading, forward)};
}

std::vector<float> MotionDatabase::features(const GraphBody& body, std::span<const FramedClip> clips,
                                            const PointCloud& points) {
  const std::size_t count = points.points.size();
  pose_width_ = 6 * count + 4;
  width_ = pose_width_ + 4 * options_.ahead.size();
  std::vector<float> values;
  values.reserve(places_.size() * width_);
  SamplingSpace space;
  Pose pose;
  for (std::size_t c = 0; c < clips.size(); ++c) {
    const FramedClip& clip = clips[c];
    const int number = static_cast<int>(c);
    const double rate = clip.frames_per_second();
    std::vector<Vec3> placed(index(clip.frames()) * count);  // relative to the body, but for its height
    std::vector<double> heights;
    for (int f = 0; f < clip.frames(); ++f) {
      clip.sample_frame(f, space, pose);
      const std::span<Vec3> own = std::span(placed).subspan(index(f) * count, count);
      points.place(pose, own);
      const Affine to_body = to_affine(inverse(body_in_pose(number, f)));
      for (Vec3& p : own) p = to_body * p;
      heights.push_back(pose.world[index(body.root)].translation.y * body.metres_per_unit);
    }
    for (int f = 0; f < clip.frames(); ++f) {
      const bool has_before = clip.loops() || f > 0;
      const int now = has_before ? f : std::min(1, clip.frames() - 1), before = has_before ? around(clip, now - 1) : 0;
      const Standing way = has_before || clip.frames() > 1 ? step(number, now) : Standing{};
      const auto at = [&](int frame, std::size_t k) { return placed[index(frame) * count + k]; };
      for (std::size_t k = 0; k < count; ++k) append(at(f, k), values);
      // Velocities of points in the axes of the body, with that of the body.
      for (std::size_t k = 0; k < count; ++k)
        append((turned(way.heading, at(now, k)) + way.place - at(before, k)) * rate, values);
      append({way.place.x * rate, (heights[index(now)] - heights[index(before)]) * rate, way.place.z * rate}, values);
      values.push_back(static_cast<float>(heights[index(f)]));
      for (const double ahead : options_.ahead)
        append_along_ground(place_ahead(number, f, static_cast<int>(std::lround(ahead * rate)), body.forward).place,
                            values);
      for (const double ahead : options_.ahead)
        append_along_ground(place_ahead(number, f, static_cast<int>(std::lround(ahead * rate)), body.forward).direction,
                            values);
    }
  }
  return values;
}

void MotionDatabase::set_scales() {
  const auto add = [&](std::size_t count, double scale) {
    scale_.insert(scale_.end(), count, static_cast<float>(scale));
  };
  const std::size_t points = (pose_width_ - 4) / 6;
  add(3 * points, options_.point_place / options_.arm);
  add(3 * points, options_.point_velocity / options_.pace);
  add(3, options_.body_velocity / options_.pace);
  add(1, options_.point_place / options_.arm);
  for (const double ahead : options_.ahead) add(2, options_.place_ahead / (options_.pace * ahead));
  add(2 * options_.ahead.size(), options_.direction_ahead);
}

std::vector<float> MotionDatabase::query(std::size_t row, std::span<const PlaceAhead> ahead) const {
  std::vector<float> wanted;
  for (const PlaceAhead& each : ahead) append_along_ground(each.place, wanted);
  for (const PlaceAhead& each : ahead) append_along_ground(each.direction, wanted);
  std::vector<float> result(values_.begin() + static_cast<std::ptrdiff_t>(row * width_),
                            values_.begin() + static_cast<std::ptrdiff_t>(row * width_ + pose_width_));
  for (std::size_t d = 0; d < wanted.size(); ++d) result.push_back(wanted[d] * scale_[pose_width_ + d]);
  return result;
}

float MotionDatabase::cost(std::size_t row, std::span<const float> query) const {
  float sum = costs_[row];
  for (std::size_t d = 0; d < width_; ++d) {
    const float away = values_[row * width_ + d] - query[d];
    sum += away * away;
  }
  return sum;
}

std::size_t MotionDatabase::row_for(std::span<const PlaceAhead> ahead) const {
  std::size_t best = 0;
  float least = std::numeric_limits<float>::infinity();
  const std::vector<float> wanted = query(0, ahead);
  for (std::size_t row = 0; row < places_.size(); ++row) {
    if (!can_begin(places_[row])) continue;
    float sum = costs_[row];
    for (std::size_t d = pose_width_; d < width_; ++d) {
      const float away = values_[row * width_ + d] - wanted[d];
      sum += away * away;
    }
    if (sum < least) least = sum, best = row;
  }
  return best;
}

}  // namespace sinew
