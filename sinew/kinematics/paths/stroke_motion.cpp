#include "sinew/kinematics/paths/stroke_motion.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/kinematics/paths/time_falloff.h"
#include "sinew/linalg/small.h"

namespace sinew {
namespace {

constexpr double rate = 60;                                    // frames per second
constexpr double shortest_stroke = 0.05, longest_stroke = 60;  // seconds
constexpr double longest_way = 1000;                           // legs
constexpr double hand_tremor = 0.05;                           // seconds over which a stroke is smoothed
constexpr double stands_low = 0.03;     // legs by which the hips are lower than with straight legs
constexpr double tiptoe_height = 0.05;  // of the hips, at which feet leave the ground
constexpr double lowest = -0.6;         // of the hips
constexpr double shortest_leap = 0.08;  // seconds
constexpr double along_ground = 0.15;   // rise of a stroke along the ground, as a share of its length
constexpr double walking_step = 0.6, shortest_walk = 0.25;  // legs
// Bodies of different sizes go over to running at the same Froude number, and take as long for a step in terms of a
// pendulum of a leg's length (Alexander and Jayes 1983). Speeds are shares of the root of gravity times leg.
constexpr double walks_below = 0.6, runs_above = 0.85;
constexpr double running_step = 1.2;     // the time of a step, times the root of gravity per leg
constexpr double flight_share = 0.3;     // of the time of a running step, at least
constexpr double longest_stance = 0.9;   // legs that the hips go while a foot stands
constexpr double speed_window = 0.2;     // seconds before and after, over which a speed is taken
constexpr double run_bob = 0.06;         // legs by which hips are lower while a foot of a runner stands
constexpr double heading_window = 0.12;  // legs of the way over which a heading is taken
constexpr double lands_ahead = 0.08;     // seconds by which feet are before the hips where a leap ends
constexpr double slow = 0.4;             // legs per second, at which a body that goes up and down is level still
constexpr double degrees = 180 / std::numbers::pi;

double bounded(double value, double most) { return most * std::tanh(value / most); }

// The hips' displacement, lower than asked where legs would be straight, and not below a deep crouch.
double hip_height(double asked) {
  const double low = asked < 0 ? lowest * std::tanh(asked / lowest) : asked;
  return low - stands_low;
}

}  // namespace

StrokeMotion::StrokeMotion(const TimedStroke& stroke, const GestureBody& body) : body_(body) {
  const std::size_t n = stroke.points.size();
  if (n < 2 || stroke.times.size() != n)
    throw usage_error("A stroke over time has at least two points, each with its time.");
  for (std::size_t k = 0; k < n; ++k) {
    if (!std::isfinite(stroke.times[k]) || !(norm(stroke.points[k] - stroke.points[0]) <= longest_way))
      throw usage_error("A stroke goes no farther than 1,000 times the length of the leg.");
    if (k > 0 && !(stroke.times[k] > stroke.times[k - 1])) throw usage_error("The times of a stroke ascend.");
  }
  seconds_ = stroke.times.back() - stroke.times.front();
  if (!(seconds_ >= shortest_stroke)) throw usage_error("A stroke over time lasts 0.05 s at least.");
  if (!(seconds_ <= longest_stroke)) throw usage_error("A stroke lasts 60 s at most.");
  smooth(stroke);
  find_headings();
  find_paces();
  find_leaps();
  int next = 0;
  double ground_from = 0;
  for (const Leap& leap : leaps_) {
    find_steps(ground_from, leap.begin, next);
    make_paces_whole(leap.begin, leap.end);
    // In the air all feet go to where the body lands.
    const Stand landing = stand_at(std::min(seconds_, leap.end + lands_ahead));
    for (std::vector<Step>& steps : steps_) steps.push_back({leap.begin, leap.end, landing});
    ground_from = leap.end;
  }
  find_steps(ground_from, seconds_, next);
}

// Even frames, and twice the mean over a window, which keeps its ends.
void StrokeMotion::smooth(const TimedStroke& stroke) {
  const auto frames = std::max<std::size_t>(2, static_cast<std::size_t>(std::lround(seconds_ * rate)) + 1);
  std::size_t next = 1;
  for (std::size_t f = 0; f < frames; ++f) {
    const double time = stroke.times.front() + seconds_ * static_cast<double>(f) / static_cast<double>(frames - 1);
    while (next + 1 < stroke.times.size() && stroke.times[next] < time) ++next;
    const double share =
        std::clamp((time - stroke.times[next - 1]) / (stroke.times[next] - stroke.times[next - 1]), 0.0, 1.0);
    places_.push_back(stroke.points[next - 1] * (1 - share) + stroke.points[next] * share - stroke.points[0]);
  }
  const auto reach = std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(hand_tremor * rate)));
  for (int pass = 0; pass < 2; ++pass) {
    std::vector<Vec3> even = places_;
    for (std::size_t f = 0; f < frames; ++f) {
      const std::size_t r = std::min({reach, f, frames - 1 - f});
      Vec3 sum;
      for (std::size_t k = f - r; k <= f + r; ++k) sum += places_[k];
      even[f] = sum / static_cast<double>(2 * r + 1);
    }
    places_ = std::move(even);
  }
  way_.assign(1, 0);
  for (std::size_t f = 1; f < frames; ++f) {
    const Vec3 step = places_[f] - places_[f - 1];
    way_.push_back(way_.back() + std::hypot(step.x, step.z));
  }
}

