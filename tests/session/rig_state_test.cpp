// A deformer in a session always has bones and controls, and both say the same: where the goal follows a rig's controls
// they pose the bones, and elsewhere they are the weights of morph targets at the bones' time.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/rig/linear_blend.h"
#include "sinew/rig/skeleton_rig.h"
#include "sinew/rig/skeleton_rig_clip.h"
#include "sinew/session/session.h"
#include "tests/rig/cut_clips.h"

namespace sinew {
namespace {

using namespace test;

constexpr double cut_at = 1, second_weight = 0.25;

// The tube with two morph targets, of which the clip moves the first, evenly and with a jump at its cut.
Character morphing_tube() {
  Character character = plain_tube();
  Part& part = character.parts.front();
  part.targets.assign(2, std::vector<Vec3>(part.surface.positions.size(), Vec3{0.01, 0, 0}));
  part.target_names = {"bulge", ""};
  character.skeleton.joints[static_cast<std::size_t>(part.joint)].rest_weights = {0, second_weight};
  part.applied_weights = {0, second_weight};
  Clip clip = sampled_swing(30, 2);
  teleport(clip, cut_at, {3, 1, -2});
  Channel weights{part.joint, ChannelPath::weights, Interpolation::linear, clip.channels[0].times, 2, {}};
  for (const double t : weights.times) weights.values.insert(weights.values.end(), {0.4 * t, second_weight});
  clip.channels.push_back(weights);
  character.clips = {clip};
  return character;
}

using RigCheck = std::function<void(const RigState&)>;

// Looks at every state that it is given.
class LookingDeformer final : public Deformer {
 public:
  LookingDeformer(RigCheck look, int& carried) : look_(std::move(look)), carried_(carried) { traits_.step = 1.0 / 120; }
  const DeformerTraits& traits() const override { return traits_; }
  void reset(const RigState& rig, const RigState& next) override { look_(rig), look_(next); }
  void advance(const RigState& rig, const Environment&) override { look_(rig); }
  void carry(const RigCut& cut) override {
    for (const RigState* rig : {&cut.before, &cut.left, &cut.entered, &cut.next}) look_(*rig);
    ++carried_;
  }
  void goal(const RigState& rig, std::span<Vec3> surface) override {
    look_(rig);
    std::fill(surface.begin(), surface.end(), Vec3{});
  }
  void displacements(const RigState& rig, double, std::span<Vec3> surface) override {
    look_(rig);
    std::fill(surface.begin(), surface.end(), Vec3{});
  }
  std::span<const Vec3> points() const override { return {}; }
  void save(Snapshot&) const override {}
  void load(const Snapshot&, const RigState& rig, double) override { look_(rig); }

 private:
  RigCheck look_;
  int& carried_;
  DeformerTraits traits_;
};

struct Looked {
  Character character = morphing_tube();
  std::shared_ptr<const SimulationSurface> surface =
      std::make_shared<const SimulationSurface>(simulation_surface(character));
  Scene scene{"looking", "looking", surface, surface->bones};
  int carried = 0, looks = 0;
  RigCheck look;

