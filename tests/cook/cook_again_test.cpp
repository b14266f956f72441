// Flesh that is cooked again from its base is what preparing it anew makes, to the bit.
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/cook/prepare.h"
#include "tests/bake/tube_character.h"
#include "tests/base/refusal.h"

namespace sinew {
namespace {

using namespace test;

void expect_same(const FleshScene& a, const FleshScene& b, const char* what) {
  EXPECT_EQ(a.material.young, b.material.young) << what;
  EXPECT_EQ(a.material.sag, b.material.sag) << what;
  EXPECT_TRUE(a.body->stiffness.block == b.body->stiffness.block) << what;
  EXPECT_TRUE(a.body->bone_spring == b.body->bone_spring) << what;
  EXPECT_TRUE(a.body->description.limit == b.body->description.limit) << what;
  std::vector<double> load(3 * a.body->free_vertex.size()), x(load.size()), y(load.size());
  for (std::size_t k = 0; k < load.size(); ++k) load[k] = static_cast<double>(k % 7) - 3;
  a.body->factor.solve(load, x);
  b.body->factor.solve(load, y);
  EXPECT_TRUE(x == y) << what;
  EXPECT_EQ(a.body->static_factor.has_value(), b.body->static_factor.has_value()) << what;
}

TEST(CookAgain, IsThatOfTheSettingsToTheBit) {
  const Character character = tube_character();
  for (const Reference reference : {Reference::rig, Reference::elastic}) {
    const FleshSettings settings = quick_settings(reference);
    const FleshBase base = prepare_flesh_base(character, settings);
    const auto check = [&](const char* what, const auto& change) {
      FleshSettings changed = settings;
      change(changed);
      const FleshScene again = cook_flesh_scene(base, changed);
      expect_same(again, prepare_flesh(character, changed), what);
      return again;
    };
    const FleshScene plain = check("nothing", [](FleshSettings&) {});
    const FleshScene lively = check("look", [](FleshSettings& s) { s.look = Look::lively; });
    EXPECT_LT(lively.material.young, plain.material.young);
    check("young", [](FleshSettings& s) { s.young = 3e4; });
    check("damping", [](FleshSettings& s) { s.damping = 0.7; });
    check("step", [](FleshSettings& s) { s.step = 1.0 / 480; });
    check("gravity_in_rest", [](FleshSettings& s) { s.gravity_in_rest = GravityInRest::off; });
    check("limit", [](FleshSettings& s) { s.limit = 0.1; });
  }
}

TEST(CookAgain, OtherBodiesAreRefused) {
  const Character character = tube_character();
  const FleshSettings settings = quick_settings();
  const FleshBase base = prepare_flesh_base(character, settings);
  FleshSettings changed = settings;
  changed.core = 0.2;
  EXPECT_NE(test::refusal(ErrorKind::usage, [&] { cook_flesh_scene(base, changed); }).find("the body itself"),
            std::string::npos);
}

}  // namespace
}  // namespace sinew
