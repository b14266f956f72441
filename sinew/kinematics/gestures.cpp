#include "sinew/kinematics/gestures.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/smooth_step.h"

namespace sinew {
namespace {

constexpr double two_pi = 6.283185307179586;
// Knees are never quite straight: the hips stand so far below, as a share of the leg.
constexpr double unlocked = 0.02;

// A point of a curve: time, value, and change per second.
struct CurvePoint {
  double time, value, rate = 0;
};

// Cubic through points with their rates; constant before and after.
double along(std::span<const CurvePoint> points, double time) {
  if (time <= points.front().time) return points.front().value;
  for (std::size_t k = 1; k < points.size(); ++k) {
    const CurvePoint &a = points[k - 1], &b = points[k];
    if (time > b.time) continue;
    const double d = b.time - a.time, s = (time - a.time) / d, s2 = s * s, s3 = s2 * s;
    return (2 * s3 - 3 * s2 + 1) * a.value + (s3 - 2 * s2 + s) * d * a.rate + (3 * s2 - 2 * s3) * b.value +
           (s3 - s2) * d * b.rate;
  }
  return points.back().value;
}
double along(std::initializer_list<CurvePoint> points, double time) {
  return along(std::span(points.begin(), points.size()), time);
}

// Rises from 0 to 1 and falls again within the first and last `edge` seconds.
double envelope(double time, double seconds, double edge) {
  return smooth_step(time / edge) * smooth_step((seconds - time) / edge);
}

// Crouch, leap and landing. Times are seconds; heights and depths are shares of the leg.
struct Jump {
  double crouched, take_off, touch_down, sunk, end;
  double speed;  // at take-off
};
constexpr double crouch_depth = 0.34, jump_height = 0.32, tiptoe = 0.08, landing_depth = 0.3;

Jump jump_of(const GestureBody& body) {
  Jump jump{};
  jump.speed = std::sqrt(2 * body.gravity * jump_height);
  jump.crouched = 0.6;
  // Constant acceleration from the crouch to the speed of take-off, and from that of the landing to rest.
  jump.take_off = jump.crouched + 2 * (crouch_depth + tiptoe) / jump.speed;
  jump.touch_down = jump.take_off + 2 * jump.speed / body.gravity;
  jump.sunk = jump.touch_down + 2 * (landing_depth + tiptoe) / jump.speed;
  jump.end = jump.sunk + 1.2;
  return jump;
}

// Height of the hips over where they stand.
double hips_in_jump(const Jump& jump, double gravity, double time) {
  if (time > jump.take_off && time < jump.touch_down) {
    const double t = time - jump.take_off;
    return tiptoe + jump.speed * t - gravity * t * t / 2;
  }
  if (time <= jump.take_off)
    return along({{0.1, -unlocked}, {jump.crouched, -crouch_depth}, {jump.take_off, tiptoe, jump.speed}}, time);
  return along({{jump.touch_down, tiptoe, -jump.speed}, {jump.sunk, -landing_depth}, {jump.sunk + 0.6, -unlocked}},
               time);
}

// Degrees that the foot rolls over its ball so that straight legs reach: up to the take-off and after the landing.
constexpr double tiptoe_pitch = 35;

double seconds_of_jump(const GestureBody& body) { return jump_of(body).end; }

GesturePose pose_of_jump(double time, const GestureBody& body) {
  const Jump jump = jump_of(body);
  GesturePose pose;
  pose.hips.y = hips_in_jump(jump, body.gravity, time);
  const double crouch = std::clamp(-pose.hips.y / crouch_depth, 0.0, 1.0);
  const bool flying = time > jump.take_off && time < jump.touch_down;
  const double last_push = 0.12;  // seconds
  const double rise = time <= jump.take_off ? smooth_step((time - jump.take_off + last_push) / last_push)
                      : flying              ? 1
                                            : 1 - smooth_step((time - jump.touch_down) / last_push);
  for (GesturePose::Foot& foot : pose.feet) {
    foot.pitch = tiptoe_pitch * rise;
    foot.shift.y = flying ? pose.hips.y - tiptoe : 0;
  }
  if (body.on_all_fours) return pose;
  pose.hips.z = -0.1 * crouch;
  pose.pitch = 30 * crouch;
  pose.bend = 25 * crouch;
  pose.nod = -30 * crouch;
  const double swing = along({{0.1, 0},
                              {jump.crouched, -50},
                              {jump.take_off, 130, 300},
                              {jump.touch_down, 60},
                              {jump.sunk, 20},
                              {jump.sunk + 0.6, 0}},
                             time);
  for (GesturePose::Arm& arm : pose.arms) {
    arm.swing = swing;
    arm.elbow = 12 + 20 * crouch;
  }
  return pose;
}

double seconds_of_shake(const GestureBody&) { return 2.4; }
GesturePose pose_of_shake(double time, const GestureBody& body) {
  constexpr double rate = 4;  // per second
  const double strength = envelope(time, 2.4, 0.5), phase = two_pi * rate * time;
  GesturePose pose;
  pose.hips.y = -unlocked - 0.06 * strength;
  pose.hips.x = 0.03 * strength * std::sin(phase);
  pose.roll = 4 * strength * std::sin(phase);
  pose.twist = 12 * strength * std::sin(phase + 1);
  pose.look = 14 * strength * std::sin(phase + 2);
  pose.bend = body.on_all_fours ? 0 : 8 * strength;
  for (GesturePose::Arm& arm : pose.arms) {
    arm.down = 78 - 20 * strength;
    arm.elbow = 12 + 35 * strength;
  }
  return pose;
}

double seconds_of_nod(const GestureBody&) { return 2.4; }
GesturePose pose_of_nod(double time, const GestureBody&) {
  const double strength = envelope(time, 2.4, 0.4);
  GesturePose pose;
  pose.hips.y = -unlocked;
  const double wave = (1 - std::cos(two_pi * 1.25 * time)) / 2;
  pose.nod = 28 * strength * wave - 6 * strength;
  pose.bend = 4 * strength * wave;
  return pose;
}

double seconds_of_twist(const GestureBody&) { return 4; }
GesturePose pose_of_twist(double time, const GestureBody& body) {
  const double strength = envelope(time, 4, 0.6), wave = std::sin(two_pi * 0.75 * time);
  GesturePose pose;
  const double least = body.on_all_fours ? 0.4 : 1;
  pose.hips.y = -unlocked - 0.04 * strength;
  pose.yaw = 14 * least * strength * wave;
  pose.twist = 38 * least * strength * std::sin(two_pi * 0.75 * time - 0.3);
  pose.look = 12 * strength * wave;
  for (GesturePose::Arm& arm : pose.arms) {
    arm.down = 78 - 55 * strength;
    arm.elbow = 12 + 20 * strength;
  }
  return pose;
}

constexpr int stomps = 4;
constexpr double stomp_seconds = 0.9;
double seconds_of_stomp(const GestureBody&) { return stomps * stomp_seconds + 0.8; }
GesturePose pose_of_stomp(double time, const GestureBody& body) {
  GesturePose pose;
  pose.hips.y = -unlocked;
  const double t = time - 0.3;
  const int step = static_cast<int>(std::floor(t / stomp_seconds));
  if (t < 0 || step >= stomps) return pose;
  const double s = t - step * stomp_seconds;
  const int side = step % 2;
  // Lifted slowly, held, and brought down within a tenth of a second.
  const double lifted = along({{0.05, 0}, {0.45, 1}, {0.55, 1, 0}, {0.65, 0}}, s);
  const double shifted = smooth_step(s / 0.25) * smooth_step((stomp_seconds - s) / 0.25);
  const double struck = s > 0.65 ? std::sin(two_pi * 2.5 * (s - 0.65)) * std::exp(-6 * (s - 0.65)) : 0;
  const auto foot = static_cast<std::size_t>(side + (body.on_all_fours ? 2 : 0));
  pose.feet[foot].shift = {0, 0.3 * lifted, body.on_all_fours ? 0.05 * lifted : 0.12 * lifted};
  pose.feet[foot].pitch = 10 * lifted;
  const double away = side == 0 ? -1 : 1;
  pose.hips.x = 0.08 * away * shifted;
  pose.hips.y -= 0.05 * std::max(0.0, struck) + 0.01 * shifted;
  if (body.on_all_fours) return pose;
  pose.roll = 5 * away * shifted;
  pose.lean = -6 * away * shifted;
  pose.bend = 10 * std::max(0.0, struck);
  pose.arms[0].down = pose.arms[1].down = 78 - 12 * shifted;
  pose.arms[static_cast<std::size_t>(1 - side)].swing = 30 * lifted;
  pose.arms[static_cast<std::size_t>(1 - side)].elbow = 12 + 45 * lifted;
  return pose;
}

// A full turn in steps of an eighth: the feet follow one after the other, each by two eighths.
constexpr int turn_steps = 8;
constexpr double turn_step_seconds = 0.42, turn_begin = 0.3, eighth = 45;

// From 0 to 1 between two times, at one speed but for the first and last `edge`.
double ramp(double time, double begin, double end, double edge) {
  const double length = end - begin, t = std::clamp(time - begin, 0.0, length), speed = 1 / (length - edge);
  if (t < edge) return speed * t * t / (2 * edge);
  if (t > length - edge) return 1 - speed * (length - t) * (length - t) / (2 * edge);
  return speed * (t - edge / 2);
}

double seconds_of_turn(const GestureBody&) { return turn_begin + (turn_steps + 1) * turn_step_seconds + 0.5; }
GesturePose pose_of_turn(double time, const GestureBody& body) {
  GesturePose pose;
  const double t = (time - turn_begin) / turn_step_seconds;  // in steps
  pose.yaw = 360 * ramp(t, 0, turn_steps + 1, 1);
  pose.hips.y = -unlocked - 0.04 * envelope(time, seconds_of_turn(body), 0.5);
  pose.look = 14 * envelope(time, seconds_of_turn(body), 0.6);
  // Those of a body on all fours step crosswise.
  for (std::size_t foot = 0; foot < pose.feet.size(); ++foot)
    for (int step = foot == 0 || foot == 3 ? 0 : 1; step <= turn_steps && t > step; step += 2) {
      const double s = t - step, from = std::max(0, step - 1) * eighth, to = std::min(turn_steps, step + 1) * eighth;
      pose.feet[foot].yaw = from + (to - from) * smooth_step((s - 0.2) / 0.6);  // while it is up
      pose.feet[foot].shift.y = s < 1 ? 0.08 * (1 - std::cos(two_pi * s)) : 0;
    }
  return pose;
}

// Drops from one leg's length, lands in a crouch and stands up.
constexpr double fall_height = 0.9, fall_depth = 0.45, fall_begin = 0.2;
double fall_time(const GestureBody& body) { return std::sqrt(2 * fall_height / body.gravity); }
double seconds_of_fall(const GestureBody& body) { return fall_begin + fall_time(body) + 2; }
GesturePose pose_of_fall(double time, const GestureBody& body) {
  const double landing = fall_begin + fall_time(body), speed = body.gravity * fall_time(body);
  const double sunk = landing + 2 * fall_depth / speed;
  GesturePose pose;
  const double t = std::clamp(time - fall_begin, 0.0, fall_time(body));
  const bool flying = time < landing;
  const double above = fall_height - body.gravity * t * t / 2;
  pose.hips.y = flying ? above - unlocked
                       : along({{landing, -unlocked, -speed}, {sunk, -fall_depth}, {sunk + 1, -unlocked}}, time);
  const double crouch = std::clamp((-pose.hips.y - unlocked) / fall_depth, 0.0, 1.0);
  for (GesturePose::Foot& foot : pose.feet) foot.shift.y = flying ? above : 0;
  if (body.on_all_fours) return pose;
  pose.pitch = 28 * crouch;
  pose.bend = 30 * crouch;
  pose.nod = -25 * crouch;
  pose.hips.z = -0.12 * crouch;
  const double raised = flying ? smooth_step(time / landing) : 1 - smooth_step((time - landing) / 0.6);
  for (GesturePose::Arm& arm : pose.arms) {
    arm.down = 78 - 110 * raised;
    arm.swing = 25 * crouch;
    arm.elbow = 12 + 25 * raised;
  }
  return pose;
}

constexpr Gesture gestures[] = {{"jump", "crouches, leaps and lands", seconds_of_jump, pose_of_jump},
                                {"shake", "shakes itself", seconds_of_shake, pose_of_shake},
                                {"turn", "turns round on the spot, step by step", seconds_of_turn, pose_of_turn},
                                {"nod", "nods", seconds_of_nod, pose_of_nod},
                                {"stomp", "stomps with one foot after the other", seconds_of_stomp, pose_of_stomp},
                                {"twist", "twists its trunk to both sides", seconds_of_twist, pose_of_twist},
                                {"fall", "drops from the height of its hips and lands", seconds_of_fall, pose_of_fall}};

}  // namespace

std::span<const Gesture> all_gestures() { return gestures; }

Flight flight_of_jump(const GestureBody& body) {
  const Jump jump = jump_of(body);
  return {jump.take_off, jump.touch_down, jump_height};
}

}  // namespace sinew
