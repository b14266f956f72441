// What the incremental preparation keeps changes no bit of what it makes.
#include "sinew/cook/flesh/flesh_cook.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sinew/character/simulation_surface.h"
#include "sinew/jobs/open_character.h"
#include "sinew/session/session.h"
#include "sinew/shape/presets.h"
#include "sinew/shape/shape_rig_json.h"
#include "tests/jobs/files.h"

namespace sinew {
namespace {

Character cooked_tube() { return open_rigged_character(test::sample_file("tube.glb")).character; }

FleshSettings quick_flesh() {
  FleshSettings settings;
  settings.tetrahedra = 300;
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
  EXPECT_EQ(played(character, kept, 25), played(character, fresh, 25));
}

CookInput known(const Character& character, std::uint64_t skin, std::uint64_t paint) {
  return {character, {}, false, {skin, paint}};
}

// The preparation that keeps the fewest stages, by its reports.
enum class Stages { last, body, all };
Stages stages_of(const Scene& scene) {
  Stages result = Stages::last;
  for (const StageReport& stage : scene.report.stages) {
    if (stage.name == "bind") result = std::max(result, Stages::body);
    if (stage.name == "volume") result = Stages::all;
  }
  return result;
}

bool built_lattice(const Scene& scene) {
  return std::any_of(scene.report.stages.begin(), scene.report.stages.end(),
                     [](const StageReport& stage) { return stage.name == "lattice"; });
}

TEST(FleshCook, PreparesTheSameWhateverItPreparedBefore) {
  struct Step {
    const char* what;
    std::function<void(FleshSettings&)> set;
    Stages stages;  // that it takes
    bool lattice = false;
  };
  const std::vector<Step> steps{
      {"look", [](FleshSettings& s) { s.look = Look::lively; }, Stages::last},
      {"damping", [](FleshSettings& s) { s.damping = 0.6; }, Stages::last},
      {"a lattice", [](FleshSettings& s) { s.lattice.file = auto_lattice, s.lattice.cells = 40; }, Stages::body, true},
      {"its look", [](FleshSettings& s) { s.look = Look::subtle; }, Stages::last},
      {"tetrahedra again", [](FleshSettings& s) { s.lattice = {}; }, Stages::body},
      {"the lattice again", [](FleshSettings& s) { s.lattice.file = auto_lattice, s.lattice.cells = 40; },
       Stages::body},
      {"more tetrahedra", [](FleshSettings& s) { s.tetrahedra = 450; }, Stages::all},
      {"without a lattice", [](FleshSettings& s) { s.lattice = {}; }, Stages::body}};
  Character character = cooked_tube();
  FleshSettings settings = quick_flesh();
  FleshCook cook;
  EXPECT_FALSE(cook.is_quick(settings, known(character, 1, 1)));
  cook.prepare(settings, known(character, 1, 1));
  EXPECT_TRUE(cook.is_quick(settings, known(character, 1, 1)));
  for (const Step& step : steps) {
    SCOPED_TRACE(step.what);
    step.set(settings);
    EXPECT_EQ(cook.is_quick(settings, known(character, 1, 1)), step.stages == Stages::last);
    EXPECT_EQ(cook.needs_lattice(settings, known(character, 1, 1)), step.lattice);
    const Scene scene = cook.prepare(settings, known(character, 1, 1));
    EXPECT_EQ(stages_of(scene), step.stages);
    EXPECT_EQ(built_lattice(scene), step.lattice);
    expect_equal(character, scene, FleshCook().prepare(settings, {character}));
  }
  SCOPED_TRACE("paint");
  paint(character);
  EXPECT_FALSE(cook.is_quick(settings, known(character, 1, 2)));
  const Scene painted = cook.prepare(settings, known(character, 1, 2));
  EXPECT_EQ(stages_of(painted), Stages::body);
  expect_equal(character, painted, FleshCook().prepare(settings, {character}));
}

TEST(FleshCook, ReusesNothingOfAnotherOrAnUnknownCharacter) {
  const Character character = cooked_tube();
  const FleshSettings settings = quick_flesh();
  FleshCook cook;
  cook.prepare(settings, known(character, 1, 1));
  EXPECT_EQ(stages_of(cook.prepare(settings, known(character, 2, 1))), Stages::all);
  EXPECT_EQ(stages_of(cook.prepare(settings, known(character, 2, 1))), Stages::last);
  EXPECT_FALSE(cook.is_quick(settings, {character}));
  EXPECT_EQ(stages_of(cook.prepare(settings, {character})), Stages::all);
  EXPECT_EQ(stages_of(cook.prepare(settings, {character})), Stages::all);
}

// A bump on the tube, by displacement, held by its control at 1.
FleshSettings with_bump(FleshSettings settings, const Character& character, double radius, double displacement) {
  const SimulationSurface surface = simulation_surface(character);
  ShapeFile file{"shapes", shaped_character(character.file, surface), {{"push", 0, {}, false}}, {}};
  ShapeRig rig = template_on_skin("bump", "push", surface.rest.positions[surface.rest.positions.size() / 2], surface);
  for (ShapeSample& sample : rig.samples) sample.eta[find_parameter(parameters_of(rig), "radius")] = radius;
  rig.samples[1].eta[amplitude_parameter] = displacement;
  file.rigs = {rig};
  settings.shapes = shape_json(file);
  settings.control = {"push=1"};
  return settings;
}

TEST(FleshCook, CooksOnlyRigsThatWereEdited) {
  const Character character = cooked_tube();
  const double size = longest_side(simulation_surface(character));
  FleshCook cook;
  cook.prepare(quick_flesh(), known(character, 1, 1));
  for (const double radius : {0.1, 0.12}) {
    const FleshSettings settings = with_bump(quick_flesh(), character, radius * size, 0.02 * size);
    EXPECT_TRUE(cook.needs_rigs(settings, known(character, 1, 1)));
    const Scene scene = cook.prepare(settings, known(character, 1, 1));
    EXPECT_FALSE(cook.needs_rigs(settings, known(character, 1, 1)));
    EXPECT_EQ(stages_of(scene), Stages::last);
    expect_equal(character, scene, FleshCook().prepare(settings, {character}));
  }
  FleshSettings lively = with_bump(quick_flesh(), character, 0.12 * size, 0.02 * size);
  lively.look = Look::lively;
  EXPECT_TRUE(cook.needs_rigs(lively, known(character, 1, 1))) << "softer flesh takes other forces";
  expect_equal(character, cook.prepare(lively, known(character, 1, 1)), FleshCook().prepare(lively, {character}));
}

TEST(FleshCook, RoughRigsMoveTheSkinAboutAsFarAndAreCookedAgain) {
  const Character character = cooked_tube();
  const double size = longest_side(simulation_surface(character));
  const auto pushed = [&](const Scene& scene) {
    std::vector<PointForce> forces;
    std::vector<PointDisplacement> shown;
    std::vector<PointStiffening> stiffening;
    scene.shapes->find(sample(character.skeleton, nullptr, 0), 0, {}, forces, shown, stiffening);
    double sum = 0;
    for (const PointForce& each : forces) sum += norm(each.force);
    return sum;
  };
  FleshCook cook;
  cook.prepare(with_bump(quick_flesh(), character, 0.1 * size, 0.02 * size), known(character, 1, 1));
  const FleshSettings next = with_bump(quick_flesh(), character, 0.1 * size, 0.025 * size);
  const Scene rough = cook.prepare(next, known(character, 1, 1), {}, true);
  EXPECT_TRUE(cook.needs_rigs(next, known(character, 1, 1)));
  const Scene exact = cook.prepare(next, known(character, 1, 1));
  EXPECT_NE(pushed(rough), pushed(exact));
  EXPECT_NEAR(pushed(rough) / pushed(exact), 1, 0.15);
}

TEST(FleshCook, GoesOnAfterAStop) {
  Character character = cooked_tube();
  FleshSettings settings = quick_flesh();
  FleshCook cook;
  cook.prepare(settings, known(character, 1, 1));
  const FleshSettings before = settings;
  settings.core = 0.2;
  EXPECT_THROW(cook.prepare(settings, known(character, 1, 1), [](const ProgressReport&) { return false; }), Stopped);
  EXPECT_TRUE(cook.is_quick(before, known(character, 1, 1)));  // what was there still is
  expect_equal(character, cook.prepare(settings, known(character, 1, 1)), FleshCook().prepare(settings, {character}));
  paint(character);
  EXPECT_THROW(cook.prepare(settings, known(character, 1, 2), [](const ProgressReport&) { return false; }), Stopped);
  expect_equal(character, cook.prepare(settings, known(character, 1, 2)), FleshCook().prepare(settings, {character}));
}

}  // namespace
}  // namespace sinew
