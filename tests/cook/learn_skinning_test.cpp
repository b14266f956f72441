// Examples that the inside of a body is learned from, and what is learned.
#include "sinew/cook/rig_space/learn_skinning.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/cook/cook.h"
#include "sinew/cook/rig_space/rig_space_method.h"
#include "sinew/deform/rig_space/static_interior.h"
#include "sinew/rig/skeleton_rig.h"
#include "sinew/rig/skeleton_rig_clip.h"
#include "tests/bake/tube_character.h"
#include "tests/base/refusal.h"
#include "tests/base/same_bits.h"
#include "tests/elastic/blocks.h"

namespace sinew {
namespace {

using namespace test;

struct Learner {
  Character character = tube_character();
  RigSpaceSettings settings;
  CookedRigSpace scene;
  std::unique_ptr<ClipAnimation> swing;

  Learner() {
    settings.free = {"upper.translation.*"};
    settings.tetrahedra = 600;
    settings.poses = 12;
    scene = prepare_rig_space(character, settings, [&](std::span<const int> vertices) {
      return make_rig(nullptr, character, simulation_surface(character), vertices);
    });
    swing = std::make_unique<ClipAnimation>(dynamic_cast<const CharacterRig&>(*scene.whole_rig), character.clips[0]);
  }
  SkinningExamples examples(const Progress& progress = {}) const {
    const ExampleClip clip{swing.get(), 0, 1};
    return make_examples(scene, {&clip, 1}, settings, progress);
  }
};

// Every example is a pose with its inside in equilibrium, the first of them the rest pose.
TEST(SkinningExamples, AreInEquilibrium) {
  const Learner learner;
  const SkinningExamples examples = learner.examples();
  const RigSpaceBody& body = *learner.scene.body;
  const std::size_t all = body.mesh.positions.size(), boundary = body.boundary_vertices();
  EXPECT_EQ(examples.poses + examples.skipped, 12 + 24);
  EXPECT_EQ(examples.skipped, 0);
  ASSERT_EQ(examples.positions.size(), static_cast<std::size_t>(examples.poses) * all);
  EXPECT_GT(examples.newton_steps, examples.poses);
  TetrahedralEnergy energy(body.mesh, body.material);
  energy.activate(std::vector<char>(all, 1));
  double furthest = 0, pull = 0;
  std::vector<double> left;  // force on the inside, per pose
  for (std::size_t pose = 0; pose < static_cast<std::size_t>(examples.poses); ++pose) {
    const std::span<const Vec3> x = std::span(examples.positions).subspan(pose * all, all);
    std::vector<Vec3> force(all);
    energy.energy(x, force);
    left.push_back(largest_norm(std::span(force).subspan(boundary)));
    pull = std::max(pull, largest_norm(std::span(force).first(boundary)));
    for (std::size_t v = 0; v < all; ++v) furthest = std::max(furthest, distance(x[v], body.mesh.positions[v]));
  }
  for (const double force : left) EXPECT_LT(force, 1e-6 * pull);
  for (std::size_t v = 0; v < all; ++v) EXPECT_LT(distance(examples.positions[v], body.mesh.positions[v]), 1e-9);
  EXPECT_GT(furthest, 0.03);
}

// What is learned puts the inside near its equilibria, and the body has it.
TEST(LearnSkinning, PutsTheInsideWhereItBelongs) {
  Learner learner;
  const SkinningExamples examples = learner.examples();
  const VolumetricSkinning learned = learn_skinning(learner.scene, examples, learner.settings);
  const RigSpaceBody& body = *learner.scene.body;
  ASSERT_TRUE(body.has_skinning());
  EXPECT_EQ(body.interior.value, learned.weights.value);
  const std::size_t all = body.mesh.positions.size(), boundary = body.boundary_vertices();
  double squared = 0, moved = 0;
  for (std::size_t pose = 0; pose < static_cast<std::size_t>(examples.poses); ++pose) {
    const std::span<const Vec3> exact = std::span(examples.positions).subspan(pose * all, all);
    std::vector<Vec3> x(exact.begin(), exact.end());
    place_interior(body, x);
    for (std::size_t v = boundary; v < all; ++v) {
      squared += squared_norm(x[v] - exact[v]);
      moved += squared_norm(exact[v] - body.mesh.positions[v]);
    }
  }
  EXPECT_LT(std::sqrt(squared), 0.05 * std::sqrt(moved));
}

TEST(LearnSkinning, DeterministicForAnyNumberOfThreads) {
  expect_same_bits([] {
    Learner learner;
    const SkinningExamples examples = learner.examples();
    std::vector<double> numbers = learn_skinning(learner.scene, examples, learner.settings).weights.value;
    for (const Vec3& x : examples.positions) numbers.insert(numbers.end(), {x.x, x.y, x.z});
    return numbers;
  });
}

TEST(SkinningExamples, StopWhenAsked) {
  const Learner learner;
  int reports = 0;
  EXPECT_THROW(learner.examples([&](const ProgressReport&) { return ++reports < 4; }), Stopped);
  EXPECT_EQ(reports, 4);
}

// The map is learned again exactly if something changed that it depends on; kept or not, the scene is the same.
TEST(SkinningExamples, AreMadeAgainOnlyWhereTheyMust) {
  const Learner learner;
  RigSpaceMethod method;
  method.values = learner.settings;
  const CookInput input{learner.character, {}, false, {1, 1}};
  CookCache cache;
  const auto learned = [&](const CookInput& now) {
    const Scene scene = cook(method, now, cache);
    EXPECT_EQ(scene.fingerprint, cook(method, {now.character}).fingerprint);
    return std::any_of(scene.report.stages.begin(), scene.report.stages.end(),
                       [](const StageReport& stage) { return stage.name == "learn"; });
  };
  EXPECT_TRUE(learned(input));
  method.values.look = Look::lively;
  method.values.damping = 0.3;
  EXPECT_FALSE(learned(input));
  EXPECT_TRUE(learned({learner.character, {}, false, {1, 2}}));
  method.values.poses = 14;
  EXPECT_TRUE(learned({learner.character, {}, false, {1, 2}}));
  EXPECT_TRUE(learned({learner.character}));
}

}  // namespace
}  // namespace sinew
