// Hands that touch one body touch another one at the same place of its skin.
#include "sinew/kinematics/hand_touches.h"

#include <gtest/gtest.h>

#include "sinew/kinematics/two_bone.h"
#include "tests/kinematics/human.h"

namespace sinew::test {
namespace {

// A body with a round trunk about the y axis.
struct RoundHuman {
  Human human;
  double radius, scale;  // metres; units per metre
  RiggedBody body;
  AnatomicalFrames frames;
  std::vector<SkinPoint> skin;
  BodyShape shape;

  RoundHuman(const HumanShape& of, double trunk_radius)
      : human(make_human(of)),
        radius(trunk_radius),
        scale(of.scale),
        body(human.body()),
        frames(anatomical_frames(body.bones, body.reference, body.up)),
        skin(round_skin()),
        shape(body, frames, skin) {}

  std::vector<SkinPoint> round_skin() const {
    std::vector<SkinPoint> points;
    for (double y = 0.92; y < 1.52; y += 0.01)
      for (int k = 0; k < 128; ++k) {
        const double angle = 2 * 3.141592653589793 * k / 128;
        const char* joint = y < 1.12 ? "hips" : y < 1.25 ? "spine" : y < 1.38 ? "spine1" : "spine2";
        points.push_back({human.joint.at(joint), Vec3{radius * std::sin(angle), y, radius * std::cos(angle)} * scale});
      }
    return points;
  }