  Looked() {
    scene.bare = [this] {
      return std::make_unique<LookingDeformer>(
          [this](const RigState& rig) {
            ++looks;
            look(rig);
          },
          carried);
    };
  }
};

// Played, looped, restored and carried across the cut.
void go_through_all(Looked& looked, const RigAnimation* controls) {
  Playback playback = whole(looked.character.clips[0], true);
  playback.controls = controls;
  Session session(looked.character, looked.scene, playback);
  std::vector<Vec3> positions(looked.surface->rest.positions.size());
  for (int k = 0; k < 50; ++k) {
    session.advance(0.07);
    session.surface(positions);
  }
  EXPECT_GT(looked.carried, 0);
  const SessionState kept = session.save();
  session.advance(0.1);
  session.load(kept, 1e3);
  session.change(looked.scene);
  EXPECT_GT(looked.looks, 400);
}

TEST(RigState, ControlsOfARigPoseTheBones) {
  Looked looked;
  CharacterRig rig(looked.character, *looked.surface);
  const ClipAnimation animation(rig, looked.character.clips[0]);
  for (const RigParameter& parameter : rig.parameters()) looked.scene.rest_controls.push_back(parameter.rest);
  looked.scene.pose_joints = [&](std::span<const double> p, std::span<Affine> joints) { rig.pose_joints(p, joints); };
  // Targets act on the rig alone.
  const std::size_t count = looked.surface->rest.positions.size(), weight = rig.parameters().size() - 2;
  std::vector<Vec3> by_controls(count), by_bones(count);
  std::vector<double> p;
  looked.look = [&](const RigState& state) {
    p.assign(state.controls.begin(), state.controls.end());
    ASSERT_EQ(p.size(), rig.parameters().size());
    p[weight] = 0;
    rig.evaluate(p, by_controls);
    linear_blend(looked.surface->rest.positions, looked.surface->influences, state.bones, by_bones);
    double off = 0;
    for (std::size_t v = 0; v < count; ++v) off = std::max(off, distance(by_controls[v], by_bones[v]));
    ASSERT_LT(off, 1e-12);
  };
  go_through_all(looked, &animation);
  Session session(looked.character, looked.scene);
  EXPECT_THROW(session.pose(sample(looked.character.skeleton, nullptr, 0)), Error);
}

TEST(RigState, ControlsOfASkeletonAreTheWeightsAtTheBonesTime) {
  Looked looked;
  const Clip& clip = looked.character.clips[0];
  const std::vector<WeightControl> weights = weight_controls(looked.character, *looked.surface);
  ASSERT_EQ(weights.size(), 2u);
  EXPECT_EQ(weights[0].parameter.control, "bulge");
  EXPECT_EQ(weights[1].parameter.control, "target 1");
  EXPECT_EQ(weights[1].parameter.rest, second_weight);
  const PlayedRange range = whole(clip, true).range;
  looked.look = [&](const RigState& state) {
    const double seconds = range.clip_time(state.time);
    const Pose pose = sample(looked.character.skeleton, &clip, seconds);
    ASSERT_EQ(state.controls.size(), 2u);
    ASSERT_NEAR(state.controls[0], 0.4 * seconds, 1e-12);
    ASSERT_EQ(state.controls[1], second_weight);
    const std::vector<Affine> bones = bone_transforms(looked.character, *looked.surface, pose);
    ASSERT_TRUE(std::equal(bones.begin(), bones.end(), state.bones.begin(), state.bones.end()));
  };
  go_through_all(looked, nullptr);
}

TEST(RigState, APoseByHandHasWeightsToo) {
  Looked looked;
  looked.look = [](const RigState&) {};
  Session session(looked.character, looked.scene, whole(looked.character.clips[0]));
  session.step();
  Pose pose = sample(looked.character.skeleton, &looked.character.clips[0], 0.5);
  pose.morph_weights[static_cast<std::size_t>(looked.character.parts.front().joint)] = {0.7, 0.1};
  session.pose(pose);
  const std::vector<Affine> bones = bone_transforms(looked.character, *looked.surface, pose);
  looked.look = [&](const RigState& state) {
    EXPECT_EQ((std::vector<double>(state.controls.begin(), state.controls.end())), (std::vector<double>{0.7, 0.1}));
    EXPECT_TRUE(std::equal(bones.begin(), bones.end(), state.bones.begin(), state.bones.end()));
  };
  session.step();
  EXPECT_FALSE(session.still());
  session.step();
  EXPECT_TRUE(session.still());
  // A pose that says no weights leaves them at rest.
  pose.morph_weights.clear();
  session.pose(pose);
  EXPECT_EQ(session.moment_at(session.elapsed()).controls, (std::vector<double>{0, second_weight}));
}

}  // namespace
}  // namespace sinew
