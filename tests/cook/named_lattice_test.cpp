// Automatic lattices from an origin that is kept between cooks.
#include "sinew/cook/lattice/named_lattice.h"

#include <gtest/gtest.h>

#include "tests/bake/tube_character.h"

namespace sinew {
namespace {

void expect_same_lattice(const ControlLattice& a, const ControlLattice& b) {
  EXPECT_EQ(a.positions, b.positions);
  ASSERT_EQ(a.bones.size(), b.bones.size());
  for (std::size_t k = 0; k < a.bones.size(); ++k) EXPECT_EQ(a.bones[k].vertices, b.bones[k].vertices);
}

TEST(NamedLattice, FromAKeptOriginIsTheSameToTheBit) {
  const Character character = test::tube_character();
  const SimulationSurface surface = simulation_surface(character);
  LatticeDiscretization settings;
  settings.file = auto_lattice;
  KeptOrigin kept;
  const LatticeOrigin* origin = nullptr;
  for (const int cells : {60, 90}) {
    settings.cells = cells;
    const NamedLattice again = named_lattice(settings, character, surface, kept, 7);
    expect_same_lattice(*again.lattice, *named_lattice(settings, character, surface).lattice);
    if (origin) {
      EXPECT_EQ(origin, kept.stage.last());
    }
    origin = kept.stage.last();
  }
}

TEST(NamedLattice, AnotherSkinOrFinerLatticeHasAnOriginOfItsOwn) {
  Character character = test::tube_character();
  KeptOrigin kept;
  const auto vertices = [&](int cells, std::uint64_t skin) {
    return kept.of(character, simulation_surface(character), cells, skin, {}).mesh.mesh.positions;
  };
  const std::vector<Vec3> first = vertices(60, 1);
  for (Part& part : character.parts)
    for (Vec3& p : part.surface.positions) p.x *= 1.25;
  EXPECT_EQ(vertices(60, 1), first);  // the revision says that nothing changed
  const std::vector<Vec3> wider = vertices(60, 2);
  EXPECT_NE(wider, first);
  EXPECT_GT(vertices(500, 2).size(), wider.size());
  EXPECT_EQ(vertices(60, 0), wider);
}

}  // namespace
}  // namespace sinew
