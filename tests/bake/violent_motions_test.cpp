// Whatever a character is put through, nothing of it is seen inside out, and its flesh is at rest again about as soon
// as after a hop: what limits it acts on the state, not on what is shown.
#include "tests/bake/violent_motions.h"
#include "tests/cook/light_methods.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "sinew/bake/quality.h"
#include "sinew/cook/lattice/build_lattice.h"
#include "sinew/cook/lattice/prepare_lattice.h"
#include "sinew/deform/springs/springs_method.h"
#include "tests/bake/bake_cooked.h"
#include "tests/bake/surface_models.h"
#include "tests/bake/tube_character.h"

namespace sinew {
namespace {

using namespace test;

constexpr int root = 1;
constexpr double watched_for = 4, at_rest = 1e-4;  // seconds after the motion; share of the height

// A method on a character, made ready.
struct Kind {
  const char* name;
  Scene (*scene)(const Character& character);
  // Whether no triangle may face away from the rig's. Elastic flesh may where the rig mirrors it, whose shape is that
  // at rest; learned models and springs have nothing that would hinder it.
  bool keeps_its_sides = false;
};

template <Reference reference>
Scene tetrahedra(const Character& character) {
  FleshSettings settings = look_settings(reference);
  settings.tetrahedra = 700;
  return flesh_scene(std::make_shared<const CookedFlesh>(prepare_flesh(character, settings)), settings);
}

template <Reference reference, SubdivisionScheme basis, int levels>
Scene lattice(const Character& character) {
  FleshSettings settings = look_settings(reference);
  settings.tetrahedra = 700;
  settings.lattice.file = auto_lattice;
  settings.lattice.cells = 40;
  settings.lattice.basis = basis;
  settings.lattice.levels = levels;
  const auto cooked = std::make_shared<CookedFlesh>(prepare_flesh(character, settings));
  cooked->lattice =
      prepare_lattice(*cooked, build_lattice(character, cooked->surface, {settings.lattice.cells}).lattice, settings);
  return flesh_scene(cooked, settings);
}

Scene springs_on_joints(const Character& character) { return test::light_scene(character, "springs"); }

class ViolentMotions : public ::testing::TestWithParam<Kind> {
 protected:
  ViolentMotions() : character_(tube_character()), scene_(GetParam().scene(character_)) {}

  // Seconds from the motion's end until no vertex is displaced by more than next to nothing.
  double seconds_to_rest(const Clip& clip) {
    character_.clips = {clip};
    const BakeResult result = bake(character_, scene_, nullptr, options_for(0, 60));
    if (GetParam().keeps_its_sides) {
      EXPECT_EQ(measure_quality(character_, result.recording).flips, 0) << clip.name;
    }
    const std::vector<float>& d = values(result);
    const std::size_t frames = result.recording.times.size(), width = d.size() / frames;
    for (std::size_t f = frames; f-- > 0;)
      for (std::size_t k = f * width; k < (f + 1) * width; ++k)
        if (std::abs(d[k]) > at_rest * scene_.height) return std::max(0.0, result.recording.times[f] - violence_ends);
    return 0;
  }

  Character character_;
  Scene scene_;
};

TEST_P(ViolentMotions, LeaveFleshThatComesToRest) {
  const double height = scene_.height, end = violence_ends + watched_for;
  const double after_a_hop = seconds_to_rest(hop(character_, root, height, end));
  EXPECT_GT(after_a_hop, 0.3);
  ASSERT_LT(1.5 * after_a_hop, watched_for - 0.1);
  for (const Clip& clip : violent_motions(character_, root, height, end))
    EXPECT_LE(seconds_to_rest(clip), 1.5 * after_a_hop) << clip.name;
}

INSTANTIATE_TEST_SUITE_P(
    Flesh, ViolentMotions,
    ::testing::Values(Kind{"Rig", tetrahedra<Reference::rig>, true}, Kind{"Elastic", tetrahedra<Reference::elastic>},
                      Kind{"Lattice", lattice<Reference::rig, SubdivisionScheme::trilinear, 1>, true},
                      Kind{"SmoothLattice", lattice<Reference::rig, SubdivisionScheme::mlca, 1>, true},
                      Kind{"TwoLevels", lattice<Reference::rig, SubdivisionScheme::trilinear, 2>, true},
                      Kind{"ElasticLattice", lattice<Reference::elastic, SubdivisionScheme::trilinear, 1>},
                      Kind{"SurfaceModel", jiggling_surface_model}, Kind{"Springs", springs_on_joints}),
    [](const auto& motion) { return motion.param.name; });

// Where nothing is thrown out of reach, there is no reach: to the bit.
TEST(Reach, LeavesWhatIsWithinItAlone) {
  const Character character = tube_character();
  for (const Reference reference : {Reference::rig, Reference::elastic}) {
    const FleshSettings settings = look_settings(reference);
    CookedFlesh scene = prepare_flesh(character, settings);
    BakeOptions options = options_for(0);
    options.end = 0.5;
    FleshDynamics dynamics = scene.body->dynamics;
    ASSERT_TRUE(std::isfinite(dynamics.reach));
    const BakeResult within = bake_flesh(character, scene, settings, options);
    dynamics.reach = std::numeric_limits<double>::infinity();
    std::const_pointer_cast<FleshBody>(scene.body)->dynamics = dynamics;
    EXPECT_EQ(values(within), values(bake_flesh(character, scene, settings, options)));
  }
}

}  // namespace
}  // namespace sinew
