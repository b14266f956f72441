#include <cmath>

#include "posing.h"
#include "samples.h"

namespace sinew::samples {
namespace {

struct Leg {
  const char* name;  // front or hind
  Side side;
  double toe;  // from the foot's joint forward to the point that the foot rolls over
};
constexpr Leg legs[] = {
    {"hind", left_side, 0.24}, {"front", left_side, 0.235}, {"hind", right_side, 0.24}, {"front", right_side, 0.235}};

// Foot moved from its place in rest by `offset` and tipped onto its toes by `pitch` degrees.
double place_foot(Pose& pose, const Leg& leg, const Vec3& offset, double pitch) {
  const std::string name = leg.name;
  const std::string foot = leg.side.name(name + "_foot");
  const Vec3 rest = pose.skeleton().position(foot);
  const Quat tip = turn_x(pitch);
  const Vec3 target = turned_about(rest, {rest.x, 0, rest.z + leg.toe}, tip) + offset;
  const Vec3 bend{0, 0, name == "front" ? -1.0 : 1.0};
  return pose.reach(leg.side.name(name + "_upper"), leg.side.name(name + "_lower"), foot, target, tip, bend, bend);
}

void stand(Pose& pose, double time) {
  for (const Leg& leg : legs) require_reach(place_foot(pose, leg, {}, 0), leg.side.name(leg.name), time);
}

std::string trunk_joint(int i) { return "trunk_" + std::to_string(i + 1); }
std::string tail_joint(int i) { return "tail_" + std::to_string(i + 1); }

// Ears open (forward) by `out` degrees at the root; the tips follow later, so they get their own angle.
void pose_ears(Pose& pose, double root, double tip) {
  rotate_pair(pose, "ear_1", turn_y(-root));
  rotate_pair(pose, "ear_2", turn_y(-tip));
}

// --- walk ---------------------------------------------------------------------------------------

constexpr int walk_frames = 36;
constexpr double walk_period = walk_frames / frame_rate;
constexpr double duty = 0.66;    // part of the cycle in which a foot stands
constexpr double stride = 0.50;  // metres that a foot travels while it stands

struct Step {
  double forward, lift, pitch;
};

Step step_at(double phase) {
  if (phase < duty) {
    const double s = phase / duty;
    return {stride * (0.5 - s), 0, 16 * smooth_step(0.78, 1.15, s) / smooth_step(0.78, 1.15, 1)};
  }
  // The swing starts and ends with the speed of the ground.
  const double s = (phase - duty) / (1 - duty);
  const double slope = -stride / duty * (1 - duty);
  const Curve forward{{0, -stride / 2, slope}, {1, stride / 2, slope}};
  const Curve lift{{0, 0}, {0.45, 0.115}, {1, 0}};
  const Curve pitch{{0, 16, 20}, {0.30, 34}, {0.85, 1}, {1, 0}};
  return {forward(s), lift(s), pitch(s)};
}

void walk(double time, Pose& pose) {
  const double phase = time / walk_period;
  const auto wave = [&](double cycles, double delay) { return sine(2 * pi * cycles * (phase - delay)); };
  // Touch-downs: left hind, left front, right hind, right front, a quarter of the cycle apart.
  pose.root_offset = {0.030 * wave(1, 0.08), -0.050 + 0.014 * wave(2, 0.20), 0.012 * wave(2, 0.1)};
  pose.rotate("hips", turn_y(2.2 * wave(1, 0.72)) * turn_z(-1.8 * wave(1, 0.08)) * turn_x(0.5 * wave(2, 0.05)));
  pose.rotate("spine", turn_y(-1.6 * wave(1, 0.72)) * turn_z(1.0 * wave(1, 0.12)));
  pose.rotate("chest", turn_y(-2.0 * wave(1, 0.72)) * turn_z(1.6 * wave(1, 0.22)) * turn_x(-0.6 * wave(2, 0.05)));
  pose.rotate("neck", turn_x(2.4 * wave(2, 0.26)) * turn_y(1.2 * wave(1, 0.80)));
  pose.rotate("head", turn_x(2.6 * wave(2, 0.34)) * turn_y(1.4 * wave(1, 0.85)) * turn_z(1.2 * wave(1, 0.30)));
  pose.rotate("jaw", turn_x(2 + 2 * wave(2, 0.45)));
  for (int i = 0; i < 9; ++i) {
    const double delay = 0.055 * i;
    pose.rotate(trunk_joint(i), turn_z((1.6 + 0.45 * i) * wave(1, 0.35 + delay)) *
                                    turn_x(-0.8 - (1.0 + 0.2 * i) * wave(2, 0.42 + delay)));
  }
  pose_ears(pose, 3 + 7 * wave(2, 0.42), 6 * wave(2, 0.54));
  for (int i = 0; i < 4; ++i)
    pose.rotate(tail_joint(i), turn_z((4 + i) * wave(1, 0.25 + 0.09 * i)) * turn_x(-2 + 1.5 * wave(2, 0.3 + 0.07 * i)));
  for (int i = 0; i < 4; ++i) {
    double leg_phase = phase - 0.25 * i;
    leg_phase -= std::floor(leg_phase);
    const Step step = step_at(leg_phase);
    const double miss = place_foot(pose, legs[i], {-legs[i].side.sign * 0.03, step.lift, step.forward}, step.pitch);
    require_reach(miss, legs[i].side.name(legs[i].name), time);
  }
}

// --- trunk_swing --------------------------------------------------------------------------------

constexpr int trunk_swing_frames = 141;

void trunk_swing(double time, Pose& pose) {
  // Three swings that grow, then the trunk is thrown up with open ears, and lowered.
  static const Curve swing{{0, 0}, {0.45, 0.7}, {0.95, -1}, {1.5, 1}, {2.0, -0.35}, {2.5, 0.12}, {3.0, 0}, {4.5, 0}};
  static const Curve raise{{0, 0},       {1.8, 0},      {2.1, -0.14}, {2.65, 1},
                           {3.15, 0.94}, {3.75, -0.05}, {4.1, 0.03},  {4.35, 0}};
  static const Curve ears{{0, 0}, {2.0, -6}, {2.6, 24}, {2.85, 12}, {3.1, 20}, {3.8, -4}, {4.3, 0}};
  const double s = swing(time), up = raise(time);
  pose.root_offset = {0.045 * swing(time - 0.05),
                      -0.03 - 0.015 * up + 0.03 * smooth_step(3.9, 4.5, time) + 0.03 * (1 - smooth_step(0, 0.5, time)),
                      -0.02 * up};
  pose.rotate("hips", turn_z(-1.5 * s));
  pose.rotate("chest", turn_z(1.2 * s) * turn_x(-1.5 * up) * turn_y(1.5 * s));
  pose.rotate("neck", turn_y(5 * s) * turn_x(-6 * up));
  pose.rotate("head", turn_y(9 * swing(time - 0.05)) * turn_z(4 * s) * turn_x(-11 * raise(time - 0.05)));
  pose.rotate("jaw", turn_x(16 * std::max(0.0, raise(time - 0.15))));
  // Each joint follows the one above; the throw runs down the trunk like a wave.
  static const double lift[] = {-34, -32, -28, -22, -14, -6, 4, 12, 18};
  for (int i = 0; i < 9; ++i) {
    const double side = swing(time - 0.055 * i), lifted = raise(time - 0.045 * i);
    pose.rotate(trunk_joint(i),
                turn_z((4.5 + 0.9 * i) * side) * turn_x(lift[i] * lifted - (i > 5 ? 2.0 : 0.5) * std::fabs(side)));
  }
  pose_ears(pose, ears(time) + 3 * std::fabs(s), 0.7 * ears(time - 0.12));
  static const Curve tail{{0, 0},      {0.5, -0.6}, {1.0, 1},    {1.5, -1}, {2.0, 0.6},
                          {2.6, -0.4}, {3.2, 0.3},  {3.7, -0.1}, {4.1, 0}};
  for (int i = 0; i < 4; ++i) pose.rotate(tail_joint(i), turn_z((5 + 2 * i) * tail(time - 0.08 * i)) * turn_x(4 * up));
  stand(pose, time);
}

// --- jump ---------------------------------------------------------------------------------------

constexpr int jump_frames = 78;

void jump(double time, Pose& pose) {
  // Off the ground from 0.66 s to 1.11 s; the body then flies a parabola with the gravity of the earth.
  constexpr double speed = 9.81 * 0.45 / 2;
  static const Curve height{{0, 0},        {0.40, -0.23}, {0.66, 0.0, speed}, {1.11, 0.0, -speed},
                            {1.30, -0.25}, {1.62, 0.005}, {1.86, -0.022},     {2.15, 0}};
  static const Curve pitch{{0, 0},     {0.36, 3.5}, {0.62, -0.8}, {0.86, -8},
                           {1.10, -1}, {1.30, 3.5}, {1.65, -0.8}, {2.0, 0}};
  static const Curve nod{{0, 0},    {0.34, 6},  {0.66, -9}, {0.95, -5}, {1.12, 2},
                         {1.32, 8}, {1.66, -4}, {2.0, 1.5}, {2.35, 0}};
  static const Curve ears{{0, 0},      {0.40, 8}, {0.68, -14}, {0.90, 2}, {1.12, 26},
                          {1.36, -12}, {1.64, 9}, {1.92, -4},  {2.25, 0}};
  static const Curve whip{{0, 0},    {0.40, 3},  {0.70, 6}, {0.95, -9}, {1.16, -14},
                          {1.40, 6}, {1.70, -4}, {2.0, 2},  {2.3, 0}};
  static const Curve tail{{0, 0},    {0.42, -4}, {0.72, 8}, {1.0, -12}, {1.16, -18},
                          {1.42, 8}, {1.72, -5}, {2.05, 2}, {2.4, 0}};
  pose.root_offset = {0, height(time), -0.02 * smooth_step(0, 0.4, time) + 0.02 * smooth_step(1.5, 2.1, time)};
  pose.rotate("hips", turn_x(pitch(time)));
  pose.rotate("spine", turn_x(0.30 * nod(time - 0.02)));
  pose.rotate("chest", turn_x(-0.30 * nod(time - 0.02)));
  pose.rotate("neck", turn_x(0.7 * nod(time - 0.03)));
  pose.rotate("head", turn_x(nod(time - 0.07)));
  pose.rotate("jaw", turn_x(std::max(0.0, 0.8 * nod(time - 0.12))));
  // The tip curls up out of the way of the ground when the body is low.
  const double low = std::max(0.0, -height(time)) / 0.25;
  for (int i = 0; i < 9; ++i)
    pose.rotate(trunk_joint(i), turn_x((0.45 + 0.12 * i) * whip(time - 0.035 * i) - (i < 3 ? 11 : 15) * low));
  pose_ears(pose, ears(time), 0.8 * ears(time - 0.09));
  for (int i = 0; i < 4; ++i) pose.rotate(tail_joint(i), turn_x((0.8 + 0.3 * i) * tail(time - 0.05 * i)));
  for (const Leg& leg : legs) {
    // Front feet leave first and land last.
    const bool front = leg.name[0] == 'f';
    const double off = front ? 0.62 : 0.66, on = front ? 1.13 : 1.11, middle = 0.5 * (off + on);
    const Curve lift{{off, 0}, {middle, front ? 0.40 : 0.34}, {on, 0}};
    const Curve back{{off, 0}, {middle, front ? -0.03 : 0.06}, {on, 0}};
    const Curve tip{{off - 0.14, 0}, {off, 18}, {middle, 34}, {on - 0.03, 2}, {on, 0}};
    const double miss = place_foot(pose, leg, {0, lift(time), back(time)}, tip(time));
    if (time <= off || time >= on) require_reach(miss, leg.side.name(leg.name), time);
  }
}

}  // namespace

void add_elephant_clips(Sample& elephant) {
  std::vector<std::string> animated;
  for (const Joint& joint : elephant.skeleton.joints)
    if (joint.name != "belly") animated.push_back(joint.name);
  elephant.clips = {sample_clip("walk", elephant.skeleton, walk_frames, animated, walk),
                    sample_clip("trunk_swing", elephant.skeleton, trunk_swing_frames, animated, trunk_swing),
                    sample_clip("jump", elephant.skeleton, jump_frames, animated, jump)};
}

}  // namespace sinew::samples
