// Torques that a motion needs: statics by hand, and motions of the engine, which know their torques.
#include "sinew/dynamics/joint_efforts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/base/index.h"
#include "sinew/dynamics/rigid_body_engine.h"
#include "tests/dynamics/box_person.h"
#include "tests/dynamics/chains.h"

namespace sinew::test {
namespace {

TEST(JointEfforts, ARodHeldLevelNeedsItsWeightsMoment) {
  // Two balls of 3 kg at 0.8 m and 1.6 m.
  const ArticulatedBody body = pendulum(2, 0.8, 3, 0.1);
  const std::vector<TreePose> poses(5, at_rest(body).pose);
  const auto efforts = joint_efforts(body, poses, {}).torque;
  for (const std::vector<Vec3>& effort : efforts) {
    EXPECT_NEAR(effort[0].z, 3 * 9.81 * (0.8 + 1.6), 1e-9);
    EXPECT_NEAR(effort[1].z, 3 * 9.81 * 0.8, 1e-9);
    EXPECT_NEAR(norm(effort[0]), effort[0].z, 1e-9);
  }
}

TEST(JointEfforts, APendulumThatFallsNeedsNone) {
  // The engine's Runge-Kutta is the motion; differences of its poses are exact to the second order of the step.
  const ArticulatedBody body = pendulum(3, 0.6, 2, 0.08);
  EngineOptions engine_options;
  engine_options.has_ground = false;
  engine_options.root_is_held = true;
  engine_options.accurate = true;
  const auto largest = [&](double step) {
    RigidBodyEngine engine(body, engine_options);
    BodyState state = at_rest(body);
    state.pose.local[1] = axis_angle(normalized(Vec3{0.3, 1, 0.2}), 0.7);
    engine.set_state(state);
    const std::vector<Vec3> none(3);
    const int every = static_cast<int>(std::lround(step / engine_options.step));
    std::vector<TreePose> poses{engine.state().pose};
    for (int s = 1; s <= 400; ++s) {
      engine.step(none, {});
      if (s % every == 0) poses.push_back(engine.state().pose);
    }
    EffortOptions options;
    options.step = step;
    double most = 0;
    for (const auto& effort : joint_efforts(body, poses, options).torque)
      for (const Vec3& torque : effort) most = std::max(most, norm(torque));
    return most;
  };
  const double fine = largest(4e-3), rough = largest(8e-3);
  EXPECT_LT(fine, 0.01 * 3 * 2 * 9.81 * 0.6);  // of the moment of one rod's length
  EXPECT_GT(rough / fine, 3.4);
  EXPECT_LT(rough / fine, 4.6);
}

TEST(JointEfforts, TorquesOfADrivenMotionComeBack) {
  // A torque that varies acts at the elbow of two rods in space.
  const ArticulatedBody body = pendulum(2, 0.5, 2, 0.1);
  EngineOptions engine_options;
  engine_options.has_ground = false;
  engine_options.root_is_held = true;
  engine_options.accurate = true;
  RigidBodyEngine engine(body, engine_options);
  engine.set_state(at_rest(body));
  std::vector<TreePose> poses{engine.state().pose};
  std::vector<Vec3> asked;  // model space, in the middle of each step
  for (int s = 0; s < 300; ++s) {
    const double t = (s + 0.5) * engine_options.step;
    const Vec3 local{0.3 * std::sin(9 * t), 2 * std::cos(7 * t), 4 * std::sin(11 * t)};
    PlacedJoints placed;
    place_joints(body.tree, engine.state().pose, placed);
    asked.push_back(rotate(placed.rotation[1], local));
    engine.step(std::vector<Vec3>{{}, local}, {});
    poses.push_back(engine.state().pose);
  }
  EffortOptions options;
  options.step = engine_options.step;
  const auto efforts = joint_efforts(body, poses, options).torque;
  for (std::size_t s = 1; s + 1 < efforts.size(); ++s) {
    const Vec3 expected = 0.5 * (asked[s - 1] + asked[s]);
    EXPECT_LT(norm(efforts[s][1] - expected), 0.03 * 4) << s;
    EXPECT_LT(norm(efforts[s][0]), 0.03 * 4) << s;
  }
}

// A person who stands with the knees bent by twice an angle.
struct Squat {
  const PersonLinks& made;
  PlacedJoints placed;
  std::vector<Vec3> effort;

  Squat(const PersonLinks& person, double bend) : made(person) {
    const CharacterLinks& links = made.links;
    TreePose pose = pose_of_links(links.body, sample(made.person.character.skeleton, nullptr, 0), 1);
    // Legs bend about the model's x.
    for (const char* side : {"L", "R"})
      for (const auto& [name, angle] : {std::pair{"thigh", -bend}, {"shin", 2 * bend}, {"foot", -bend}}) {
        const std::size_t link = index(link_of(links, std::string(name) + side));
        place_joints(links.body.tree, pose, placed);
        const Quat& above = placed.rotation[index(links.body.tree.parent[link])];
        pose.local[link] = normalized(conjugate(above) * axis_angle({1, 0, 0}, angle) * above * pose.local[link]);
      }
    place_joints(links.body.tree, pose, placed);
    pose_ = pose;
    EffortOptions options;
    options.ground = lowest_point(links.body, placed);
    effort = joint_efforts(links.body, std::vector<TreePose>(3, pose), options).torque[1];
  }

