#include "sinew/kinematics/blend_clips.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sinew/base/index.h"
#include "sinew/linalg/turns.h"
#include "tests/kinematics/bare_skeleton.h"

namespace sinew {
namespace {

constexpr double pi = std::numbers::pi;

// Hips that walk and a leg that swings.
enum : int { walker_hips, walker_leg, walker_foot };

Skeleton walker() {
  return test::bare_skeleton({{-1, {0, 1, 0}}, {walker_hips, {0.1, 0, 0}}, {walker_leg, {0, -0.9, 0}}});
}

struct Gait {
  double cycle = 1;    // seconds
  double stride = 0;   // metres forward, along z, in a cycle
  double swing = 0.5;  // radians of the leg
  double turn = 0;     // radians about y in a cycle
  double late = 0;     // share of the cycle by which the swing comes later
};

Clip gait_clip(const Gait& gait) {
  Clip clip{"gait", {}, 0, gait.cycle};
  Channel way{walker_hips, ChannelPath::translation, Interpolation::linear, {}, 3, {}};
  Channel heading{walker_hips, ChannelPath::rotation, Interpolation::linear, {}, 4, {}};
  Channel swing{walker_leg, ChannelPath::rotation, Interpolation::linear, {}, 4, {}};
  constexpr int keys = 240;
  Vec3 place{0, 1, 0};
  for (int k = 0; k <= keys; ++k) {
    const double share = static_cast<double>(k) / keys, angle = gait.turn * share;
    const auto put = [&](Channel& channel, std::initializer_list<double> values) {
      channel.times.push_back(share * gait.cycle);
      channel.values.insert(channel.values.end(), values);
    };
    put(way, {place.x, place.y, place.z});
    const double middle = angle + gait.turn / keys / 2;
    place += Vec3{std::sin(middle), 0, std::cos(middle)} * (gait.stride / keys);
    const Quat q = axis_angle({0, 1, 0}, angle);
    put(heading, {q.x, q.y, q.z, q.w});
    const Quat s = axis_angle({1, 0, 0}, gait.swing * std::sin(2 * pi * (share - gait.late)));
    put(swing, {s.x, s.y, s.z, s.w});
  }
  clip.channels = {way, heading, swing};
  return clip;
}

double swing_of(const Skeleton& skeleton, const Clip& clip, double time) {
  const Pose pose = sample(skeleton, &clip, time);
  const Mat3 local = transpose(pose.world[walker_hips].linear) * pose.world[walker_leg].linear;
  return std::atan2(local(2, 1), local(2, 2));
}

Vec3 place_of(const Skeleton& skeleton, const Clip& clip, double time, int joint = walker_hips) {
  return sample(skeleton, &clip, time).world[index(joint)].translation;
}

double farthest(const Skeleton& skeleton, const Clip& a, const Clip& b, double seconds) {
  double most = 0;
  for (double t = 0; t <= seconds; t += 0.005)  // frames of the blend, between which keys are linear
    for (const int joint : {walker_hips, walker_leg, walker_foot})
      most = std::max(most, distance(place_of(skeleton, a, t, joint), place_of(skeleton, b, t, joint)));
  return most;
}

const Gait walk{1.2, 1.2, 0.4, 0, 0.1}, run{0.6, 1.8, 0.8, 0, 0.3};

std::array<ClipToBlend, 2> in_step(const Clip& a, const Gait& of_a, const Clip& b, const Gait& of_b) {
  return {ClipToBlend{&a, true, {of_a.late * of_a.cycle, (of_a.late + 0.5) * of_a.cycle}},
          ClipToBlend{&b, true, {of_b.late * of_b.cycle, (of_b.late + 0.5) * of_b.cycle}}};
}

TEST(BlendClips, AWeightOfNothingIsTheFirstAndOfAllTheSecond) {
  const Skeleton skeleton = walker();
  const Clip a = gait_clip(walk), b = gait_clip(run);
  for (const bool beats : {false, true}) {
    auto clips = in_step(a, walk, b, run);
    if (!beats) clips[0].beats.clear();
    const Clip first = blend_clips(skeleton, walker_hips, clips, {{{0, 0}}, 1.2, 200}, "first");
    const Clip second = blend_clips(skeleton, walker_hips, clips, {{{0, 1}}, 0.6, 200}, "second");
    if (!beats) {  // with beats the clip begins at its first beat
      EXPECT_LT(farthest(skeleton, first, a, 1.19), 1e-6);
      EXPECT_LT(farthest(skeleton, second, b, 0.59), 1e-6);
    }
    EXPECT_NEAR(place_of(skeleton, first, 1.2).z - place_of(skeleton, first, 0).z, 1.2, 1e-6);
    EXPECT_NEAR(place_of(skeleton, second, 0.6).z - place_of(skeleton, second, 0).z, 1.8, 1e-6);
  }
}

TEST(BlendClips, HalfOfEachIsTheMeanOfStridesTimesAndSwings) {
  const Skeleton skeleton = walker();
  const Clip a = gait_clip(walk), b = gait_clip(run);
  const auto clips = in_step(a, walk, b, run);
  EXPECT_NEAR(blended_cycle(clips, 0.5), 0.9, 1e-12);
  const Clip blend = blend_clips(skeleton, walker_hips, clips, {{{0, 0.5}}, 0.9, 100}, "jog");
  EXPECT_EQ(blend.name, "jog");
  EXPECT_NEAR(blend.end, 0.9, 1e-12);
  EXPECT_NEAR(place_of(skeleton, blend, 0.9).z - place_of(skeleton, blend, 0).z, 1.5, 1e-3);
  // It begins at a beat, where both legs pass the middle, and swings in step although the clips' legs do not.
  for (const double share : {0.0, 0.1, 0.25, 0.4, 0.6, 0.75, 0.9})
    EXPECT_NEAR(swing_of(skeleton, blend, 0.9 * share), 0.6 * std::sin(2 * pi * share), 2e-3) << share;
  // The end leads into the beginning.
  EXPECT_NEAR(swing_of(skeleton, blend, 0.9), swing_of(skeleton, blend, 0), 1e-6);
}

TEST(BlendClips, WithoutBeatsLegsThatAreOutOfStepCancelEachOther) {
  const Skeleton skeleton = walker();
  Gait other = walk;
  other.late = 0.6;
  const Clip a = gait_clip(walk), b = gait_clip(other);
  auto clips = in_step(a, walk, b, other);
  clips[1].beats.clear();
  const Clip blend = blend_clips(skeleton, walker_hips, clips, {{{0, 0.5}}, 1.2, 100}, "still");
  for (const double t : {0.1, 0.4, 0.7}) EXPECT_NEAR(swing_of(skeleton, blend, t), 0, 1e-6);
}

TEST(BlendClips, SpeedFollowsTheWeight) {
  const Skeleton skeleton = walker();
  const Clip a = gait_clip(walk), b = gait_clip(run);
  const Clip blend = blend_clips(skeleton, walker_hips, in_step(a, walk, b, run), {{{1, 0}, {2, 1}}, 3, 120}, "faster");
  const auto speed = [&](double t) {
    return (place_of(skeleton, blend, t + 0.1).z - place_of(skeleton, blend, t).z) / 0.1;
  };
  EXPECT_NEAR(speed(0.5), 1, 1e-3);
  EXPECT_NEAR(speed(2.5), 3, 1e-3);
  EXPECT_NEAR(speed(1.45), 1.5 / 0.9, 0.1);  // half of each: mean stride over mean time
  for (double t = 0; t < 2.8; t += 0.05) EXPECT_LE(speed(t), speed(t + 0.05) + 0.02);
}

TEST(BlendClips, WalksThatTurnGoInTheMeanArc) {
  const Skeleton skeleton = walker();
  Gait left = walk, right = walk;
  left.turn = pi / 2;
  right.turn = -pi / 2;
  const Clip a = gait_clip(left), b = gait_clip(right);
  const Clip straight =
      blend_clips(skeleton, walker_hips, in_step(a, left, b, right), {{{0, 0.5}}, 2.4, 60}, "straight");
  const Vec3 way = place_of(skeleton, straight, 2.4) - place_of(skeleton, straight, 0);
  EXPECT_NEAR(norm(way), 2.4, 0.02);
  const Clip round = blend_clips(skeleton, walker_hips, in_step(a, left, b, right), {{{0, 0}}, 4.8, 60}, "round");
  EXPECT_LT(distance(place_of(skeleton, round, 4.8), place_of(skeleton, round, 0)), 0.01);  // four quarters
}

TEST(BlendClips, AMaskTakesAPartOfTheBody) {
  const Skeleton skeleton = walker();
  const Clip a = gait_clip(walk), b = gait_clip(run);
  std::array<ClipToBlend, 2> clips{ClipToBlend{&a, true}, ClipToBlend{&b, true}};
  const Clip blend = blend_clips(skeleton, walker_hips, clips, {{{0, 1}}, 0.6, 100, {0, 1, 1}}, "masked");
  EXPECT_NEAR(swing_of(skeleton, blend, 0.33), swing_of(skeleton, b, 0.33), 1e-3);
  EXPECT_LT(distance(place_of(skeleton, blend, 0.33), place_of(skeleton, a, 0.33)), 1e-4);
}

TEST(BlendClips, ChangesOfAClipAreAdded) {
  const Skeleton skeleton = walker();
  Gait nod{1.2, 0, 0.2, 0, 0};
  const Clip a = gait_clip(walk), b = gait_clip(nod);
  std::array<ClipToBlend, 2> clips{ClipToBlend{&a, true}, ClipToBlend{&b, true}};
  ClipBlend blend{{{0, 1}}, 1.2, 100};
  blend.additive = true;
  const Clip sum = blend_clips(skeleton, walker_hips, clips, blend, "sum");
  for (const double t : {0.1, 0.5, 0.9})
    EXPECT_NEAR(swing_of(skeleton, sum, t), swing_of(skeleton, a, t) + swing_of(skeleton, b, t), 1e-3);
  EXPECT_LT(distance(place_of(skeleton, sum, 0.9), place_of(skeleton, a, 0.9)), 1e-4);
  // A walk goes on from cycle to cycle.
  blend.seconds = 2.4;
  const Clip longer = blend_clips(skeleton, walker_hips, clips, blend, "longer");
  EXPECT_NEAR(place_of(skeleton, longer, 2.4).z, 2.4, 1e-3);
}

TEST(BlendClips, TheEndOfAClipThatDoesNotLoopStays) {
  const Skeleton skeleton = walker();
  const Clip a = gait_clip(walk), b = gait_clip(run);
  std::array<ClipToBlend, 2> clips{ClipToBlend{&a, false}, ClipToBlend{&b, false}};
  const Clip blend = blend_clips(skeleton, walker_hips, clips, {{{0, 0}}, 3, 50}, "ends");
  EXPECT_LT(distance(place_of(skeleton, blend, 3), place_of(skeleton, a, 1.2)), 1e-6);
}

}  // namespace
}  // namespace sinew
