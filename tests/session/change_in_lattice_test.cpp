// Flesh in a control lattice whose settings change while it moves: cooked again from its base, in a session that goes
// on.
#include <gtest/gtest.h>

#include <memory>

#include "sinew/cook/flesh/flesh_scene.h"
#include "sinew/cook/lattice/build_lattice.h"
#include "sinew/cook/lattice/prepare_lattice.h"
#include "sinew/session/session.h"
#include "tests/bake/tube_character.h"
#include "tests/session/shown_surfaces.h"

namespace sinew {
namespace {

using namespace test;

double energy_of(Session& session) {
  Moment moment;
  session.moment_at(session.displayed_time(), moment);
  return session.measure(moment).energy;
}

TEST(ChangeInLattice, NothingJumpsAndTheEndIsThatOfTheNewSettings) {
  const Character character = tube_character();
  FleshSettings settings = quick_settings();
  settings.lattice.file = auto_lattice;
  const FleshBase base = prepare_flesh_base(character, settings);
  const LatticeBase lattice = prepare_lattice_base(
      cook_flesh(base, settings), build_lattice(character, base.cooked.surface, {60}).lattice, settings);
  const auto scene_of = [&](double young) {
    FleshSettings changed = settings;
    changed.young = young;
    const auto cooked = std::make_shared<CookedFlesh>(cook_flesh(base, changed));
    cooked->lattice = cook_lattice_flesh(lattice, *cooked, changed);
    return flesh_scene(cooked, changed);
  };
  const Scene soft = scene_of(2e4), hard = scene_of(8e4), same = scene_of(2e4);
  Session session(character, soft), unchanged(character, soft), stiff(character, hard);
  Action poke;
  poke.point = {0.12, 0.9, 0};
  poke.force = {-15, 0, 5};
  poke.radius = 0.1;
  poke.seconds = 0.1;
  const std::vector<Vec3> start = shown(session);
  session.act(poke);
  unchanged.act(poke);
  for (int k = 0; k < 30; ++k) session.step(), unchanged.step();
  const double moved = farthest(shown(session), start);
  EXPECT_GT(moved, 1e-3);

  session.change(same);
  EXPECT_TRUE(shown(session) == shown(unchanged));
  // What was taken over is measured before the next step as it was before.
  const double energy = energy_of(unchanged);
  EXPECT_GT(energy, 0);
  EXPECT_NEAR(energy_of(session), energy, 1e-9 * energy);
  session.step();
  unchanged.step();
  EXPECT_LT(farthest(shown(session), shown(unchanged)), 1e-3 * moved);  // iterations start elsewhere

  const std::vector<Vec3> before = shown(session);
  session.change(hard);
  EXPECT_TRUE(shown(session) == before);
  for (int k = 0; k < 1200; ++k) session.step();
  EXPECT_LT(farthest(shown(session), shown(stiff)), 1e-4 * moved);
}

}  // namespace
}  // namespace sinew
