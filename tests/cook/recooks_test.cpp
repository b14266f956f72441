// What the table of flesh says that a change takes is what the cook does: below each level everything is as it was.
#include <gtest/gtest.h>

#include <string>

#include "sinew/cook/prepare.h"
#include "sinew/deform/settings_fingerprint.h"
#include "sinew/jobs/open_character.h"
#include "tests/deform/changed_setting.h"

namespace sinew {
namespace {

// Of two lists of numbers, the one factor between them; 0 where there is none.
template <class Blocks>
double factor_between(const Blocks& a, const Blocks& b) {
  if (a.size() != b.size()) return 0;
  double largest = 0, factor = 0;
  for (std::size_t k = 0; k < a.size(); ++k)
    for (std::size_t i = 0; i < 3; ++i)
      if (std::abs(a[k](i, i)) > largest) largest = std::abs(a[k](i, i)), factor = b[k](i, i) / a[k](i, i);
  for (std::size_t k = 0; k < a.size(); ++k)
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        if (std::abs(b[k](i, j) - factor * a[k](i, j)) > 1e-9 * factor * largest) return 0;
  return factor;
}

// Every option can be had with these.
FleshSettings base_settings() {
  FleshSettings settings;
  settings.tetrahedra = 100;
  settings.reference = Reference::elastic;
  settings.lattice.levels = 2;
  return settings;
}

TEST(Recooks, SaysWhatAChangeLeavesAsItWas) {
  const Character character = open_character(SINEW_SOURCE_DIR "/samples/tube.glb").character;
  FleshSettings usual = base_settings();
  const Settings before = settings_of(usual);
  const FleshScene first = prepare_flesh(character, usual);
  const FleshBody& a = *first.body;
  int compared = 0;
  for (std::size_t k = 0; k < before.size(); ++k) {
    FleshSettings settings = base_settings();
    const Settings table = settings_of(settings);
    SCOPED_TRACE(table[k].key);
    test::change(table[k]);
    EXPECT_EQ(recooks_between(before, table), table[k].recooks);
    for (JointSettings& joint : settings.joints) joint = {"*", 2, 1, {}};
    // Lattices are cooked from this body, things that need more than a number act on a run alone, and of `everything`
    // nothing is said.
    if (*table[k].section || !first_complaint(table).empty() || table[k].recooks == Recooks::everything) continue;
    ++compared;
    const FleshScene second = prepare_flesh(character, settings);
    const FleshBody& b = *second.body;
    EXPECT_EQ(a.description.mesh.positions, b.description.mesh.positions);
    if (table[k].recooks == Recooks::body) continue;
    EXPECT_EQ(a.mass, b.mass);
    EXPECT_EQ(a.free_vertex, b.free_vertex);
    const double factor = factor_between(a.stiffness.block, b.stiffness.block);
    EXPECT_GT(factor, 0);
    if (table[k].recooks == Recooks::stiffness) continue;
    EXPECT_EQ(factor, 1);
    const bool same_steps = a.description.stiffness_damping == b.description.stiffness_damping &&
                            a.description.mass_damping == b.description.mass_damping &&
                            a.dynamics.step == b.dynamics.step &&
                            a.dynamics.spectral_radius == b.dynamics.spectral_radius;
    EXPECT_TRUE(same_steps || table[k].recooks == Recooks::factor);
  }
  EXPECT_GE(compared, 18);
}

TEST(Recooks, AChangeTakesTheMostOfItsSettings) {
  FleshSettings usual, changed;
  EXPECT_EQ(recooks_between(settings_of(usual), settings_of(changed)), Recooks::nothing);
  changed.damping = 0.2;
  EXPECT_EQ(recooks_between(settings_of(usual), settings_of(changed)), Recooks::factor);
  changed.look = Look::lively;
  EXPECT_EQ(recooks_between(settings_of(usual), settings_of(changed)), Recooks::stiffness);
  changed.tetrahedra = 9000;
  EXPECT_EQ(recooks_between(settings_of(usual), settings_of(changed)), Recooks::everything);
}

}  // namespace
}  // namespace sinew
