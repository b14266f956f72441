#include <cmath>

#include "posing.h"
#include "sumo_design.h"

namespace sinew::samples {
namespace {

const Vec3 knee_rest_pole{0, 0, 1}, elbow_rest_pole{0, -0.3, -1};

// Which way the left elbow bends forward, and how it hangs when relaxed.
const Vec3 elbow_axis = normalized(Vec3{-0.74, -0.67, 0});

struct Foot {
  Vec3 ankle;            // world, left side
  Quat orientation;      // world, left side
  Vec3 pole{0.1, 0, 1};  // of the knee, left side
  double toe_pitch = 0;  // degrees by which the toes are bent back, to lie flat under a raised heel
};

// A standing foot: flat, `apart` metres to the side of its place in rest, toes turned out by
// `yaw` degrees, heel up by `pitch` about the ball.
Foot flat_foot(double apart, double yaw, double pitch = 0) {
  const SumoPoints& p = sumo_points();
  const Quat q = turn_y(yaw) * turn_x(pitch);
  const Vec3 ball{p.ball_of_foot.x, 0, p.ball_of_foot.z};
  const Vec3 rolled = turned_about(p.ankle, ball, turn_x(pitch));
  const Vec3 heel{p.ankle.x, 0, p.ankle.z};
  return {turned_about(rolled, heel, turn_y(yaw)) + Vec3{apart, 0, 0}, q, rotate(turn_y(yaw), {0.1, 0, 1}), pitch};
}

double place_foot(Pose& pose, const Side& side, const Foot& foot) {
  pose.set_rotation(side.name("toes"), turn_x(-foot.toe_pitch));
  return pose.reach(side.name("thigh"), side.name("shin"), side.name("foot"), side.place(foot.ankle),
                    side.place(foot.orientation), side.place(foot.pole), knee_rest_pole);
}

void stand(Pose& pose, double time, double apart = 0, double yaw = 0) {
  for (const Side& side : {left_side, right_side})
    require_reach(place_foot(pose, side, flat_foot(apart, yaw)), side.name("foot"), time);
}

// Arms lowered from the pose of rest, elbows and fingers a little bent; degrees.
void pose_arm(Pose& pose, const Side& side, double lower, double swing, double bend) {
  pose.rotate(side.name("clavicle"), side.place(turn_z(-0.12 * lower)));
  pose.rotate(side.name("upper_arm"), side.place(turn_x(-swing) * turn_z(-lower)));
  pose.rotate(side.name("forearm"), side.place(turn(elbow_axis, bend)));
}

void pose_fingers(Pose& pose, const Side& side, double curl) {
  // Towards the palm, which faces down and inward.
  const Quat q = turn({0, 0, 1}, -curl);
  pose.rotate(side.name("fingers_1"), side.place(q));
  pose.rotate(side.name("fingers_2"), side.place(q));
  pose.rotate(side.name("thumb_1"), side.place(turn({0.6, 0, 0.8}, -0.4 * curl)));
}

// Keeps the head level: takes away the part `share` of the tilt that the spine gave it.
void level_head(Pose& pose, double share, const Quat& look) {
  const Index head = pose.skeleton().index("head");
  const Quat tilted = pose.world_rotation(head);
  pose.set_world_rotation("head", look * blend(tilted, Quat{}, share));
}

// --- stomp (shiko) --------------------------------------------------------------------------------

constexpr int stomp_frames = 132;
constexpr double stance = 0.205, toe_out = 38;

// The hand rests on the thigh above the knee.
void place_hand(Pose& pose, const Side& side, const Vec3& knee_pole) {
  const Vec3 knee = pose.world_position(side.name("shin")), hip = pose.world_position(side.name("thigh"));
  const Vec3 along = normalized(knee - hip);
  const Vec3 up = normalized(Vec3{0, 1, 0} - along * along.y);
  const Vec3 pole = side.place(knee_pole);
  const Vec3 over = normalized(up + 0.5 * normalized(pole - along * dot(along, pole)));
  const Vec3 target = mix(knee, hip, 0.42) + over * 0.150 - side.place(Vec3{0.02, 0, 0});
  pose.reach(side.name("upper_arm"), side.name("forearm"), side.name("hand"), target, Quat{},
             side.place(Vec3{0.8, 0.35, -0.5}), elbow_rest_pole);
  pose.set_rotation(side.name("hand"), side.place(turn_z(14)));
}

void stomp(double time, Pose& pose) {
  static const Curve sway{{0, 0},        {0.50, 0.055}, {1.30, -0.275}, {1.98, -0.285},
                          {2.32, -0.02}, {2.55, 0.03},  {3.0, -0.008},  {3.4, 0}};
  static const Curve height{{0, -0.225},    {0.50, -0.275}, {1.25, -0.015}, {1.95, 0.0},  {2.26, -0.17},
                            {2.50, -0.335}, {2.88, -0.200}, {3.2, -0.235},  {3.6, -0.225}};
  static const Curve roll{{0, 0}, {0.50, -4}, {1.40, 25}, {1.98, 27}, {2.28, 3}, {2.48, -4}, {2.9, 1}, {3.3, 0}};
  static const Curve raise{{0.78, 18}, {1.55, 106}, {1.95, 111}, {2.10, 84}, {2.27, 30}};
  static const Curve airborne{{0.76, 0}, {1.06, 1}, {2.02, 1}, {2.27, 0, -7}};
  static const Curve lean{{0, 14},    {0.50, 19}, {1.40, 4},   {1.98, 3}, {2.28, 12},
                          {2.52, 25}, {2.92, 12}, {3.3, 14.5}, {3.7, 14}};
  const double up = airborne(time), tilt = roll(time);
  pose.root_offset = {sway(time), height(time), -0.05 + 0.04 * up};
  pose.rotate("hips", turn_z(tilt) * turn_x(0.35 * lean(time)));
  pose.rotate("spine", turn_z(-0.20 * roll(time - 0.03)) * turn_x(0.35 * lean(time - 0.02)));
  pose.rotate("chest", turn_z(-0.30 * roll(time - 0.06)) * turn_x(0.30 * lean(time - 0.04)));
  static const Curve nod{{0, 0}, {0.5, 3}, {1.5, -4}, {2.2, -3}, {2.42, 11}, {2.75, -4}, {3.1, 1}, {3.4, 0}};
  pose.rotate("neck", turn_x(0.5 * nod(time)));
  level_head(pose, 0.75, turn_x(nod(time - 0.04)) * turn_y(7 * up));
  pose.rotate("topknot", turn_x(0.7 * nod(time - 0.10)));

  Foot support = flat_foot(stance, toe_out);
  require_reach(place_foot(pose, right_side, support), "foot_r", time);

  // The left leg swings up around the hip and comes down straight.
  Foot lifted = flat_foot(stance, toe_out);
  const double angle = raise(time) * pi / 180;
  const Vec3 hip = pose.world_position("thigh_l");
  const Vec3 on_arc = hip + Vec3{sine(angle), -cosine(angle), 0.10} * 0.715;
  lifted.ankle = mix(lifted.ankle, on_arc, up);
  // The foot tilts on its way: it needs room above the ground.
  lifted.ankle.y = std::max(lifted.ankle.y, sumo_points().ankle.y) + 0.40 * up * (1 - up);
  lifted.orientation = blend(lifted.orientation, turn_z(raise(time) - 22) * turn_y(30) * turn_x(8), up);
  lifted.pole = mix(lifted.pole, Vec3{-0.35 * sine(angle), 0.55, 0.85}, up);
  const double miss = place_foot(pose, left_side, lifted);
  if (up == 0) require_reach(miss, "foot_l", time);

  place_hand(pose, left_side, lifted.pole);
  place_hand(pose, right_side, support.pole);
  for (const Side& side : {left_side, right_side}) pose_fingers(pose, side, 12);
}

// --- run_jump -------------------------------------------------------------------------------------

constexpr int run_jump_frames = 114;
constexpr double step_time = 0.32, run_start = 0.12, run_end = run_start + 4 * step_time;
constexpr double off = 2.06, on = 2.46;  // seconds: in the air

// How far a foot is lifted, 0 to 1, in the steps that it makes on the spot.
double run_lift(double time, bool left) {
  double lift = 0;
  for (int step = 0; step < 4; ++step) {
    if ((step % 2 == 0) != left) continue;
    const double start = run_start + step * step_time;
    lift += bump(time - (start + 0.62 * step_time), 0.58 * step_time);
  }
  return lift;
}

void run_jump(double time, Pose& pose) {
  constexpr double speed = 9.81 * (on - off) / 2;
  static const Curve jump{{1.42, 0},      {1.86, -0.235}, {off, 0.0, speed}, {on, 0.0, -speed},
                          {2.66, -0.275}, {3.02, -0.035}, {3.3, -0.062},     {3.6, -0.055}};
  static const Curve lean{{0, 0},    {0.2, 5},   {1.3, 6},  {1.84, 24}, {2.10, -5}, {2.30, 0},
                          {2.46, 6}, {2.68, 26}, {3.05, 0}, {3.35, 3},  {3.7, 0}};
  static const Curve settle{{0, 0}, {0.15, -0.045}, {1.42, -0.045}, {1.60, 0}};
  const double beat = 2 * pi * (time - run_start) / step_time;
  const double running = smooth_step(0.02, 0.22, time) * (1 - smooth_step(run_end - 0.08, run_end + 0.14, time));
  const double left = run_lift(time, true), right = run_lift(time, false);
  pose.root_offset = {0.055 * (right - left), settle(time) + jump(time) + running * 0.026 * sine(beat - 1.9), 0.0};
  if (time > 3.0) pose.root_offset.y += 0.055 * smooth_step(3.3, 3.75, time);
  pose.rotate("hips", turn_x(0.3 * lean(time)) * turn_z(5 * (left - right)) * turn_y(-6 * (left - right)));
  pose.rotate("spine", turn_x(0.35 * lean(time - 0.03)) * turn_z(-2.5 * (left - right)) * turn_y(5 * (left - right)));
  pose.rotate("chest", turn_x(0.35 * lean(time - 0.05)) * turn_z(-3 * (left - right)) * turn_y(8 * (left - right)));
  static const Curve nod{{0, 0},     {1.5, 0},   {1.86, 6}, {2.12, -10}, {2.45, 4},
                         {2.70, 14}, {3.02, -5}, {3.4, 1},  {3.7, 0}};
  level_head(pose, 0.7, turn_x(nod(time - 0.04) + running * 4 * sine(beat - 2.9)));
  pose.rotate("topknot", turn_x(0.6 * nod(time - 0.11) + running * 5 * sine(beat - 3.8)));

  const double flight = bump(time - 0.5 * (off + on), 0.5 * (on - off));
  for (const Side& side : {left_side, right_side}) {
    const double lift = side.sign > 0 ? left : right, other = side.sign > 0 ? right : left;
    const Curve push{{off - 0.14, 0}, {off, 24}, {off + 0.12, 30}, {on - 0.05, 6}, {on, 0}};
    Foot foot = flat_foot(0.0, 8, 30 * lift + push(time));
    foot.ankle += Vec3{0.01 * lift, 0.25 * lift + 0.30 * flight, 0.05 * lift + 0.02 * flight};
    foot.pole = Vec3{0.25 + 0.35 * flight, 0, 1};
    const double miss = place_foot(pose, side, foot);
    if (lift == 0 && (time <= off || time >= on)) require_reach(miss, side.name("foot"), time);
    // Arms swing against the legs; thrown back before the leap, up with it, out to land.
    static const Curve thrown{{1.40, 0},   {1.84, -58}, {2.14, 96}, {2.36, 70},
                              {2.66, -16}, {3.0, 10},   {3.3, -3},  {3.6, 0}};
    static const Curve out{{0, 0}, {1.5, 0}, {2.0, -6}, {2.30, -30}, {2.60, -16}, {3.2, 0}};
    pose_arm(pose, side, 22 + out(time) * 0.8, running * 34 * (other - lift) + thrown(time - 0.03),
             10 + 62 * running + 18 * smooth_step(1.9, 2.15, time) * (1 - smooth_step(2.5, 3.1, time)));
    pose_fingers(pose, side, 8 + 34 * running);
  }
}

// --- head_shake -----------------------------------------------------------------------------------

constexpr int head_shake_frames = 75;

void head_shake(double time, Pose& pose) {
  static const Curve yaw{{0.05, 0},  {0.28, 12},  {0.46, -36}, {0.64, 38}, {0.82, -37},
                         {1.00, 33}, {1.18, -24}, {1.38, 11},  {1.62, -2}, {1.80, 0}};
  static const Curve sink{{0, 0}, {0.30, 1}, {1.35, 1}, {1.80, -0.1}, {2.1, 0}};
  const double y = yaw(time);
  pose.root_offset = {0.0004 * yaw(time - 0.06), -0.022 - 0.02 * sink(time), 0};
  pose.root_offset.y += 0.022 * (1 - smooth_step(0, 0.3, time)) + 0.022 * smooth_step(1.7, 2.3, time);
  pose.rotate("hips", turn_y(-0.07 * yaw(time - 0.05)));
  pose.rotate("spine", turn_x(3 * sink(time)) * turn_y(0.05 * yaw(time - 0.04)));
  pose.rotate("chest", turn_x(4 * sink(time)) * turn_y(0.16 * yaw(time - 0.02)));
  pose.rotate("neck", turn_x(2 * sink(time)) * turn_y(0.34 * yaw(time + 0.015)));
  pose.rotate("head", turn_x(-5 * sink(time)) * turn_y(0.62 * y) * turn_z(0.16 * yaw(time - 0.05)));
  pose.rotate("jaw", turn_x(3 * sink(time)) * turn_y(-0.06 * yaw(time - 0.05)));
  pose.rotate("topknot", turn_z(0.30 * yaw(time - 0.07)));
  for (const Side& side : {left_side, right_side}) {
    pose_arm(pose, side, 22, 5 * sink(time) + side.sign * 0.10 * yaw(time - 0.08), 12 + 5 * sink(time - 0.05));
    pose_fingers(pose, side, 10);
  }
  stand(pose, time);
}

}  // namespace

void add_sumo_clips(Sample& sumo) {
  // Belly, breasts, cheeks and buttocks are left to physics.
  std::vector<std::string> animated;
  for (const Joint& joint : sumo.skeleton.joints) {
    const std::string stem = joint.name.substr(0, joint.name.rfind("_"));
    if (stem != "belly" && stem != "breast" && stem != "cheek" && stem != "buttock" && joint.name != "thumb_2_l" &&
        joint.name != "thumb_2_r")
      animated.push_back(joint.name);
  }
  sumo.clips = {sample_clip("stomp", sumo.skeleton, stomp_frames, animated, stomp),
                sample_clip("run_jump", sumo.skeleton, run_jump_frames, animated, run_jump),
                sample_clip("head_shake", sumo.skeleton, head_shake_frames, animated, head_shake)};
}

}  // namespace sinew::samples
