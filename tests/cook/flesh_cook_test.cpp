// What the incremental preparation keeps changes no bit of what it makes.
#include "sinew/cook/flesh/flesh_cook.h"

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

Character cooked_tube() { return open_rigged_character(test::sample_file("tube.glb")).character; }

FleshSettings quick_flesh() {
  FleshSettings settings;
  settings.tetrahedra = 600;
  return settings;
}

// Paints the stiffness of every vertex, a little softer from one to the next.
void paint(Character& character) {
  for (Part& part : character.parts) {
    part.fields[field("stiffness")].assign(part.surface.positions.size(), 1.0);
    for (std::size_t v = 0; v < part.fields[field("stiffness")].size(); ++v)
      part.fields[field("stiffness")][v] = 1 / (1 + 1e-3 * static_cast<double>(v));
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

void expect_equal(const Character& character, const Scene& kept, const Scene& fresh) {
  EXPECT_EQ(kept.fingerprint, fresh.fingerprint);
  EXPECT_EQ(kept.report.settings, fresh.report.settings);
  EXPECT_EQ(kept.report.warnings, fresh.report.warnings);
  EXPECT_EQ(kept.report.free_unknowns, fresh.report.free_unknowns);
  EXPECT_EQ(played(character, kept, 100), played(character, fresh, 100));
}

TEST(FleshCook, PreparesTheSameWhateverItPreparedBefore) {
  using Change = FleshCook::Change;
  struct Step {
    const char* what;
    std::function<void(FleshSettings&)> set;
    Recooks level;  // what it takes
  };
  const std::vector<Step> steps{
      {"look", [](FleshSettings& s) { s.look = Look::lively; }, Recooks::stiffness},
      {"damping", [](FleshSettings& s) { s.damping = 0.6; }, Recooks::stiffness},
      {"a lattice", [](FleshSettings& s) { s.lattice.file = auto_lattice, s.lattice.cells = 60; }, Recooks::body},
      {"its look", [](FleshSettings& s) { s.look = Look::subtle; }, Recooks::stiffness},
      {"other cells", [](FleshSettings& s) { s.lattice.cells = 40; }, Recooks::body},
      {"tetrahedra again", [](FleshSettings& s) { s.lattice = {}; }, Recooks::body},
      {"more of them", [](FleshSettings& s) { s.tetrahedra = 900; }, Recooks::everything}};
  Character character = cooked_tube();
  FleshSettings settings = quick_flesh();
  FleshCook cook;
  EXPECT_EQ(cook.needed(settings, false, Change::nothing), Recooks::everything);
  cook.prepare(settings, false, character, Change::everything);
  EXPECT_EQ(cook.needed(settings, false, Change::nothing), Recooks::nothing);
  EXPECT_EQ(cook.needed(settings, false, Change::paint), Recooks::body);
  for (const Step& step : steps) {
    SCOPED_TRACE(step.what);
    step.set(settings);
    EXPECT_EQ(cook.needed(settings, false, Change::nothing), step.level);
    expect_equal(character, cook.prepare(settings, false, character, Change::nothing),
                 FleshCook().prepare(settings, false, character, Change::everything));
    EXPECT_FALSE(cook.needs_lattice(settings, false));
  }
  SCOPED_TRACE("paint");
  paint(character);
  expect_equal(character, cook.prepare(settings, false, character, Change::paint),
               FleshCook().prepare(settings, false, character, Change::everything));
}

TEST(FleshCook, GoesOnAfterAStop) {
  const Character character = cooked_tube();
  FleshSettings settings = quick_flesh();
  FleshCook cook;
  cook.prepare(settings, false, character, FleshCook::Change::everything);
  settings.core = 0.2;
  EXPECT_THROW(
      cook.prepare(settings, false, character, FleshCook::Change::nothing, [](const ProgressReport&) { return false; }),
      Stopped);
  expect_equal(character, cook.prepare(settings, false, character, FleshCook::Change::nothing),
               FleshCook().prepare(settings, false, character, FleshCook::Change::everything));
}

}  // namespace
}  // namespace sinew
