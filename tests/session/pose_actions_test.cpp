// Poses by hand as actions: joints go where they are turned, smoothly, and a take of it is repeated to the bit.
#include "sinew/session/pose_changes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>

#include "sinew/cook/flesh/flesh_scene.h"
#include "sinew/linalg/turns.h"
#include "sinew/session/session.h"
#include "sinew/session/take_json.h"
#include "tests/bake/bake_cooked.h"
#include "tests/bake/tube_character.h"
#include "tests/base/refusal.h"

namespace sinew {
namespace {

using namespace test;

constexpr double quarter_turn = std::numbers::pi / 2;

Action turn(const std::string& joint, const Vec3& degrees, double seconds) {
  Action action;
  action.kind = Action::Kind::turn;
  action.name = joint;
  action.rotation = degrees;
  action.seconds = seconds;
  return action;
}
Action unturn(const std::string& joint, double seconds) {
  Action action = turn(joint, {}, seconds);
  action.kind = Action::Kind::unturn;
  return action;
}
Action carry(const Vec3& offset, double seconds) {
  Action action;
  action.kind = Action::Kind::carry;
  action.target = offset;
  action.seconds = seconds;
  return action;
}

TEST(PoseChanges, RotationVectorsLeadBack) {
  for (const Vec3& v : {Vec3{}, Vec3{0.3, -0.2, 0.1}, Vec3{0, 0, 3}, Vec3{1e-9, 0, 0}})
    EXPECT_LT(norm(rotation_logarithm(rotation_exponential(v)) - v), 1e-12);
}

TEST(PoseChanges, AWayEndsAtRestAndGoesOnWhereAnotherTakesItsPlace) {
  const Way way{{1, 2, 3}, {0, -4, 0}, 1, 0.5};
  EXPECT_EQ(way.left_at(1), (Vec3{1, 2, 3}));
  EXPECT_EQ(way.rate_at(1), (Vec3{0, -4, 0}));
  EXPECT_EQ(way.left_at(1.5), Vec3{});
  EXPECT_EQ(way.rate_at(1.5), Vec3{});
  for (const double t : {1.1, 1.25, 1.4}) {
    const Vec3 difference = (way.left_at(t + 1e-6) - way.left_at(t - 1e-6)) / 2e-6;
    EXPECT_LT(norm(difference - way.rate_at(t)), 1e-6);
  }

  PoseChanges changes;
  change_pose(carry({1, 0, 0}, 1), -1, {}, {}, 0, changes);
  const Vec3 before = changes.carried + changes.carry.left_at(0.4), rate = changes.carry.rate_at(0.4);
  EXPECT_GT(before.x, 0.3);
  change_pose(carry({0, 1, 0}, 0.5), -1, {}, {}, 0.4, changes);
  EXPECT_LT(norm(changes.carried + changes.carry.left_at(0.4) - before), 1e-12);
  EXPECT_LT(norm(changes.carry.rate_at(0.4) - rate), 1e-12);
  EXPECT_FALSE(changes.empty(0.5));
  change_pose(carry({}, 0.1), -1, {}, {}, 1, changes);
  EXPECT_FALSE(changes.empty(1.05));
  EXPECT_TRUE(changes.empty(1.2));
}

TEST(PoseChanges, JointsAreNamedSoThatEachIsFound) {
  Character character = tube_character();
  std::vector<Joint>& joints = character.skeleton.joints;
  const int last = static_cast<int>(joints.size()) - 1;
  EXPECT_EQ(action_name(character.skeleton, last), joints.back().name);
  joints.back().name = joints.front().name;
  for (int j = 0; j <= last; ++j) EXPECT_EQ(joint_of_action(character.skeleton, action_name(character.skeleton, j)), j);
  EXPECT_EQ(action_name(character.skeleton, last), "#" + std::to_string(last));
  for (const char* name : {"", "#", "#-1", "#99", "#1x", "# 1", "nobody", "#99999999999999999999"})
    EXPECT_EQ(joint_of_action(character.skeleton, name), -1) << name;
  const Quat rotation = axis_angle({0, 0.6, 0.8}, 2);
  const Action action = turn_to(character.skeleton, last, rotation, 0.1);
  const Quat back = rest_rotation(joints.back()) * rotation_exponential(action.rotation * (std::numbers::pi / 180));
  EXPECT_NEAR(std::abs(dot(back, rotation)), 1, 1e-12);
}

// A joint on its way from a clip that turns it, and back to it: no jump, neither in place nor in rate.
TEST(PoseChanges, ATurnLeavesTheClipAndComesBackToItSmoothly) {
  const auto clip = [](double t) { return axis_angle({0, 0, 1}, 3 * t); };
  const auto of_clip = [&](double t) { return ClipRotation{clip(t), {0, 0, 3}}; };
  PoseChanges changes;
  change_pose(turn("arm", {0, 0, 90}, 0.2), 0, {}, of_clip(0.1), 0.1, changes);
  ASSERT_EQ(changes.joints.size(), 1u);
  const auto angle_at = [&](double t) {
    const TurnedJoint& turned = changes.joints[0];
    return rotation_logarithm(rotation_exponential(turned.way.left_at(t)) *
                              (turned.to_clip ? clip(t) : turned.rotation))
        .z;
  };
  EXPECT_NEAR(angle_at(0.1), 0.3, 1e-12);
  EXPECT_NEAR((angle_at(0.1 + 1e-6) - angle_at(0.1)) / 1e-6, 3, 1e-3);
  EXPECT_NEAR(angle_at(0.3), quarter_turn, 1e-12);
  change_pose(unturn("arm", 0.2), 0, {}, of_clip(0.4), 0.4, changes);
  EXPECT_NEAR(angle_at(0.4), quarter_turn, 1e-12);
  EXPECT_NEAR((angle_at(0.4 + 1e-6) - angle_at(0.4)) / 1e-6, 0, 1e-3);
  EXPECT_NEAR(angle_at(0.6), 1.8, 1e-12);
  EXPECT_NEAR((angle_at(0.6 + 1e-6) - angle_at(0.6)) / 1e-6, 3, 1e-3);
}

TEST(PoseChanges, AJointWhoseNodeHasAMatrixGoesBackToIt) {
  Character character = tube_character();
  Joint& joint = character.skeleton.joints[2];
  const Quat turned = axis_angle({1, 0, 0}, 0.8);
  joint.rest_matrix = Affine{2.0 * to_matrix(turned), joint.rest.translation};
  SamplingSpace sampling;
  Pose pose;
  sample(character.skeleton, nullptr, 0, sampling, pose);
  const Pose rest = pose;
  const Quat own = sampled_rotation(character.skeleton, sampling, 2);
  EXPECT_NEAR(std::abs(dot(own, turned)), 1, 1e-12);

  PoseChanges changes;
  change_pose(turn("tip", {0, 0, 90}, 0), 2, own, {own, {}}, 0, changes);
  apply_pose_changes(character, changes, 0.1, sampling, pose);
  const Mat3 expected = 2.0 * to_matrix(own * axis_angle({0, 0, 1}, quarter_turn));
  const Mat3 local = transpose(pose.world[static_cast<std::size_t>(joint.parent)].linear) * pose.world[2].linear;
  for (std::size_t k = 0; k < 9; ++k) EXPECT_NEAR(local.m[k], expected.m[k], 1e-9);

  change_pose(unturn("tip", 1), 2, own, {own, {}}, 1, changes);
  for (const double t : {2 - 1e-9, 2.0}) {
    apply_pose_changes(character, changes, t, sampling, pose);
    for (std::size_t k = 0; k < 9; ++k) EXPECT_NEAR(pose.world[2].linear.m[k], rest.world[2].linear.m[k], 1e-9) << t;
  }
}

class PoseActions : public ::testing::Test {
 protected:
  PoseActions()
      : character_(tube_character()),
        scene_(flesh_scene(std::make_shared<const CookedFlesh>(prepare_flesh(character_, look_settings())),
                           look_settings())),
        tip_(character_.skeleton.joints[2].name) {}