void StrokeMotion::find_headings() {
  double low = 0, high = 0;
  for (const Vec3& place : places_) low = std::min(low, place.y), high = std::max(high, place.y);
  rises_ = high - low > along_ground * way_.back();
  const auto heading_of = [](const Vec3& way) { return std::atan2(way.x, way.z); };
  const Vec3 whole = places_.back() - places_.front();
  const bool goes = std::hypot(whole.x, whole.z) > heading_window;
  heading_.assign(places_.size(), goes ? heading_of(whole) : 0);
  if (rises_ || !(way_.back() > heading_window)) return;
  double last = 0;
  for (std::size_t f = 0; f < places_.size(); ++f) {
    std::size_t from = f, to = f;
    while (from > 0 && way_[f] - way_[from] < heading_window) --from;
    while (to + 1 < places_.size() && way_[to] - way_[f] < heading_window) ++to;
    const double now = heading_of(places_[to] - places_[from]);
    last = f == 0 ? now : last + std::remainder(now - last, 2 * std::numbers::pi);
    heading_[f] = last;
  }
}

void StrokeMotion::find_leaps() {
  const auto time_of = [&](std::size_t f) {
    return seconds_ * static_cast<double>(f) / static_cast<double>(places_.size() - 1);
  };
  for (std::size_t f = 0; f < places_.size(); ++f) {
    if (!(places_[f].y > tiptoe_height)) continue;
    std::size_t end = f;
    while (end + 1 < places_.size() && places_[end].y > tiptoe_height) ++end;
    if (time_of(end) - time_of(f) >= shortest_leap) leaps_.push_back({time_of(f), time_of(end)});
    f = end;
  }
}

Vec3 StrokeMotion::place(double time) const {
  const double at = std::clamp(time / seconds_, 0.0, 1.0) * static_cast<double>(places_.size() - 1);
  const auto f = std::min(static_cast<std::size_t>(at), places_.size() - 2);
  const double share = at - static_cast<double>(f);
  return places_[f] * (1 - share) + places_[f + 1] * share;
}

Vec3 StrokeMotion::velocity(double time) const {
  constexpr double around = 0.05;
  const double from = std::max(0.0, time - around), to = std::min(seconds_, time + around);
  return (place(to) - place(from)) / (to - from);
}

double StrokeMotion::at(const std::vector<double>& frames, double time) const {
  const double at = std::clamp(time / seconds_, 0.0, 1.0) * static_cast<double>(frames.size() - 1);
  const auto f = std::min(static_cast<std::size_t>(at), frames.size() - 2);
  return std::lerp(frames[f], frames[f + 1], at - static_cast<double>(f));
}

