// Shapes that are watched while they are edited: how they swing, and pictures of their samples.
#include "sinew/jobs/shape/shape_swing.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/base/error.h"
#include "sinew/cook/cook.h"
#include "sinew/cook/flesh/flesh_method.h"
#include "sinew/jobs/open_character.h"
#include "sinew/jobs/shape/shape_pictures.h"
#include "sinew/shape/presets.h"
#include "sinew/shape/shape_rig_json.h"
#include "tests/jobs/files.h"

namespace sinew {
namespace {

class PushedTube : public testing::Test {
 protected:
  OpenedCharacter opened_ = open_rigged_character(test::sample_file("tube.glb"));
  SimulationSurface surface_ = simulation_surface(opened_.character);

  ShapeRig push() const {
    const double size = longest_side(surface_);
    ShapeRig rig =
        template_on_skin("bump", "push", surface_.rest.positions[surface_.rest.positions.size() / 2], surface_);
    rig.samples[1].eta[amplitude_parameter] = 0.02 * size;
    return rig;
  }
  FleshSettings settings(double damping) const {
    FleshSettings settings;
    settings.tetrahedra = 600;
    settings.damping = damping;
    ShapeFile file{"shapes", shaped_character(opened_.character.file, surface_), {{"push", 0, {}, false}}, {push()}};
    settings.shapes = shape_json(file);
    return settings;
  }
  ShapeSwing swing(double damping) const {
    FleshMethod method;
    method.values = settings(damping);
    const Scene scene = cook(method, {opened_.character});
    return shape_swing(opened_.character, scene, std::vector<SwungControl>{{"push", 0, 1}});
  }
};

TEST_F(PushedTube, SwingsBeyondItsShapeAndSettlesTheSoonerTheMoreItIsDamped) {
  const ShapeSwing loose = swing(0.1), damped = swing(0.5);
  for (const ShapeSwing* each : {&loose, &damped}) {
    ASSERT_EQ(each->share.size(), each->seconds.size());
    EXPECT_LT(each->share.front(), 0.2);
    EXPECT_NEAR(each->share.back(), 1, 1e-9);
    EXPECT_NEAR(each->reach, 0.02 * longest_side(surface_), 0.1 * 0.02 * longest_side(surface_));
  }
  // One mode after a jump swings by exp(-pi zeta / sqrt(1 - zeta^2)) at most: 0.73 and 0.16. A jump that takes 0.1 s,
  // and several modes, swing less.
  EXPECT_GT(loose.overshoot, damped.overshoot);
  EXPECT_LT(loose.overshoot, 0.75);
  EXPECT_LT(damped.overshoot, 0.18);
  ASSERT_TRUE(loose.settled && damped.settled);
  EXPECT_GE(*loose.settled, *damped.settled);
}

TEST_F(PushedTube, ARigThatDoesNotMoveTheSkinIsSaid) {
  FleshMethod method;
  method.values = settings(0.3);
  const Scene scene = cook(method, {opened_.character});
  EXPECT_THROW(shape_swing(opened_.character, scene, std::vector<SwungControl>{{"push", 0.5, 0.5}}), Error);
  EXPECT_THROW(shape_swing(opened_.character, scene, std::vector<SwungControl>{{"pull", 0, 1}}), Error);
}

TEST_F(PushedTube, EachSampleHasAPictureByOneCamera) {
  FleshSettings plain = settings(0.3);
  plain.shapes.clear();
  ShapeWork work = work_on(std::make_shared<const Character>(opened_.character), plain, {});
  ShapeRig rig = push();
  const std::vector<Image> pictures = shape_pictures(work, rig, 64);
  ASSERT_EQ(pictures.size(), 2u);
  EXPECT_EQ(pictures[0].width, 64);
  EXPECT_NE(pictures[0].rgb, pictures[1].rgb);
  rig.samples[1].eta[amplitude_parameter] = 0;
  const std::vector<Image> still = shape_pictures(work, rig, 64);
  EXPECT_EQ(still[0].rgb, still[1].rgb) << "a rig that does nothing shows the whole skin as it is";
}

}  // namespace
}  // namespace sinew
