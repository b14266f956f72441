// Blends of walks as nodes with a parameter: every speed between is found, and feet that stand stay.
#include "sinew/kinematics/graph/blend_space.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <numbers>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "tests/kinematics/bare_skeleton.h"

namespace sinew::test {
namespace {

// Hips over one leg, whose foot goes back as fast as the hips go on while it stands, half of the cycle, and swings
// forward above the ground in the other half. `stride`: metres in a cycle.
struct Treader {
  Skeleton skeleton;
  std::vector<Clip> clips;
  GraphBody body;

  Treader() : skeleton(bare_skeleton({{-1, {0, 1, 0}}, {0, {0.1, -1, 0}}})) {}

  void add_clip(double stride, double seconds, double turn = 0) {
    Clip clip{"treads", {}, 0, seconds};
    Channel way{0, ChannelPath::translation, Interpolation::linear, {}, 3, {}};
    Channel heading{0, ChannelPath::rotation, Interpolation::linear, {}, 4, {}};
    Channel foot{1, ChannelPath::translation, Interpolation::linear, {}, 3, {}};
    constexpr int keys = 120;
    Vec3 place{0, 1, 0};
    for (int k = 0; k <= keys; ++k) {
      const double share = static_cast<double>(k) / keys, swing = 2 * share - 1;
      for (Channel* channel : {&way, &heading, &foot}) channel->times.push_back(share * seconds);
      way.values.insert(way.values.end(), {place.x, place.y, place.z});
      const double middle = turn * (share + 0.5 / keys);
      place += Vec3{std::sin(middle), 0, std::cos(middle)} * (stride / keys);
      const Quat q = axis_angle({0, 1, 0}, turn * share);
      heading.values.insert(heading.values.end(), {q.x, q.y, q.z, q.w});
      const bool stands = swing <= 0;
      const double ahead = stands ? 0.25 - share : share - 0.75;  // of the stride
      foot.values.insert(foot.values.end(),
                         {0.1, stands ? -1 : -1 + 0.1 * std::sin(std::numbers::pi * swing), stride * ahead});
    }
    clip.channels = {way, heading, foot};
    clips.push_back(clip);
  }

  BlendSpace space() {
    body = graph_body(skeleton, clips, {}, 0, 1);
    std::vector<ClipToBlend> blended;
    for (const Clip& clip : clips) blended.push_back({&clip, true, {0, clip.end / 2}});
    return BlendSpace(body, blended, 60);
  }
};

// Way of the foot along the ground while it stands, until the frame in which it leaves, metres.
double slide_of(const Skeleton& skeleton, const Clip& clip) {
  double slide = 0;
  Vec3 before;
  for (int k = 0; k <= 190; ++k) {
    const Vec3 foot = sample(skeleton, &clip, clip.start + (clip.end - clip.start) * k / 400).world[1].translation;
    if (k > 0) slide += norm(Vec3{foot.x - before.x, 0, foot.z - before.z});
    before = foot;
  }
  return slide;
}

TEST(BlendSpace, EverySpeedBetweenTwoWalksIsFound) {
  Treader treader;
  treader.add_clip(1.0, 1.0);
  treader.add_clip(1.4, 0.7);
  const BlendSpace space = treader.space(), again = treader.space();
  EXPECT_FALSE(space.by_turn());
  EXPECT_NEAR(space.least(), 1, 1e-6);
  EXPECT_NEAR(space.most(), 2, 1e-6);
  double worst = 0, slide = 0;
  for (double speed = 1; speed <= 2.001; speed += 0.04) {
    const double weight = space.weight_at(speed);
    const Clip clip = space.clip(weight, "between");
    worst = std::max(worst, std::abs(measure_cycle(treader.body, clip, {}).speed / speed - 1));
    slide = std::max(slide, slide_of(treader.skeleton, clip));
    const Clip same = again.clip(again.weight_at(speed), "between");
    ASSERT_EQ(clip.channels.size(), same.channels.size());
    for (std::size_t c = 0; c < clip.channels.size(); ++c) EXPECT_EQ(clip.channels[c].values, same.channels[c].values);
  }
  std::printf("speeds are off by %.2f %% at most, a foot that stands slides by %.1f mm of a stride\n", 100 * worst,
              1000 * slide);
  EXPECT_LT(worst, 0.02);
  EXPECT_LT(slide, 0.001);
  EXPECT_EQ(space.weight_at(0.5), 0);
  EXPECT_EQ(space.weight_at(9), 1);
}

TEST(BlendSpace, ThreeWalksAreTakenByTheirTurn) {
  Treader treader;
  for (const double turn : {-0.9, 0.1, 0.6}) treader.add_clip(1.0, 1.0, turn);
  const BlendSpace space = treader.space();
  EXPECT_TRUE(space.by_turn());
  for (double turn = -0.9; turn < 0.61; turn += 0.1) {
    const Clip clip = space.clip(space.weight_at(turn), "between");
    const BlendSample found = measure_cycle(treader.body, clip, {});
    EXPECT_NEAR(found.turn, turn, 0.02);
    EXPECT_NEAR(found.speed, 1, 0.05);
  }
  EXPECT_NEAR(space.weight_at(0.1), 1, 1e-6);
}

// Clips that step in place are blended as those that travel are.
TEST(BlendSpace, TravelBelongsToTheCycle) {
  Treader goes, stays;
  for (const auto& [stride, seconds] : {std::pair{1.0, 1.0}, {1.4, 0.7}}) {
    goes.add_clip(stride, seconds);
    stays.add_clip(stride, seconds);
    Channel& way = stays.clips.back().channels[0];
    for (std::size_t k = 2; k < way.values.size(); k += 3) way.values[k] = 0;
  }
  goes.space();
  stays.body = graph_body(stays.skeleton, stays.clips, {}, 0, 1);
  std::vector<ClipToBlend> blended;
  for (const Clip& clip : stays.clips) blended.push_back({&clip, true, {0, clip.end / 2}});
  const BlendSpace in_place(stays.body, blended, 60, {{0, 0, 1}, {0, 0, 2}}), going = goes.space();
  for (std::size_t k = 0; k < in_place.table().size(); ++k)
    EXPECT_NEAR(in_place.table()[k].speed, going.table()[k].speed, 1e-3);
}

TEST(BlendSpace, ClipsThatAreNoRowAreRefused) {
  Treader treader;
  for (const double stride : {1.0, 2.0, 1.2}) treader.add_clip(stride, 1.0);
  EXPECT_THROW(treader.space(), Error);
}

}  // namespace
}  // namespace sinew::test
