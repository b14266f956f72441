// Flesh that is cooked again from its base is what preparing it anew makes, to the bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "sinew/base/error.h"
#include "sinew/cook/cook.h"
#include "sinew/cook/flesh/flesh_method.h"
#include "sinew/cook/lattice/build_lattice.h"
#include "sinew/cook/lattice/prepare_lattice.h"
#include "tests/bake/tube_character.h"
#include "tests/base/refusal.h"

namespace sinew {
namespace {

using namespace test;

void expect_same(const CookedFlesh& a, const CookedFlesh& b, const char* what) {
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
    const FleshSettings settings = look_settings(reference);
    const FleshBase base = prepare_flesh_base(character, settings);
    const auto check = [&](const char* what, const auto& change) {
      FleshSettings changed = settings;
      change(changed);
      const CookedFlesh again = cook_flesh(base, changed);
      expect_same(again, prepare_flesh(character, changed), what);
      return again;
    };
    const CookedFlesh plain = check("nothing", [](FleshSettings&) {});
    const CookedFlesh lively = check("look", [](FleshSettings& s) { s.look = Look::lively; });
    EXPECT_LT(lively.material.young, plain.material.young);
    check("young", [](FleshSettings& s) { s.young = 3e4; });
    check("damping", [](FleshSettings& s) { s.damping = 0.7; });
    check("step", [](FleshSettings& s) { s.step = 1.0 / 480; });
    check("gravity_in_rest", [](FleshSettings& s) { s.gravity_in_rest = GravityInRest::off; });
    check("limit", [](FleshSettings& s) { s.limit = 0.1; });
  }
}

void expect_same(const LatticeBody& a, const LatticeBody& b, const char* what) {
  const auto same = [&](const auto& x, const auto& y) { EXPECT_TRUE(x == y) << what; };
  same(a.description.cells.stiffness, b.description.cells.stiffness);
  same(a.description.cells.hold, b.description.cells.hold);
  same(a.description.cells.mass, b.description.cells.mass);
  same(a.description.samples.shear, b.description.samples.shear);
  same(a.description.surface_limit, b.description.surface_limit);
  same(a.description.mass_damping, b.description.mass_damping);
  same(a.description.stiffness_damping, b.description.stiffness_damping);
  same(a.run.adaptation.threshold, b.run.adaptation.threshold);
  same(a.dynamics.gravity, b.dynamics.gravity);
  same(a.stiffness, b.stiffness);
  same(a.hold.value, b.hold.value);
  const auto same_solutions = [&](const BlockCholesky& one, const BlockCholesky& other) {
    std::vector<double> load(3 * static_cast<std::size_t>(one.rows())), x(load.size()), y(load.size());
    for (std::size_t k = 0; k < load.size(); ++k) load[k] = static_cast<double>(k % 7) - 3;
    one.solve(load, x);
    other.solve(load, y);
    same(x, y);
  };
  same_solutions(a.factor, b.factor);
  same_solutions(a.systems->static_factor, b.systems->static_factor);
}

TEST(CookAgain, IsThatOfTheSettingsToTheBitInALattice) {
  const Character character = tube_character();
  const ControlLattice lattice = build_lattice(character, simulation_surface(character), {60}).lattice;
  for (const int levels : {1, 2}) {
    const Reference reference = levels == 1 ? Reference::rig : Reference::elastic;
    FleshSettings settings = look_settings(reference);
    settings.lattice.file = auto_lattice;
    settings.lattice.levels = levels;
    if (reference == Reference::elastic) settings.lattice.linearization = Linearization::none;
    const FleshBase base = prepare_flesh_base(character, settings);
    // Of a scene with a look of its own: that must not matter.
    FleshSettings first = settings;
    first.look = Look::subtle;
    const LatticeBase lattice_base = prepare_lattice_base(cook_flesh(base, first), lattice, first);
    const auto check = [&](const char* what, const auto& change) {
      FleshSettings changed = settings;
      change(changed);
      const auto again = cook_lattice_flesh(lattice_base, cook_flesh(base, changed), changed);
      expect_same(*again, *prepare_lattice(prepare_flesh(character, changed), lattice, changed), what);
      return again->description.cells.stiffness[0](0, 0);
    };
    const double plain = check("nothing", [](FleshSettings&) {});
    EXPECT_LT(check("look", [](FleshSettings& s) { s.look = Look::lively; }), plain);
    check("young", [](FleshSettings& s) { s.young = 3e4; });
    check("damping", [](FleshSettings& s) { s.damping = 0.7; });
    check("step", [](FleshSettings& s) { s.step = 1.0 / 480; });
    check("gravity", [](FleshSettings& s) { s.gravity.y = -20; });
    check("limit", [](FleshSettings& s) { s.limit = 0.1; });
    if (levels > 1) check("adapt", [](FleshSettings& s) { s.lattice.adapt = 0.05; });
    FleshSettings other = settings;
    other.lattice.basis = SubdivisionScheme::mlca;
    EXPECT_NE(
        test::refusal(ErrorKind::usage, [&] { cook_lattice_flesh(lattice_base, cook_flesh(base, settings), other); })
            .find("the body itself"),
        std::string::npos);
  }
}

// Paint on a part's lower half.
Character painted(Character character, double stiffness, double damping) {
  for (Part& part : character.parts) {
    const std::size_t half = part.surface.positions.size() / 2;
    part.fields[field("stiffness")].assign(part.surface.positions.size(), 1.0);
    std::fill_n(part.fields[field("stiffness")].begin(), half, stiffness);
    if (damping == 1) continue;
    part.fields[field("damping")].assign(part.surface.positions.size(), 1.0);
    std::fill_n(part.fields[field("damping")].begin(), half, damping);
  }
  return character;
}

TEST(CookAgain, StrokesOfPaintAreThoseOfPaintedCharactersToTheBit) {
  const Character character = tube_character();
  for (const Reference reference : {Reference::rig, Reference::elastic}) {
    const FleshSettings settings = look_settings(reference);
    const FleshBase plain = prepare_flesh_base(character, settings);
    FleshBase base = change_flesh_base(plain, character, settings);  // and each from the one before
    expect_same(cook_flesh(base, settings), prepare_flesh(character, settings), "nothing");
    const auto check = [&](const char* what, const Character& now, const auto& change) {
      FleshSettings changed = settings;
      change(changed);
      base = change_flesh_base(base, now, changed);
      const CookedFlesh again = cook_flesh(base, changed), anew = prepare_flesh(now, changed);
      expect_same(again, anew, what);
      EXPECT_TRUE(again.stiffness_multiplier == anew.stiffness_multiplier) << what;
      EXPECT_TRUE(again.body->damping.block == anew.body->damping.block) << what;
      EXPECT_TRUE(again.body->description.damping == anew.body->description.damping) << what;
      return again.body->stiffness.block[0](0, 0);
    };
    const auto nothing = [](FleshSettings&) {};
    EXPECT_NE(check("stiffness", painted(character, 0.3, 1), nothing),
              cook_flesh(plain, settings).body->stiffness.block[0](0, 0));
    check("damping", painted(character, 3, 0.2), nothing);
    check("joints", painted(character, 3, 0.2), [](FleshSettings& s) { s.joints = {{"*", 2, 0.5, {}}}; });
    check("cores of joints", character, [](FleshSettings& s) { s.joints = {{"*", 1, 1, 0.3}}; });
    check("core", character, [](FleshSettings& s) { s.core = 0.2; });
    check("hold", character, [](FleshSettings& s) { s.bone_hold = 1; });
    check("density", character, [](FleshSettings& s) { s.density = 900, s.poisson = 0.3; });
    check("element", character, [](FleshSettings& s) { s.element = Element::linear; });
    check("reference", character,
          [&](FleshSettings& s) { s.reference = reference == Reference::rig ? Reference::elastic : Reference::rig; });
    check("nothing again", character, nothing);
  }
}

// Motion that was added changes how soft the flesh is, in the tetrahedra that are there.
TEST(CookAgain, OtherClipsAreThoseOfTheirCharacterToTheBit) {
  const Character character = tube_character();
  Character other = character;
  Clip faster = character.clips.at(0);
  faster.name = "faster";
  for (Channel& channel : faster.channels)
    for (double& time : channel.times) time /= 2;
  faster.end /= 2;
  other.clips.push_back(faster);
  const FleshSettings settings = look_settings();
  const FleshBase base = prepare_flesh_base(character, settings);
  expect_same(cook_flesh(change_flesh_base(base, other, settings, {}, false), settings), prepare_flesh(other, settings),
              "other clips");
  CookCache cache;
  FleshMethod flesh;
  flesh.values = settings;
  const auto cooked = [&](const Character& now, std::uint64_t clips) {
    return cook(flesh, {now, {0}, false, {1, 1, clips}}, cache).fingerprint;
  };
  const auto first = cooked(character, 1), second = cooked(other, 2);
  EXPECT_EQ(second, cook(flesh, {other, {0}}).fingerprint);
  EXPECT_NE(first, second);
  EXPECT_EQ(cooked(character, 3), first);
}

TEST(CookAgain, OtherBodiesAreRefused) {
  const Character character = tube_character();
  const FleshSettings settings = look_settings();
  const FleshBase base = prepare_flesh_base(character, settings);
  FleshSettings changed = settings;
  changed.core = 0.2;
  EXPECT_NE(test::refusal(ErrorKind::usage, [&] { cook_flesh(base, changed); }).find("the body itself"),
            std::string::npos);
  changed = settings;
  changed.tetrahedra = 500;
  EXPECT_NE(test::refusal(ErrorKind::usage, [&] { change_flesh_base(base, character, changed); }).find("tetrahedra"),
            std::string::npos);
  Character moved = character;
  moved.parts[0].surface.positions[0].x += 0.01;
  EXPECT_NE(test::refusal(ErrorKind::usage, [&] { change_flesh_base(base, moved, settings); }).find("another surface"),
            std::string::npos);
}

}  // namespace
}  // namespace sinew