void StrokeMotion::find_paces() {
  pace_.assign(1, 0);
  runs_.clear();
  const double pendulum = std::sqrt(body_.gravity);  // legs per second
  for (std::size_t f = 0; f < places_.size(); ++f) {
    const double time = seconds_ * static_cast<double>(f) / static_cast<double>(places_.size() - 1);
    const double from = std::max(0.0, time - speed_window), to = std::min(seconds_, time + speed_window);
    const double speed = (at(way_, to) - at(way_, from)) / (to - from);
    runs_.push_back(smoother_step((speed / pendulum - walks_below) / (runs_above - walks_below)));
    const double step = std::lerp(walking_step, std::max(walking_step, speed * running_step / pendulum), runs_[f]);
    if (f > 0) pace_.push_back(pace_.back() + (way_[f] - way_[f - 1]) / step);
  }
}

// Stretches steps, so that there is a whole number of them between two frames' times.
void StrokeMotion::make_paces_whole(double begin, double end) {
  const double from = at(pace_, begin), until = at(pace_, end), whole = std::ceil(until - from - 1e-9);
  if (!(until - from > 1e-9)) return;
  for (double& pace : pace_)
    if (pace > from) pace = pace < until ? from + (pace - from) * whole / (until - from) : pace - until + from + whole;
}

// When the body has made so many steps; bisection, since it may rest.
double StrokeMotion::time_of_pace(double pace, double begin, double end) const {
  for (int k = 0; k < 40; ++k) {
    const double middle = (begin + end) / 2;
    (at(pace_, middle) < pace ? begin : end) = middle;
  }
  return end;
}

StrokeMotion::Stand StrokeMotion::stand_at(double time) const {
  const double at = std::clamp(time / seconds_, 0.0, 1.0) * static_cast<double>(heading_.size() - 1);
  const auto f = std::min(static_cast<std::size_t>(at), heading_.size() - 2);
  const Vec3 here = place(time);
  return {{here.x, 0, here.z}, std::lerp(heading_[f], heading_[f + 1], at - static_cast<double>(f))};
}

// A whole number of steps between two times on the ground; `next` is the foot, or the pair of them, that goes next.
// Each foot stands for as long before the hips pass it as after.
void StrokeMotion::find_steps(double begin, double end, int& next) {
  if (!(at(way_, end) - at(way_, begin) > shortest_walk)) return;
  make_paces_whole(begin, end);
  const double from = at(pace_, begin), paces = at(pace_, end) - from;
  // A last step brings the other foot beside the first.
  const int count = static_cast<int>(std::lround(paces)) + 1;
  const auto time_of = [&](double k) { return time_of_pace(from + std::clamp(k, 0.0, paces), begin, end); };
  for (int k = 0; k < count; ++k, next = 1 - next) {
    const double middle = time_of(k), length = at(way_, time_of(k + 0.5)) - at(way_, time_of(k - 0.5));
    // A runner's foot is in the air for longer than a step.
    const double flight = at(runs_, middle) * std::max(flight_share, 1 - longest_stance / std::max(length, 1e-9));
    const double lifts = time_of(k - 0.5 - flight / 2), lands = time_of(k + 0.5 + flight / 2);
    const Stand stand = stand_at(time_of(k + 1));
    for (std::size_t foot = 0; foot < 4; ++foot) {
      const bool goes = (foot == 0 || foot == 3) == (next == 0);
      if (goes) steps_[foot].push_back({lifts, std::max(lands, lifts + 1 / rate), stand});
    }
  }
}

