// Flesh in a control lattice whose settings change while it moves: cooked again from its base, in a session that goes on.
#include <gtest/gtest.h>

#include <memory>

#include "sinew/cook/build_lattice.h"
#include "sinew/cook/prepare_lattice.h"
#include "sinew/cook/scenes.h"
#include "sinew/session/session.h"
#include "tests/bake/tube_character.h"

namespace sinew {
namespace {

using namespace test;

std::vector<Vec3> surface_of(Session& session) {
  std::vector<Vec3> positions(session.scene().surface->rest.positions.size());
  session.surface(positions);
  return positions;
}

double farthest(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double most = 0;
  for (std::size_t v = 0; v < a.size(); ++v) most = std::max(most, distance(a[v], b[v]));
  return most;
}

TEST(ChangeInLattice, NothingJumpsAndTheEndIsThatOfTheNewSettings) {
  const Character character = tube_character();
  FleshSettings settings = quick_settings();
  settings.lattice.file = auto_lattice;
  const FleshBase base = prepare_flesh_base(character, settings);
  const LatticeBase lattice =
      prepare_lattice_base(cook_flesh_scene(base, settings),
                           build_lattice(character, base.scene.surface, {60}).lattice, settings);
  const auto scene_of = [&](double young) {
    FleshSettings changed = settings;
    changed.young = young;
    const auto cooked = std::make_shared<FleshScene>(cook_flesh_scene(base, changed));
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
  const std::vector<Vec3> start = surface_of(session);
  session.act(poke);
  unchanged.act(poke);
  for (int k = 0; k < 30; ++k) session.step(), unchanged.step();
  const double moved = farthest(surface_of(session), start);
  EXPECT_GT(moved, 1e-3);

  session.change(same);
  EXPECT_TRUE(surface_of(session) == surface_of(unchanged));
  session.step();
  unchanged.step();
  EXPECT_LT(farthest(surface_of(session), surface_of(unchanged)), 1e-3 * moved);  // iterations start elsewhere

  const std::vector<Vec3> before = surface_of(session);
  session.change(hard);
  EXPECT_TRUE(surface_of(session) == before);
  for (int k = 0; k < 1200; ++k) session.step();
  EXPECT_LT(farthest(surface_of(session), surface_of(stiff)), 1e-4 * moved);
}

}  // namespace
}  // namespace sinew
