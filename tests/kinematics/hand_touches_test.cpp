// Hands that touch one body touch another one at the same place of its skin.
#include "sinew/kinematics/hand_touches.h"

#include <gtest/gtest.h>

#include "sinew/kinematics/two_bone.h"
#include "tests/kinematics/human.h"

namespace sinew::test {
namespace {

// A body with a round trunk about the y axis, and round arms where they have a radius.
struct RoundHuman {
  Human human;
  double radius, arm_radius, scale;  // metres; units per metre
  RiggedBody body;
  AnatomicalFrames frames;
  std::vector<SkinPoint> skin;
  BodyShape shape;

  RoundHuman(const HumanShape& of, double trunk_radius, double radius_of_arms = 0)
      : human(make_human(of)),
        radius(trunk_radius),
        arm_radius(radius_of_arms),
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
    const Pose rest = sample(human.skeleton, nullptr, 0);
    const auto at = [&](const char* name) {
      return rest.world[static_cast<std::size_t>(human.joint.at(name))].translation;
    };
    for (const auto& [upper, lower] : {std::pair{"upperArmL", "lowerArmL"},
                                       {"lowerArmL", "handL"},
                                       {"upperArmR", "lowerArmR"},
                                       {"lowerArmR", "handR"}})
      for (int step = 0; arm_radius > 0 && step < 40; ++step)
        for (int k = 0; k < 64; ++k) {
          const double angle = 2 * 3.141592653589793 * k / 64;
          const Vec3 on_axis = at(upper) + (at(lower) - at(upper)) * (step / 39.0);
          points.push_back(
              {human.joint.at(upper), on_axis + Vec3{0, std::sin(angle), std::cos(angle)} * (arm_radius * scale)});
        }
    return points;
  }

  // Places of joints and of palms in a pose of a clip, metres.
  Vec3 place(const Clip& clip, double seconds, const std::string& joint) const {
    const Pose pose = sample(human.skeleton, &clip, seconds);
    return pose.world[static_cast<std::size_t>(human.joint.at(joint))].translation * (1 / scale);
  }
  Vec3 palm_place(const Clip& clip, double seconds, const std::string& side) const {
    const Vec3 hand = place(clip, seconds, "hand" + side);
    return hand + 0.7 * (place(clip, seconds, "index" + side) - hand);
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

// Turns one arm during a second, so that its wrist goes from the rest pose to a place.
void reach_with(const std::string& side, const RoundHuman& who, const Vec3& wrist, Clip& clip) {
  const Skeleton& skeleton = who.human.skeleton;
  const Pose rest = sample(skeleton, nullptr, 0);
  const auto joint = [&](const std::string& name) { return static_cast<std::size_t>(who.human.joint.at(name + side)); };
  const auto place = [&](const char* name) { return rest.world[joint(name)].translation; };
  const TwoBonePose pose =
      solve_two_bones({place("upperArm"), place("lowerArm"), place("hand")}, {wrist * who.scale, {0, -1, 0}});
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
  turn("upperArm", pose.root, {});
  turn("lowerArm", pose.middle, pose.root);
}

Clip empty_second() {
  Clip clip;
  clip.name = "reach";
  clip.end = 1;
  return clip;
}

// A clip of one second in which the left wrist is led from the rest pose to a place.
Clip reaching(const RoundHuman& who, const Vec3& wrist) {
  Clip clip = empty_second();
  reach_with("L", who, wrist, clip);
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

// Clapping: angles alone lead the palms of a body with longer arms and narrower shoulders through each other.
TEST(HandTouches, PalmsThatMeetDoSoOnAnotherBody) {
  const RoundHuman man({"mixamo", 1, 0, false, {}, {}}, 0.17);
  Clip clip = empty_second();
  reach_with("L", man, {0.035, 1.3, 0.38}, clip);
  reach_with("R", man, {-0.035, 1.3, 0.38}, clip);
  const auto apart = [](const RoundHuman& who, const Clip& of) {
    return who.palm_place(of, 1, "L") - who.palm_place(of, 1, "R");
  };
  const Vec3 own = apart(man, clip);
  ASSERT_LT(norm(own), 0.07);
  HumanShape long_armed{"mixamo", 2, 3, false, {}, {}};
  for (const auto& [name, x] : {std::pair{"lowerArm", 0.06}, {"hand", 0.14}, {"index", 0.14}, {"index2", 0.14}})
    for (const double side : {1.0, -1.0})
      if (const std::string joint = std::string(name) + (side > 0 ? "L" : "R"); man.human.joint.contains(joint))
        long_armed.move[joint] = {side * x, 0, 0};
  const RoundHuman other(long_armed, 0.17);
  const double size = other.frames.leg_length / other.scale / man.frames.leg_length;
  const Vec3 angles_alone = apart(other, carried(man.human, clip, other.human));
  HandTouches found;
  const Vec3 now = apart(other, led(man, clip, other, &found));
  EXPECT_GT(distance(angles_alone, size * own), 0.05);
  EXPECT_LT(distance(now, size * own), 0.006);
  EXPECT_GE(found.touching, 1);
}

// The left hand lies on the right forearm, which is twice as thick on the other body.
TEST(HandTouches, AHandOnTheOtherArmLiesOnAThickerOne) {
  const RoundHuman man({"mixamo", 1, 0, false, {}, {}}, 0.17, 0.04), thick({"mixamo", 2, 3, false, {}, {}}, 0.17, 0.08);
  Clip right = empty_second();
  reach_with("R", man, {-0.05, 1.25, 0.45}, right);
  const Vec3 middle = 0.5 * (man.place(right, 1, "lowerArmR") + man.place(right, 1, "handR"));
  const Vec3 wanted = middle + Vec3{0, 0.06, 0};  // of the left palm
  Vec3 wrist = wanted;
  Clip clip;
  for (int round = 0; round < 4; ++round) {
    clip = right;
    reach_with("L", man, wrist, clip);
    wrist += wanted - man.palm_place(clip, 1, "L");
  }
  const auto gap = [](const RoundHuman& who, const Clip& of) {
    const Vec3 palm = who.palm_place(of, 1, "L"), from = who.place(of, 1, "lowerArmR"), to = who.place(of, 1, "handR");
    const Vec3 along = normalized(to - from), away = palm - from;
    return norm(away - dot(away, along) * along) - who.arm_radius;
  };
  const double own = gap(man, clip), angles_alone = gap(thick, carried(man.human, clip, thick.human));
  ASSERT_LT(std::abs(own), 0.04);
  HandTouches found;
  const double now = gap(thick, led(man, clip, thick, &found));
  EXPECT_GT(std::abs(angles_alone - own), 0.02);
  EXPECT_NEAR(now, own, 0.008);
  EXPECT_GE(found.touching, 1);
}

TEST(HandTouches, OfTheSameBodyChangeNoBit) {
  const RoundHuman man({}, 0.17, 0.04);
  Clip clapping = empty_second();
  reach_with("L", man, {0.035, 1.3, 0.38}, clapping);
  reach_with("R", man, {-0.035, 1.3, 0.38}, clapping);
  for (const Clip& clip : {reaching(man, at_belly), lively_clip(man.human, 40), clapping}) {
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