  // Efforts of this pose where three frames raise it by these heights.
  MotionEfforts lifted(const std::array<double, 3>& height) const {
    EffortOptions options;
    options.ground = lowest_point(made.links.body, placed);
    std::vector<TreePose> poses(3, pose_);
    for (std::size_t f = 0; f < 3; ++f) poses[f].root.y += height[f];
    return joint_efforts(made.links.body, poses, options);
  }

  // The moment about the knees of half of what is above them, about x, by statics from above.
  double moment_above_knee() const {
    const ArticulatedBody& body = made.links.body;
    double mass = 0, moment = 0;
    const double knee = placed.place[index(link_of(made.links, "shinL"))].z;
    for (std::size_t k = 0; k < body.size(); ++k) {
      const std::string& name = body.name[k];
      if (name.starts_with("shin") || name.starts_with("foot") || name.starts_with("toes")) continue;
      mass += body.tree.mass[k];
      moment += body.tree.mass[k] * placed(static_cast<int>(k), body.tree.mass_centre[k]).z;
    }
    return 0.5 * 9.81 * (moment - mass * knee);
  }

 private:
  TreePose pose_;
};

TEST(JointEfforts, BothLegsCarryAPersonWhoSquats) {
  const PersonLinks person = person_links();
  for (const double bend : {0.0, 0.3, 0.6}) {
    const Squat squat(person, bend);
    const double whole = total_mass(squat.made.links.body) * 9.81 * squat.made.links.height;
    // The ground holds the body: nothing is left at the root.
    EXPECT_LT(norm(squat.effort[0]), 1e-3 * whole) << bend;
    for (const char* knee : {"shinL", "shinR"})
      EXPECT_NEAR(squat.effort[index(link_of(squat.made.links, knee))].x, squat.moment_above_knee(), 2e-3 * whole)
          << bend;
  }
  EXPECT_LT(Squat(person, 0.6).moment_above_knee(), -20);  // newton metres

  // High above the ground, nothing carries the body: its links hold each other, and the first one all of them. In free
  // fall none holds any.
  const Squat squat(person, 0.3);
  const double weight = total_mass(person.links.body) * 9.81;
  const MotionEfforts hangs = squat.lifted({3, 3, 3});
  EXPECT_NEAR(hangs.missing[1], weight, 1e-9 * weight);
  const std::size_t knee = index(link_of(person.links, "shinL"));
  EXPECT_GT(std::abs(squat.effort[knee].x), 5 * std::abs(hangs.torque[1][knee].x));
  const double fall = 0.5 * 9.81 / (120.0 * 120.0);
  const MotionEfforts falls = squat.lifted({3 - fall, 3, 3 - fall});
  EXPECT_LT(falls.missing[1], 1e-6 * weight);
  for (const Vec3& torque : falls.torque[1]) EXPECT_LT(norm(torque), 1e-6 * weight);
  EXPECT_LT(squat.lifted({0, 0, 0}).missing[1], 1e-3 * weight);
}

TEST(JointEfforts, TheGroundPushesAtItsNearestPointWhereTheBodyLeansTooFar) {
  // A block of 4 kg on four points, whose mass is over the middle, over an edge, and 0.1 m beyond it.
  ArticulatedBody body = pendulum(1, 0, 4, 0.1);
  body.skin_points[0] = {{-0.2, 0, -0.2}, {0.2, 0, -0.2}, {-0.2, 0, 0.2}, {0.2, 0, 0.2}};
  for (const auto& [away, left] : {std::pair{0.0, 0.0}, {0.13, 0.0}, {0.2, 0.0}, {0.3, 0.1}}) {
    body.tree.mass_centre[0] = {away, 0.5, 0.05};
    const MotionEfforts efforts = joint_efforts(body, std::vector<TreePose>(4, at_rest(body).pose), {});
    EXPECT_NEAR(efforts.torque[1][0].z, 4 * 9.81 * left, 0.01) << away;
    EXPECT_NEAR(efforts.torque[1][0].x, 0, 0.01) << away;
    EXPECT_NEAR(efforts.missing[1], 0, 1e-9);
  }
}

TEST(JointEfforts, SmoothingKeepsWhatIsSteady) {
  std::vector<std::vector<Vec3>> efforts(61, {Vec3{1, 2, 3}});
  efforts[30][0].x = 121;
  smooth_efforts(0.04, 1.0 / 120, efforts);
  EXPECT_NEAR(efforts[0][0].y, 2, 1e-12);
  EXPECT_NEAR(efforts[60][0].z, 3, 1e-12);
  double sum = 0;
  for (const auto& effort : efforts) sum += effort[0].x;
  EXPECT_NEAR(sum, 60 + 121, 1e-9);
  EXPECT_LT(efforts[30][0].x, 15);
}

}  // namespace
}  // namespace sinew::test