  std::vector<Vec3> run(Session& session, int steps) {
    for (int k = 0; k < steps; ++k) session.step();
    std::vector<Vec3> positions(scene_.surface->rest.positions.size());
    session.surface(positions);
    return positions;
  }

  Character character_;
  Scene scene_;
  std::string tip_;
};

TEST_F(PoseActions, TurnAJointFromItsRestPose) {
  Session session(character_, scene_);
  session.act(turn(tip_, {0, 0, 90}, 0.1));
  session.act(carry({0.5, 0, 0}, 0.1));
  run(session, 60);
  const Moment moment = session.moment_at(session.elapsed());
  const Joint& joint = character_.skeleton.joints[2];
  const Affine& parent = moment.pose.world[static_cast<std::size_t>(joint.parent)];
  const Mat3 local = transpose(parent.linear) * moment.pose.world[2].linear;
  const Mat3 wanted = to_matrix(joint.rest.rotation * axis_angle({0, 0, 1}, quarter_turn));
  for (std::size_t k = 0; k < 9; ++k) EXPECT_NEAR(local.m[k], wanted.m[k], 1e-9);
  const Pose rest = sample(character_.skeleton, nullptr, 0);
  EXPECT_NEAR(moment.pose.world[0].translation.x - rest.world[0].translation.x, 0.5, 1e-9);

  session.act(unturn(tip_, 0.1));
  session.act(carry({}, 0.1));
  run(session, 60);
  EXPECT_EQ(session.moment_at(session.elapsed()).pose.world, rest.world);
  const Take& take = session.take();
  EXPECT_EQ(take.size(), 4u);
  const Take read = take_from_json(take_json(take), "take.json");
  EXPECT_EQ(read[0].action.rotation, take[0].action.rotation);
  EXPECT_EQ(read[0].action.name, tip_);
  EXPECT_EQ(read[3].action.target, Vec3{});
}

TEST_F(PoseActions, AreRepeatedToTheBitAlsoFromASavedState) {
  const Playback playback = whole(character_.clips[0], true);
  Session first(character_, scene_, playback);
  run(first, 20);
  first.act(turn(tip_, {30, 0, 50}, 0.1));
  run(first, 10);
  first.act(turn(tip_, {0, 40, 0}, 0.1));
  first.act(carry({0, 0, 0.2}, 0.2));
  run(first, 10);
  const SessionState kept = first.save();
  first.act(unturn(tip_, 0.15));
  const std::vector<Vec3> expected = run(first, 30);

  Session again(character_, scene_, playback);
  again.repeat(first.take());
  EXPECT_EQ(run(again, 70), expected);

  Session resumed(character_, scene_, playback);
  resumed.repeat(first.take());
  resumed.load(kept, 100);
  EXPECT_EQ(run(resumed, 30), expected);

  first.load(kept, 100);
  first.act(unturn(tip_, 0.15));
  EXPECT_EQ(run(first, 30), expected);
}

// The bake of a take with a pose differs from that of the clip alone.
TEST_F(PoseActions, AreBakedWithTheirTake) {
  Session session(character_, scene_, whole(character_.clips[0]));
  session.act(turn(tip_, {0, 0, 70}, 0.1));
  BakeOptions options = options_for(0, 60);
  options.take = session.take();
  const BakeResult posed = bake(character_, scene_, nullptr, options);
  options.take.clear();
  const BakeResult plain = bake(character_, scene_, nullptr, options);
  EXPECT_NE(values(posed), values(plain));
}

TEST_F(PoseActions, AreRefusedInASentence) {
  Session session(character_, scene_);
  const std::string unknown = refusal(ErrorKind::usage, [&] { session.act(turn("tail", {0, 0, 1}, 0)); });
  EXPECT_NE(unknown.find("no joint 'tail'"), std::string::npos) << unknown;
  EXPECT_FALSE(refusal(ErrorKind::usage, [&] { session.act(turn(tip_, {NAN, 0, 0}, 0)); }).empty());
  EXPECT_TRUE(session.take().empty());
}

}  // namespace
}  // namespace sinew