GesturePose StrokeMotion::pose(double time) const {
  GesturePose pose;
  const Stand stand = stand_at(time);
  const Vec3 here = place(time), speed = velocity(time), before = velocity(time - 0.06), after = velocity(time + 0.06);
  const double cosine = std::cos(stand.heading), sine = std::sin(stand.heading);
  const auto forward_of = [&](const Vec3& v) { return v.x * sine + v.z * cosine; };
  const auto left_of = [&](const Vec3& v) { return v.x * cosine - v.z * sine; };
  pose.yaw = stand.heading * degrees;
  pose.hips = {left_of(here), hip_height(here.y), forward_of(here)};

  const double runs = at(runs_, time) * (rises_ ? 0 : 1);
  const double passes = 0.5 + 0.5 * std::cos(2 * std::numbers::pi * at(pace_, time));  // 1: the hips are over a foot
  pose.hips.y -= runs * run_bob * passes;

  const bool flying =
      std::any_of(leaps_.begin(), leaps_.end(), [&](const Leap& leap) { return time > leap.begin && time < leap.end; });
  // The height of the hips off the ground, 0 to 1, by which the bearing of the trunk comes and goes smoothly.
  const double air = flying ? smoother_step((here.y - tiptoe_height) / 0.15) : 0;
  const double fast = std::tanh(norm(speed) / 1.5);
  const Vec3 acceleration = (after - before) / 0.12;
  const auto slope_of = [&](const Vec3& v) { return std::atan2(v.y, std::abs(forward_of(v)) + slow); };
  const double slope = slope_of(speed), bend = bounded((slope_of(after) - slope_of(before)) * degrees * fast, 25);
  const double pushed = (1 - air) * bounded(std::atan2(forward_of(acceleration), body_.gravity) * degrees * 0.7, 22);
  const double crouch = std::clamp(-here.y / 0.4, 0.0, 1.0);
  if (body_.on_all_fours) {
    // The line of the trunk lies along the stroke.
    pose.pitch = -slope * degrees * fast * std::lerp(0.2, 0.9, air);
    pose.bend = -bend * air;
  } else {
    // Up it points where it goes, and down it comes with the feet first: upright in between.
    pose.pitch = 22 * std::sin(2 * slope) * fast * air + pushed + 28 * crouch + 8 * runs;
    pose.bend = 0.4 * pushed + 22 * crouch - bend * air;
    pose.nod = -0.7 * (pose.pitch + pose.bend);
  }
  // Around corners it leans in, and looks ahead.
  const double around = bounded(std::atan2(left_of(acceleration), body_.gravity) * degrees * 0.7, 22);
  pose.roll = 0.6 * around * (1 - air);
  pose.lean = 0.4 * around * (1 - air);
  pose.look = bounded(std::remainder(stand_at(time + 0.3).heading - stand.heading, 2 * std::numbers::pi) * degrees, 50);

  double swing = 0;  // of the legs: left before right
  for (std::size_t foot = 0; foot < 4; ++foot) {
    Stand from = stand_at(0);
    const Step* in_air = nullptr;
    for (const Step& step : steps_[foot]) {
      if (time < step.begin) break;
      if (time < step.end) {
        in_air = &step;
        break;
      }
      from = step.to;
    }
    GesturePose::Foot& own = pose.feet[foot];
    if (in_air) {
      const double share = (time - in_air->begin) / (in_air->end - in_air->begin), gone = smoother_step(share);
      const bool leap = flying;
      if (leap) {
        // With the hips, so that the legs are neither stretched nor left behind.
        const Vec3 ends = from.place * (1 - share) + in_air->to.place * share;
        from.place = Vec3{here.x, 0, here.z} + (ends - Vec3{here.x, 0, here.z}) * 0.5;
        const double tucked = 0.28 * std::sin(std::numbers::pi * share) * std::min(1.0, here.y / 0.3);
        own.shift.y = std::max(0.0, here.y - tiptoe_height) + std::max(0.0, tucked);
      } else {
        from.place = from.place * (1 - gone) + in_air->to.place * gone;
        own.shift.y =
            std::lerp(0.12, 0.3, runs) * std::sin(std::numbers::pi * share) * std::sin(std::numbers::pi * share);
      }
      from.heading += (in_air->to.heading - from.heading) * gone;
      own.pitch = (leap ? 30 : std::lerp(25, 60, runs)) * std::sin(std::numbers::pi * std::min(1.0, 1.3 * share));
    }
    const double c = std::cos(from.heading), s = std::sin(from.heading);
    own.yaw = from.heading * degrees;
    own.shift.x = from.place.x * c - from.place.z * s;
    own.shift.z = from.place.x * s + from.place.z * c;
    if (foot < 2) swing += (foot == 0 ? 1 : -1) * (forward_of(from.place - here));
  }
  // Arms swing against the legs; before a leap they swing back, and in it up.
  for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
    GesturePose::Arm& arm = pose.arms[side];
    const double against = bounded((side == 0 ? -1 : 1) * swing * 45, 45);
    arm.swing = against - 55 * crouch + air * (60 + 40 * std::sin(slope));
    arm.elbow = 12 + 25 * crouch + 20 * fast + 45 * runs;
  }
  return pose;
}

}  // namespace sinew
