// Rig-space physics over clips of the tube: the contract's clauses on time, scale, rest and resuming.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/bake/rig_space_scenes.h"
#include "tests/base/refusal.h"
#include "tests/base/same_bits.h"
#include "tests/base/scratch.h"

namespace sinew {
namespace {

using namespace test;

// Set going and left alone, the tube swings at the frequency and dies away by the damping that the report names.
TEST(RigSpaceBake, RingsAsItsMaterialSays) {
  Character character = tube_character();
  // The root is pushed aside at once, and stands.
  Clip push;
  push.name = "push";
  push.end = 3;
  push.channels = {
      {1, ChannelPath::translation, Interpolation::linear, {0, 0.02, 3}, 3, {0, 0, 0, 0.01, 0, 0, 0.01, 0, 0}}};
  character.clips = {push};
  for (const double damping : {0.08, 0.2}) {
    RigSpaceSettings settings = quick({"upper.translation.x"});
    settings.damping = damping;
    settings.step = 0.002;
    const CookedRigSpace scene = cooked(character, settings);
    const BakeResult result = baked(character, scene, settings, options_for(0, 500));
    const Ringing found = ringing(result.curves->values, 500);
    EXPECT_NEAR(found.damping, damping, 0.05 * damping);
    EXPECT_NEAR(found.frequency, scene.material.frequency * std::sqrt(1 - damping * damping),
                0.02 * scene.material.frequency);
  }
}

TEST(RigSpaceBake, RestIsRest) {
  const Character character = tube_character();
  for (const InteriorVertices inside :
       {InteriorVertices::corrected, InteriorVertices::skinning, InteriorVertices::equilibrium}) {
    RigSpaceSettings settings = quick();
    settings.inside = inside;
    const CookedRigSpace scene = cooked(character, settings);
    const BakeResult still = baked(character, scene, settings, options_for(-1));
    EXPECT_LT(largest_curve(still), 1e-12);
    // It moves for a quarter of a second, then comes to rest where the animator has it.
    if (inside == InteriorVertices::equilibrium) continue;  // each step of which is long
    const BakeResult stop = baked(character, scene, settings, options_for(1));
    const std::size_t free = 3, frames = stop.recording.times.size();
    EXPECT_GT(largest_curve(stop), 1e-3);
    for (std::size_t i = 0; i < free; ++i) EXPECT_LT(std::abs(stop.curves->values[(frames - 1) * free + i]), 1e-6);
  }
}

// What is recorded is the rig at these values, against the rig at rest.
TEST(RigSpaceBake, RecordsTheSurfaceOfItsCurves) {
  const Character character = tube_character();
  const RigSpaceSettings settings = quick();
  const CookedRigSpace scene = cooked(character, settings);
  const BakeResult result = baked(character, scene, settings, options_for(0));
  const auto& rig = dynamic_cast<const CharacterRig&>(*scene.whole_rig);
  const ClipAnimation animation(rig, character.clips[0]);
  ASSERT_EQ(result.curves->parameters, scene.free);
  ASSERT_EQ(result.curves->times, result.recording.times);
  ASSERT_EQ(result.recording.times.size(), 31u);
  ASSERT_FALSE(result.report.counters.empty());
  EXPECT_EQ(result.report.counters[0], (std::pair<std::string, std::int64_t>("steps", 100)));
  double largest = 0;
  for (std::size_t frame = 0; frame < result.recording.times.size(); ++frame) {
    std::vector<double> p;
    for (const RigParameter& parameter : rig.parameters()) p.push_back(parameter.rest);
    animation.sample(result.recording.times[frame], p);
    std::vector<Vec3> goal(rig.vertices()), moved(rig.vertices());
    scene.whole_rig->evaluate(p, goal);
    for (std::size_t i = 0; i < 3; ++i) p[at(scene.free[i])] = result.curves->values[3 * frame + i];
    scene.whole_rig->evaluate(p, moved);
    const std::vector<int>& vertices = scene.surface.vertex_of[0];
    for (std::size_t v = 0; v < vertices.size(); ++v)
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const double d = (moved[at(vertices[v])] - goal[at(vertices[v])])[axis];
        EXPECT_NEAR(result.recording.parts[0].displacement[3 * (frame * vertices.size() + v) + axis], d, 1e-7);
        largest = std::max(largest, std::abs(d));
      }
  }
  EXPECT_GT(largest, 1e-3);
}

TEST(RigSpaceBake, FrameRatesSampleOneMotion) {
  const Character character = tube_character();
  const RigSpaceSettings settings = quick();
  const CookedRigSpace scene = cooked(character, settings);
  // Every sixth of a second is a frame of all of them.
  std::vector<std::vector<double>> sixths;
  for (const int rate : {24, 30, 60, 144}) {
    const BakeResult result = baked(character, scene, settings, options_for(0, rate));
    sixths.emplace_back();
    for (int k = 0; k <= 6; ++k)
      for (std::size_t i = 0; i < 3; ++i) sixths.back().push_back(result.curves->values.at(at(k * rate / 6) * 3 + i));
  }
  for (const std::vector<double>& other : sixths)
    for (std::size_t i = 0; i < other.size(); ++i) EXPECT_NEAR(other[i], sixths[0][i], 1e-12);
}

// A character in centimetres moves as the same one in metres.
TEST(RigSpaceBake, UnitsDoNotMatter) {
  std::vector<std::vector<double>> values;
  for (const double unit : {1.0, 0.01}) {
    const Character character = tube_character(unit);
    const RigSpaceSettings settings = quick();
    const CookedRigSpace scene = cooked(character, settings);
    const BakeResult result = baked(character, scene, settings, options_for(0));
    values.push_back(result.curves->values);
  }
  ASSERT_EQ(values[0].size(), values[1].size());
  for (std::size_t i = 0; i < values[0].size(); ++i) EXPECT_NEAR(values[0][i], values[1][i], 1e-7);
}

TEST(RigSpaceBake, DeterministicForAnyNumberOfThreads) {
  const Character character = tube_character();
  expect_same_bits([&] {
    RigSpaceSettings settings = quick();
    // The clip keys its rotation.
    settings.free = {"upper", "upper.scale.y"};
    const CookedRigSpace scene = cooked(character, settings);
    return baked(character, scene, settings, options_for(0)).curves->values;
  });
}

// Stopped anywhere and gone on with in another run: the same values, to the bit.
TEST(RigSpaceBake, ResumesFromItsCheckpoint) {
  const Character character = tube_character();
  for (const bool adaptive : {false, true})
    for (const InteriorVertices inside :
         {InteriorVertices::corrected, InteriorVertices::skinning, InteriorVertices::equilibrium}) {
      RigSpaceSettings settings = quick();
      settings.adaptive = adaptive;
      settings.inside = inside;
      const CookedRigSpace scene = cooked(character, settings);
      BakeOptions options = options_for(0);
      options.end = 0.5;
      const BakeResult whole = baked(character, scene, settings, options);
      options.checkpoint = scratch_path("checkpoint");
      options.resume = true;
      int frames = 0;
      const BakeResult stopped =
          baked(character, scene, settings, options, [&](const ProgressReport&) { return ++frames < 9; });
      EXPECT_FALSE(stopped.complete);
      EXPECT_EQ(stopped.recording.times.size(), 9u);
      const BakeResult resumed = baked(character, scene, settings, options);
      EXPECT_TRUE(resumed.complete);
      EXPECT_EQ(resumed.curves->values, whole.curves->values);
      EXPECT_EQ(resumed.recording.times, whole.recording.times);
      EXPECT_EQ(resumed.recording.parts[0].displacement, whole.recording.parts[0].displacement);
      RigSpaceSettings other = settings;
      other.step = 0.005;
      EXPECT_NE(refusal(ErrorKind::input, [&] { baked(character, scene, other, options); }).find("checkpoint"),
                std::string::npos);
    }
}

// Repeated until it comes back to where it began.
TEST(RigSpaceBake, LoopsAreCyclic) {
  const Character character = tube_character();
  const RigSpaceSettings settings = quick();
  const CookedRigSpace scene = cooked(character, settings);
  BakeOptions options = options_for(0);
  options.loop = Loop::on;
  const BakeResult result = baked(character, scene, settings, options);
  EXPECT_GT(result.report.end->run_on, 0.5);
  ASSERT_EQ(result.curves->values.size(), 31u * 3);
  const double largest = largest_curve(result);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(result.curves->values[i], result.curves->values[30 * 3 + i], 1e-9 * largest);
}

}  // namespace
}  // namespace sinew
