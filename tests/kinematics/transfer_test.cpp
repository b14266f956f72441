// Motion carried between skeletons of one body: it must be the same motion, whatever the skeletons call and turn their
// joints.
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/kinematics/bone_links.h"
#include "tests/kinematics/human.h"

namespace sinew::test {
namespace {

constexpr std::size_t frames_of_test = 40;

// Largest difference of the places of joints in the two motions, as a share of the size of the second, after the
// similarity of the rest poses; and of the turns from rest, as the distance of unit quaternions.
struct MotionDifference {
  double place = 0, turn = 0;
};
MotionDifference difference(const Human& a, const Clip& of_a, const Human& b, const Clip& of_b, double scale,
                            const Vec3& shift) {
  MotionDifference most;
  const Pose rest_a = sample(a.skeleton, nullptr, 0), rest_b = sample(b.skeleton, nullptr, 0);
  for (std::size_t f = 0; f < frames_of_test; ++f) {
    const double t = static_cast<double>(f) / 30;
    const Pose pose_a = sample(a.skeleton, &of_a, t), pose_b = sample(b.skeleton, &of_b, t);
    for (const HumanJoint& each : human_joints()) {
      const auto i = static_cast<std::size_t>(a.joint.at(each.name)),
                 j = static_cast<std::size_t>(b.joint.at(each.name));
      const Vec3 expected = scale * (pose_a.world[i].translation + shift);
      most.place = std::max(most.place, norm(pose_b.world[j].translation - expected) / (1.6 * scale));
      const auto turn = [](const Pose& pose, const Pose& rest, std::size_t k) {
        return orientation_of(pose.world[k]) * conjugate(orientation_of(rest.world[k]));
      };
      const Quat one = turn(pose_a, rest_a, i), other = turn(pose_b, rest_b, j);
      most.turn = std::max(most.turn, std::sqrt(std::max(0.0, 2 - 2 * std::abs(dot(one, other)))));
    }
  }
  return most;
}

TEST(Transfer, ToTheSameSkeletonReturnsTheClip) {
  const Human human = make_human();
  const Clip clip = lively_clip(human, frames_of_test), result = carried(human, clip, human);
  const MotionDifference most = difference(human, clip, human, result, 1, {});
  EXPECT_LT(most.place, 1e-9);
  EXPECT_LT(most.turn, 1e-6);
  // Key by key too.
  for (const Channel& channel : result.channels)
    for (const Channel& own : clip.channels)
      if (own.joint == channel.joint && own.path == channel.path) {
        ASSERT_EQ(own.values.size(), channel.values.size());
        for (std::size_t k = 0; k < own.values.size(); ++k) EXPECT_NEAR(own.values[k], channel.values[k], 1e-9);
      }
}

TEST(Transfer, BetweenTimesOfKeysToo) {
  const Human from = make_human(), to = make_human({"mixamo", 2, 3, true, {}, {}});
  const Clip clip = lively_clip(from, frames_of_test), result = carried(from, clip, to);
  const double t = 10.37 / 30;
  const Pose a = sample(from.skeleton, &clip, t), b = sample(to.skeleton, &result, t);
  for (const HumanJoint& each : human_joints()) {
    const auto i = static_cast<std::size_t>(from.joint.at(each.name)),
               j = static_cast<std::size_t>(to.joint.at(each.name));
    EXPECT_LT(norm(b.world[j].translation - 2.0 * a.world[i].translation), 1e-6) << each.name;
  }
}

TEST(Transfer, ScaledRerootedReorientedRenamedCopiesMoveAlike) {
  const Human from = make_human();
  const Clip clip = lively_clip(from, frames_of_test);
  const Vec3 shift{0.3, 0, -0.2};
  unsigned seed = 5;
  for (const char* rig : {"plain", "mixamo", "numbers"}) {
    const Human to = make_human({rig, 0.37, seed++, true, shift, {}});
    ASSERT_TRUE(to.body().bones.complete()) << rig;
    TransferredMotion details;
    const Clip result = carried(from, clip, to, &details);
    EXPECT_NEAR(details.space.scale, 0.37, 1e-9);
    // The structure alone finds no fingers, which then rest, and so the rest of the body is compared.
    Human compared = to;
    const MotionDifference most = difference(from, clip, compared, result, 0.37, shift);
    if (std::string(rig) == "numbers") {
      const auto& bones = to.body().bones;
      EXPECT_EQ(bones.found_by, "structure");
      EXPECT_EQ(bones.head, to.joint.at("head"));
      EXPECT_EQ(bones.arms[0].lower, to.joint.at("lowerArmL"));
      EXPECT_EQ(bones.legs[1].tip, to.joint.at("toesR"));
      continue;
    }
    EXPECT_LT(most.place, 1e-6) << rig;
    EXPECT_LT(most.turn, 1e-5) << rig;
  }
}

// Arms that hang down at rest must not make the arms of a T pose rise.
TEST(Transfer, RestPosesThatDifferDoNoHarm) {
  const Human t_pose = make_human();
  std::map<std::string, Vec3> down;
  for (const char* side : {"L", "R"}) {
    const double sign = *side == 'L' ? 1 : -1;
    const Vec3 shoulder{sign * 0.18, 1.45, 0};
    for (const HumanJoint& each : human_joints()) {
      const std::string name = each.name;
      if (name.find(side) == std::string::npos || each.place.x * sign <= 0.18 || each.place.y < 1) continue;
      // A turn about the shoulder by 60 degrees down.
      const Vec3 arm = each.place - shoulder;
      down[name] = rotate(axis_angle({0, 0, 1}, -sign * 1.0471975511965976), arm) + shoulder - each.place;
    }
  }
  const Human hanging = make_human({"mixamo", 1, 7, false, {}, down});
  const Clip clip = lively_clip(t_pose, frames_of_test), result = carried(t_pose, clip, hanging);
  for (std::size_t f = 0; f < frames_of_test; ++f) {
    const double t = static_cast<double>(f) / 30;
    const Pose a = sample(t_pose.skeleton, &clip, t), b = sample(hanging.skeleton, &result, t);
    for (const HumanJoint& each : human_joints()) {
      const auto i = static_cast<std::size_t>(t_pose.joint.at(each.name)),
                 j = static_cast<std::size_t>(hanging.joint.at(each.name));
      EXPECT_LT(norm(b.world[j].translation - a.world[i].translation), 1e-6) << each.name;
    }
  }
}

// A spine of three links moves one of one and one of five: chest and head turn alike.
TEST(Transfer, ChainsOfOtherLengthsShareTheirTurnOut) {
  const BodyBones bones = make_human().body().bones;
  ASSERT_EQ(bones.spine.size(), 3u);
  BodyBones target = bones;
  target.spine = {7};
  const auto find = [](const std::vector<BoneLink>& links, int joint) {
    return *std::find_if(links.begin(), links.end(), [&](const BoneLink& link) { return link.target == joint; });
  };
  EXPECT_EQ(find(bone_links(bones, target), 7).source, bones.spine.back());
  target.spine = {101, 102, 103, 104, 105, 106};
  const std::vector<BoneLink> links = bone_links(bones, target);
  EXPECT_EQ(find(links, 106).source, bones.spine.back());
  EXPECT_EQ(find(links, 102).source, bones.spine[0]);
  EXPECT_EQ(find(links, 103).other, bones.spine[1]);
  EXPECT_NEAR(find(links, 103).share, 0.5, 1e-12);
  EXPECT_EQ(find(links, 101).source, bones.pelvis);
}

TEST(Transfer, WithoutLegsIsRefused) {
  const Human human = make_human();
  RiggedBody legless = human.body();
  const BodyPoser poser(human.skeleton, legless.bones, legless.reference, {});
  legless.bones.legs[0].lower = -1;
  EXPECT_THROW(transfer_motion(legless, lively_clip(human, 2), human.body(), poser), Error);
}

TEST(BodyBones, EndMarkers) {
  EXPECT_TRUE(is_end_marker("Head_end"));
  EXPECT_TRUE(is_end_marker("HeadNub"));
  EXPECT_FALSE(is_end_marker("Legend"));
}

}  // namespace
}  // namespace sinew::test
