// The report of weights on a bar with a chain of bones, whose faults are known.
#include "sinew/rigging/weight_report.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "tests/mesh/shapes.h"

namespace sinew {
namespace {

using namespace test;

constexpr int bones = 4;

// An upright bar of height 4 with a joint at each whole height; `height` gives the bones' place for a vertex: 1.5 is
// half of bone 1 and half of bone 2.
Character bar(const std::function<double(const Vec3&)>& height) {
  Character character;
  character.file = "bar.glb";
  Part part;
  part.name = "bar";
  part.surface = upright_tube(80, 24, bones, 0.3);
  part.joint = part.mesh = part.primitive = 0;
  part.skin = 0;
  character.skeleton.joints.resize(1);
  character.skeleton.joints[0].name = "bar";
  character.skeleton.parents_first = {0};
  Skin skin{"rig", {}, {}};
  for (int b = 0; b < bones; ++b) {
    Joint joint;
    joint.name = "bone " + std::to_string(b);
    joint.parent = b == 0 ? -1 : b;
    joint.rest.translation = {0, b == 0 ? 0.0 : 1.0, 0};
    character.skeleton.joints.push_back(joint);
    character.skeleton.parents_first.push_back(b + 1);
    skin.joints.push_back(b + 1);
    skin.inverse_bind.push_back({Mat3::identity(), {0, -double(b), 0}});
  }
  character.skins.push_back(skin);
  for (const Vec3& p : part.surface.positions) {
    const double at = std::clamp(height(p), 0.0, bones - 1.0), upper = at - std::floor(at);
    Influences influences;
    const auto add = [&](int bone, double weight) {
      if (!(weight > 0)) return;
      influences.joint[static_cast<std::size_t>(influences.count)] = bone;
      influences.weight[static_cast<std::size_t>(influences.count++)] = weight;
    };
    const int lower = static_cast<int>(at);
    if (upper > 0.5) {
      add(lower + 1, upper);
      add(lower, 1 - upper);
    } else {
      add(lower, 1 - upper);
      add(lower + 1, upper);
    }
    part.influences.push_back(influences);
  }
  character.parts.push_back(part);
  return character;
}

// Bone k ends at height k + 1, where the weights change over `width`.
double chain(const Vec3& p, double width) {
  const double nearest = std::round(p.y), from = std::clamp((p.y - nearest) / width + 0.5, 0.0, 1.0);
  return nearest - 1 + from;
}

TEST(WeightReport, WideTransitionsAreSound) {
  const Character character = bar([](const Vec3& p) { return chain(p, 1); });
  for (const WeightFault& fault : weight_report(character)) ADD_FAILURE() << weight_fault_sentence(fault);
}

TEST(WeightReport, ASharpTransitionStretchesAndCollapsesThere) {
  const Character character =
      bar([](const Vec3& p) { return chain(p, std::round(p.y) == 2 ? 0.1 : 1); });  // at bone 2 alone
  const std::vector<WeightFault> faults = weight_report(character);
  ASSERT_GE(faults.size(), 2u);
  bool collapses = false, stretches = false;
  for (const WeightFault& fault : faults) {
    EXPECT_EQ(fault.joint, "bone 2") << weight_fault_sentence(fault);
    EXPECT_NEAR(fault.place.y, 2, 0.15);
    EXPECT_NEAR(norm(fault.turn), 60, 1e-9);
    EXPECT_GT(fault.triangles, 3u);
    collapses = collapses || fault.kind == WeightFault::Kind::collapses;
    stretches = stretches || fault.kind == WeightFault::Kind::stretches;
  }
  EXPECT_TRUE(collapses && stretches);
  EXPECT_TRUE(std::is_sorted(faults.begin(), faults.end(),
                             [](const auto& a, const auto& b) { return a.severity > b.severity; }));
  EXPECT_EQ(weight_report(character, 1).size(), 1u);
  set_thread_count(1);
  const std::vector<WeightFault> again = weight_report(character);
  set_thread_count(0);
  ASSERT_EQ(again.size(), faults.size());
  for (std::size_t k = 0; k < faults.size(); ++k) EXPECT_EQ(again[k].severity, faults[k].severity);
}

TEST(WeightReport, SkinThatFollowsAFarBoneIsNamedWithTheNearest) {
  const Character character = bar([](const Vec3& p) { return p.y < 0.4 && p.x > 0.1 ? 3 : chain(p, 1); });
  const std::vector<WeightFault> faults = weight_report(character);
  const auto wrong = std::find_if(faults.begin(), faults.end(),
                                  [](const WeightFault& fault) { return fault.kind == WeightFault::Kind::wrong_bone; });
  ASSERT_NE(wrong, faults.end());
  EXPECT_EQ(wrong->joint, "bone 3");
  EXPECT_EQ(wrong->other, "bone 0");
  EXPECT_LT(wrong->place.y, 0.5);
  EXPECT_NE(weight_fault_sentence(*wrong).find("follows bone 3 but lies at bone 0"), std::string::npos);
}

TEST(WeightReport, WithoutASkinThereIsNone) {
  EXPECT_THROW(weight_report({}), Error);
  Character bare = bar([](const Vec3& p) { return p.y; });
  bare.parts[0].skin = -1;
  EXPECT_THROW(weight_report(bare), Error);
}

}  // namespace
}  // namespace sinew
