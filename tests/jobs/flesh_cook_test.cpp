// What the incremental preparation keeps changes no bit of what it makes.
#include "sinew/jobs/flesh_cook.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "sinew/character/simulation_surface.h"
#include "sinew/jobs/open_character.h"
#include "sinew/session/session.h"
#include "tests/jobs/files.h"

namespace sinew {
namespace {

Character tube() { return open_rigged_character(test::sample_file("tube.glb")).character; }

MethodChoice quick_flesh() {
  MethodChoice choice;
  choice.settings.tetrahedra = 600;
  return choice;
}

// Paints the stiffness of every vertex, a little softer from one to the next.
void paint(Character& character) {
  for (Part& part : character.parts) {
    part.stiffness.assign(part.surface.positions.size(), 1.0);
    for (std::size_t v = 0; v < part.stiffness.size(); ++v) part.stiffness[v] = 1 / (1 + 1e-3 * static_cast<double>(v));
  }
}

// The surface in `frames` steps of the first clip.
std::vector<Vec3> played(const Character& character, const Scene& scene, int frames) {
  Session session(character, scene, whole(character.clips[0], true));
  std::vector<Vec3> all, surface(scene.surface->rest.positions.size());
  for (int k = 0; k < frames; ++k) {
    session.step();
    session.surface(surface);
    all.insert(all.end(), surface.begin(), surface.end());
  }
  return all;
}

void expect_equal(const Character& character, const PreparedMethod& kept, const PreparedMethod& fresh) {
  EXPECT_EQ(kept.scene.fingerprint, fresh.scene.fingerprint);
  EXPECT_EQ(kept.report.settings, fresh.report.settings);
  EXPECT_EQ(kept.report.warnings, fresh.report.warnings);
  EXPECT_EQ(kept.report.free_unknowns, fresh.report.free_unknowns);
  EXPECT_EQ(played(character, kept.scene, 100), played(character, fresh.scene, 100));
}

TEST(FleshCook, PreparesTheSameWhateverItPreparedBefore) {
  using Change = FleshCook::Change;
  struct Step {
    const char* what;
    std::function<void(MethodChoice&)> set;
    Recooks level;  // what it takes
  };
  const std::vector<Step> steps{
      {"look", [](MethodChoice& c) { c.settings.look = Look::lively; }, Recooks::stiffness},
      {"damping", [](MethodChoice& c) { c.settings.damping = 0.6; }, Recooks::stiffness},
      {"a lattice", [](MethodChoice& c) { c.settings.lattice.file = auto_lattice, c.settings.lattice.cells = 60; },
       Recooks::body},
      {"its look", [](MethodChoice& c) { c.settings.look = Look::subtle; }, Recooks::stiffness},
      {"other cells", [](MethodChoice& c) { c.settings.lattice.cells = 40; }, Recooks::body},
      {"tetrahedra again", [](MethodChoice& c) { c.settings.lattice = {}; }, Recooks::body},
      {"more of them", [](MethodChoice& c) { c.settings.tetrahedra = 900; }, Recooks::everything}};
  Character character = tube();
  MethodChoice choice = quick_flesh();
  FleshCook cook;
  EXPECT_EQ(cook.needed(choice, Change::nothing), Recooks::everything);
  cook.prepare(choice, character, Change::everything);
  EXPECT_EQ(cook.needed(choice, Change::nothing), Recooks::nothing);
  EXPECT_EQ(cook.needed(choice, Change::paint), Recooks::body);
  for (const Step& step : steps) {
    SCOPED_TRACE(step.what);
    step.set(choice);
    EXPECT_EQ(cook.needed(choice, Change::nothing), step.level);
    expect_equal(character, cook.prepare(choice, character, Change::nothing),
                 FleshCook().prepare(choice, character, Change::everything));
    EXPECT_FALSE(cook.needs_lattice(choice));
  }
  SCOPED_TRACE("paint");
  paint(character);
  expect_equal(character, cook.prepare(choice, character, Change::paint),
               FleshCook().prepare(choice, character, Change::everything));
}

TEST(FleshCook, GoesOnAfterAStop) {
  const Character character = tube();
  MethodChoice choice = quick_flesh();
  FleshCook cook;
  cook.prepare(choice, character, FleshCook::Change::everything);
  choice.settings.core = 0.2;
  EXPECT_THROW(cook.prepare(choice, character, FleshCook::Change::nothing, [](const ProgressReport&) { return false; }),
               Stopped);
  expect_equal(character, cook.prepare(choice, character, FleshCook::Change::nothing),
               FleshCook().prepare(choice, character, FleshCook::Change::everything));
}

}  // namespace
}  // namespace sinew
