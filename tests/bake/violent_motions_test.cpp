// Whatever a character is put through, its flesh is at rest again about as soon as after a hop: what limits it acts on
// the state, not on what is shown.
#include "tests/bake/violent_motions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "sinew/bake/bake_cooked.h"
#include "sinew/cook/build_lattice.h"
#include "sinew/cook/prepare_lattice.h"
#include "tests/bake/tube_character.h"

namespace sinew {
namespace {

using namespace test;

constexpr int root = 1;
constexpr double watched_for = 4, at_rest = 1e-4;  // seconds after the motion; share of the height

struct Kind {
  const char* name;
  Reference reference = Reference::rig;
  bool lattice = false;
  SubdivisionScheme basis = SubdivisionScheme::trilinear;
  int levels = 1;
};

class ViolentMotions : public ::testing::TestWithParam<Kind> {
 protected:
  ViolentMotions() : character_(tube_character()), settings_(quick_settings(GetParam().reference)) {
    const Kind& kind = GetParam();
    settings_.tetrahedra = 700;
    if (kind.lattice) settings_.lattice.file = auto_lattice;
    settings_.lattice.cells = 40;
    settings_.lattice.basis = kind.basis;
    settings_.lattice.levels = kind.levels;
    scene_ = prepare_flesh(character_, settings_);
    if (kind.lattice)
      scene_.lattice = prepare_lattice(
          scene_, build_lattice(character_, scene_.surface, {settings_.lattice.cells}).lattice, settings_);
  }

  // Seconds from the motion's end until no vertex is displaced by more than next to nothing.
  double seconds_to_rest(const Clip& clip) {
    character_.clips = {clip};
    const BakeResult result = bake_flesh(character_, scene_, settings_, options_for(0, 60));
    const std::vector<float>& d = values(result);
    const std::size_t frames = result.recording.times.size(), width = d.size() / frames;
    for (std::size_t f = frames; f-- > 0;)
      for (std::size_t k = f * width; k < (f + 1) * width; ++k)
        if (std::abs(d[k]) > at_rest * scene_.height) return std::max(0.0, result.recording.times[f] - violence_ends);
    return 0;
  }

  Character character_;
  FleshSettings settings_;
  FleshScene scene_;
};

TEST_P(ViolentMotions, LeaveFleshThatComesToRest) {
  const double height = scene_.height, end = violence_ends + watched_for;
  const double after_a_hop = seconds_to_rest(hop(character_, root, height, end));
  EXPECT_GT(after_a_hop, 0.5);
  ASSERT_LT(1.5 * after_a_hop, watched_for - 0.1);
  for (const Clip& clip : violent_motions(character_, root, height, end))
    EXPECT_LE(seconds_to_rest(clip), 1.5 * after_a_hop) << clip.name;
}

INSTANTIATE_TEST_SUITE_P(Flesh, ViolentMotions,
                         ::testing::Values(Kind{"Rig"}, Kind{"Elastic", Reference::elastic},
                                           Kind{"Lattice", Reference::rig, true},
                                           Kind{"SmoothLattice", Reference::rig, true, SubdivisionScheme::mlca},
                                           Kind{"TwoLevels", Reference::rig, true, SubdivisionScheme::trilinear, 2},
                                           Kind{"ElasticLattice", Reference::elastic, true}),
                         [](const auto& motion) { return motion.param.name; });

// Where nothing is thrown out of reach, there is no reach: to the bit.
TEST(Reach, LeavesWhatIsWithinItAlone) {
  const Character character = tube_character();
  for (const Reference reference : {Reference::rig, Reference::elastic}) {
    const FleshSettings settings = quick_settings(reference);
    FleshScene scene = prepare_flesh(character, settings);
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
