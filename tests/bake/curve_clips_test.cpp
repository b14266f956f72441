// Values of free parameters as channels: there and back, with as few keys as the surface allows.
#include "sinew/bake/output/curve_clips.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <vector>

#include "sinew/rig/offset_rig.h"
#include "sinew/rig/skeleton_rig_clip.h"
#include "tests/elastic/blocks.h"
#include "tests/rig/rig_character.h"

namespace sinew {
namespace {

using namespace test;

struct Curved {
  Character character = rig_character();
  SimulationSurface surface = simulation_surface(character);
  CharacterRig rig{character, surface};
  RigCurves curves;

  // Every parameter of the belly, the head's translation along y and the first morph weight.
  explicit Curved(int frames) {
    const int belly = rig.first_parameter(belly_joint);
    for (int k = 0; k < 6; ++k) curves.parameters.push_back(belly + k);
    curves.parameters.push_back(belly + 7);  // scale.y
    curves.parameters.push_back(rig.first_parameter(head_joint) + 1);
    curves.parameters.push_back(rig.first_weight(mesh_node));
    for (int f = 0; f < frames; ++f) {
      const double t = f / 30.0;
      curves.times.push_back(t);
      for (std::size_t i = 0; i < curves.parameters.size(); ++i) curves.values.push_back(value(i, t));
    }
  }
  double value(std::size_t i, double t) const {
    const RigParameter& parameter = rig.parameters()[at(curves.parameters[i])];
    return parameter.rest + 0.3 * (parameter.upper - parameter.rest) * std::sin(4 * t + double(i)) * std::exp(-0.5 * t);
  }
  std::vector<double> rest() const {
    std::vector<double> p;
    for (const RigParameter& parameter : rig.parameters()) p.push_back(parameter.rest);
    return p;
  }
  // Largest distance of the surface over the frames, metres, of the clip from the values.
  double distance_of(const Clip& clip, const RigAnimation* animation) {
    const ClipAnimation played(rig, clip);
    std::vector<Vec3> a(rig.vertices()), b(rig.vertices());
    double largest = 0;
    for (std::size_t f = 0; f < curves.times.size(); ++f) {
      std::vector<double> p = rest();
      if (animation) animation->sample(curves.times[f], p);
      std::vector<double> q = p;
      const std::size_t count = curves.parameters.size();
      add_offsets(rig.parameters(), curves.parameters, std::span(curves.values).subspan(f * count, count), p);
      played.sample(curves.times[f], q);
      rig.evaluate(p, a);
      rig.evaluate(q, b);
      for (std::size_t v = 0; v < a.size(); ++v) largest = std::max(largest, distance(a[v], b[v]));
    }
    return largest;
  }
};

TEST(ClipOfCurves, HoldsTheValuesOfEveryFrame) {
  Curved curved(31);
  const CurveClip result = clip_of_curves(curved.rig, nullptr, curved.curves, "all.flesh");
  EXPECT_EQ(result.clip.name, "all.flesh");
  EXPECT_EQ(result.clip.start, 0);
  EXPECT_EQ(result.clip.end, 1);
  std::set<std::pair<int, ChannelPath>> channels;
  for (const Channel& channel : result.clip.channels) {
    channels.emplace(channel.joint, channel.path);
    EXPECT_EQ(channel.times, curved.curves.times);
    EXPECT_EQ(channel.values.size(), channel.times.size() * at(channel.components));
    EXPECT_EQ(channel.interpolation, Interpolation::linear);
  }
  EXPECT_EQ(channels, (std::set<std::pair<int, ChannelPath>>{{belly_joint, ChannelPath::translation},
                                                             {belly_joint, ChannelPath::rotation},
                                                             {belly_joint, ChannelPath::scale},
                                                             {head_joint, ChannelPath::translation},
                                                             {mesh_node, ChannelPath::weights}}));
  EXPECT_EQ(result.keys, 5 * 31);
  EXPECT_EQ(result.all_keys, 5 * 31);

  const ClipAnimation played(curved.rig, result.clip);
  for (std::size_t f = 0; f < 31; ++f) {
    std::vector<double> p = curved.rest();
    played.sample(curved.curves.times[f], p);
    for (std::size_t i = 0; i < curved.curves.parameters.size(); ++i)
      EXPECT_NEAR(p[at(curved.curves.parameters[i])], curved.curves.values[f * curved.curves.parameters.size() + i],
                  1e-12);
    // Axes that are not free stay at rest.
    EXPECT_NEAR(p[at(curved.rig.first_parameter(head_joint))], 0, 1e-12);
    EXPECT_NEAR(p[at(curved.rig.first_parameter(belly_joint) + 6)], 0, 1e-12);
  }
  EXPECT_LT(curved.distance_of(result.clip, nullptr), 1e-12);
}

// Rotations that go on and on stay continuous from key to key.
TEST(ClipOfCurves, RotationsTakeTheShortWay) {
  Curved curved(2);
  curved.curves.parameters = {curved.rig.first_parameter(belly_joint) + 4};
  curved.curves.times.clear();
  curved.curves.values.clear();
  for (int f = 0; f <= 40; ++f) {
    curved.curves.times.push_back(f / 20.0);
    curved.curves.values.push_back(0.2 * f);  // beyond a whole turn
  }
  const CurveClip result = clip_of_curves(curved.rig, nullptr, curved.curves, "turn");
  ASSERT_EQ(result.clip.channels.size(), 1u);
  const std::vector<double>& q = result.clip.channels[0].values;
  for (std::size_t k = 1; k < curved.curves.times.size(); ++k) {
    double cosine = 0;
    for (std::size_t c = 0; c < 4; ++c) cosine += q[4 * k + c] * q[4 * (k - 1) + c];
    EXPECT_NEAR(cosine, std::cos(0.1), 1e-12);
  }
}

TEST(ThinnedClip, StaysWithinTheBound) {
  Curved curved(91);
  Clip keyed = curved.character.clips[0];
  std::erase_if(keyed.channels, [](const Channel& c) { return c.joint != root_joint && c.joint != spine_joint; });
  ASSERT_EQ(keyed.channels.size(), 2u);
  const ClipAnimation animation(curved.rig, keyed);
  int last = 0;
  for (const double bound : {2e-3, 2e-4, 2e-5}) {
    // With and without what is keyed beside it.
    for (const RigAnimation* beside :
         {static_cast<const RigAnimation*>(nullptr), static_cast<const RigAnimation*>(&animation)}) {
      const CurveClip result = thinned_clip(curved.rig, beside, curved.curves, "thin", bound);
      EXPECT_LE(result.largest_error, bound);
      EXPECT_NEAR(curved.distance_of(result.clip, beside), result.largest_error, 1e-12);
      EXPECT_LT(result.keys, result.all_keys);
      EXPECT_EQ(result.all_keys, 5 * 91);
      int keys = 0;
      for (const Channel& channel : result.clip.channels) {
        keys += static_cast<int>(channel.times.size());
        EXPECT_EQ(channel.times.front(), curved.curves.times.front());
        EXPECT_EQ(channel.times.back(), curved.curves.times.back());
        EXPECT_TRUE(std::is_sorted(channel.times.begin(), channel.times.end()));
        EXPECT_EQ(channel.values.size(), channel.times.size() * at(channel.components));
      }
      EXPECT_EQ(keys, result.keys);
      if (!beside) {
        // Errors of straight lines fall with the square of their length: a hundredth of the bound, ten times the keys.
        EXPECT_GT(keys, last);
        last = keys;
      }
    }
  }
}

// What the animator keyed of the same channel stays in it: other axes of a rotation, other morph weights, and what the
// values are added to.
TEST(ClipOfCurves, KeepsWhatIsKeyedBesideThem) {
  Curved curved(31);
  const ClipAnimation animation(curved.rig, curved.character.clips[0]);
  const int belly = curved.rig.first_parameter(belly_joint), weight = curved.rig.first_weight(mesh_node);
  curved.curves.parameters = {belly + 1, belly + 3, weight};
  curved.curves.values.clear();
  for (const double t : curved.curves.times)
    for (std::size_t i = 0; i < 3; ++i) curved.curves.values.push_back(curved.value(i, t));
  const CurveClip all = clip_of_curves(curved.rig, &animation, curved.curves, "all");
  EXPECT_EQ(all.clip.channels.size(), 3u);
  EXPECT_LT(curved.distance_of(all.clip, &animation), 1e-12);
  const CurveClip thin = thinned_clip(curved.rig, &animation, curved.curves, "thin", 1e-3);
  EXPECT_LT(thin.keys, thin.all_keys);
  EXPECT_LE(thin.largest_error, 1e-3);
  EXPECT_LT(curved.distance_of(thin.clip, &animation), 1e-3);
}

// A straight line is two keys, whatever its frames.
TEST(ThinnedClip, LinesAreTwoKeys) {
  Curved curved(61);
  curved.curves.parameters = {curved.rig.first_parameter(belly_joint)};
  curved.curves.values.clear();
  for (const double t : curved.curves.times) curved.curves.values.push_back(0.02 * t);
  const CurveClip result = thinned_clip(curved.rig, nullptr, curved.curves, "line", 1e-6);
  ASSERT_EQ(result.clip.channels.size(), 1u);
  EXPECT_EQ(result.keys, 2);
  EXPECT_LT(result.largest_error, 1e-9);
}

}  // namespace
}  // namespace sinew