  // The left palm's distance from the trunk's skin in a pose of a clip, metres, and its height.
  struct Palm {
    double gap, height;
  };
  Palm palm(const Clip& clip, double seconds) const {
    const Pose pose = sample(human.skeleton, &clip, seconds);
    const auto at = [&](const char* name) {
      return pose.world[static_cast<std::size_t>(human.joint.at(name))].translation * (1 / scale);
    };
    const Vec3 palm = at("handL") + 0.7 * (at("indexL") - at("handL"));
    return {std::hypot(palm.x, palm.z) - radius, palm.y};
  }
};

// A clip of one second in which the left wrist is led from the rest pose to a place.
Clip reaching(const RoundHuman& who, const Vec3& wrist) {
  const Skeleton& skeleton = who.human.skeleton;
  const Pose rest = sample(skeleton, nullptr, 0);
  const auto joint = [&](const char* name) { return static_cast<std::size_t>(who.human.joint.at(name)); };
  const auto place = [&](const char* name) { return rest.world[joint(name)].translation; };
  const TwoBonePose pose =
      solve_two_bones({place("upperArmL"), place("lowerArmL"), place("handL")}, {wrist * who.scale, {0, -1, 0}});
  Clip clip;
  clip.name = "reach";
  clip.end = 1;
  const auto turn = [&](const char* name, const Quat& by, const Quat& parent_by) {
    const Quat own = orientation_of(rest.world[joint(name)]);
    const Quat parent = orientation_of(rest.world[static_cast<std::size_t>(skeleton.joints[joint(name)].parent)]);
    const Quat from = skeleton.joints[joint(name)].rest.rotation;
    const Quat to = conjugate(normalized(parent_by * parent)) * normalized(by * own);
    Channel channel{static_cast<int>(joint(name)), ChannelPath::rotation, Interpolation::linear, {}, 4, {}};
    for (int k = 0; k <= 30; ++k) {
      channel.times.push_back(k / 30.0);
      const Quat q = slerp(from, to, k / 30.0);
      channel.values.insert(channel.values.end(), {q.x, q.y, q.z, q.w});
    }
    clip.channels.push_back(std::move(channel));
  };
  turn("upperArmL", pose.root, {});
  turn("lowerArmL", pose.middle, pose.root);
  return clip;
}

// The clip of one body carried to another, with hands led; and what was found.
Clip led(const RoundHuman& from, const Clip& clip, const RoundHuman& to, HandTouches* found = nullptr) {
  const BodyPoser poser(to.human.skeleton, to.body.bones, to.body.reference, driven_bones(from.body, to.body));
  TransferredMotion moved = transfer_motion(from.body, clip, to.body, poser);
  const HandTouches touches =
      lead_touching_hands({from.body, from.frames, from.shape}, clip, {to.body, to.frames, to.shape}, poser, moved);
  if (found != nullptr) *found = touches;
  return poser.clip(moved.motion, clip.name);
}

const Vec3 at_belly{0.1, 1.2, 0.12};

TEST(HandTouches, RestOnAFatterBellyAndOnASlimmerOne) {
  const RoundHuman man({}, 0.17);
  const Clip clip = reaching(man, at_belly);
  const RoundHuman::Palm own = man.palm(clip, 1);
  ASSERT_LT(std::abs(own.gap), 0.06);
  for (const double radius : {0.29, 0.1}) {
    const RoundHuman other({"mixamo", 2, 3, false, {}, {}}, radius);
    const RoundHuman::Palm carried_only = other.palm(carried(man.human, clip, other.human), 1);
    HandTouches found;
    const RoundHuman::Palm now = other.palm(led(man, clip, other, &found), 1);
    EXPECT_GT(std::abs(carried_only.gap - own.gap), 0.05) << "angles of joints know no skin";
    EXPECT_NEAR(now.gap, own.gap, 0.006);
    EXPECT_NEAR(now.height, own.height, 0.03);
    EXPECT_GE(found.touching, 1);
    EXPECT_GT(found.largest, 0.05);
  }
}

TEST(HandTouches, OfTheSameBodyChangeNoBit) {
  const RoundHuman man({}, 0.17);
  for (const Clip& clip : {reaching(man, at_belly), lively_clip(man.human, 40)}) {
    const Clip without = carried(man.human, clip, man.human), with = led(man, clip, man);
    ASSERT_EQ(without.channels.size(), with.channels.size());
    for (std::size_t k = 0; k < with.channels.size(); ++k)
      EXPECT_EQ(without.channels[k].values, with.channels[k].values);
  }
}

TEST(HandTouches, HandsFarFromTheBodyChangeNoBit) {
  const RoundHuman man({}, 0.17), fat({}, 0.29);
  const Clip clip = reaching(man, {0.5, 1.7, 0.2});
  const Clip without = carried(man.human, clip, fat.human), with = led(man, clip, fat);
  for (std::size_t k = 0; k < with.channels.size(); ++k) EXPECT_EQ(without.channels[k].values, with.channels[k].values);
}

TEST(HandTouches, MotionWithoutASkinStaysAsItIs) {
  const RoundHuman man({}, 0.17), fat({}, 0.29);
  const Clip clip = reaching(man, at_belly);
  const BodyShape unknown(man.body, man.frames, {});
  EXPECT_FALSE(unknown.has(BodyShape::trunk));
  const BodyPoser poser(fat.human.skeleton, fat.body.bones, fat.body.reference, driven_bones(man.body, fat.body));
  TransferredMotion moved = transfer_motion(man.body, clip, fat.body, poser);
  lead_touching_hands({man.body, man.frames, unknown}, clip, {fat.body, fat.frames, fat.shape}, poser, moved);
  const Clip without = carried(man.human, clip, fat.human), with = poser.clip(moved.motion, clip.name);
  for (std::size_t k = 0; k < with.channels.size(); ++k) EXPECT_EQ(without.channels[k].values, with.channels[k].values);
}

TEST(HandTouches, ComeAndGoWithoutAJump) {
  const RoundHuman man({}, 0.17), fat({}, 0.29);
  const Clip clip = reaching(man, at_belly), with = led(man, clip, fat);
  double most = 0, usual = 0;
  for (int k = 1; k < 300; ++k) {
    const auto speed = [&](const RoundHuman& who, const Clip& of) {
      return std::abs(who.palm(of, k / 300.0).gap - who.palm(of, (k - 1) / 300.0).gap) * 300;
    };
    usual = std::max(usual, speed(man, clip));
    most = std::max(most, speed(fat, with));
  }
  EXPECT_LT(most, 2 * usual);
}

}  // namespace
}  // namespace sinew::test
