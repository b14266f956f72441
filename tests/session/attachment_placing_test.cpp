// Skin that is attached to a joint by pointing at it: it stays where that joint carries it.
#include "sinew/session/attachment_placing.h"

#include <gtest/gtest.h>

#include <vector>

#include "sinew/cook/cook.h"
#include "sinew/cook/flesh/flesh_method.h"
#include "sinew/session/session.h"
#include "tests/bake/tube_character.h"
#include "tests/base/refusal.h"

namespace sinew {
namespace {

const Vec3 beside_lower{0.2, 0.25, 0};  // nearest to a vertex of the lower half

TEST(AttachmentPlacing, HoldsTheSkinWhereItsOwnBoneCarriesIt) {
  for (const double unit : {1.0, 0.01}) {
    const Character character = test::tube_character(unit);
    const SimulationSurface surface = simulation_surface(character);
    const GrabSettings low = attachment_at(character, surface, beside_lower);
    EXPECT_EQ(low.joint, "lower");
    EXPECT_LT(norm(low.point - Vec3{0.12, 0.25, 0}), 1e-9);
    EXPECT_LT(norm(low.to - low.point), 1e-9);  // the default pose is the rest pose
    EXPECT_EQ(attachment_at(character, surface, {0.2, 0.9, 0}).joint, "upper");
    EXPECT_EQ(attachment_at(character, surface, {0.2, 0.9, 0}, "lower").joint, "lower");
  }
}

// The upper half bends by half a radian; skin of the lower one goes with it as far as its reach allows.
TEST(AttachmentPlacing, LeadsTheSkinWithAnotherJoint) {
  const Character character = test::tube_character();
  const SimulationSurface surface = simulation_surface(character);
  const GrabSettings attachment = attachment_at(character, surface, {0.2, 0.42, 0}, "upper");
  const auto place_after = [&](bool attached) {
    FleshMethod flesh;
    flesh.values = test::quick_settings();
    if (attached) flesh.values.grabs.push_back(attachment);
    const Scene scene = cook(flesh, {character});
    Session session(character, scene, whole(character.clips[0]));
    session.advance(0.25);
    std::vector<Vec3> positions(surface.rest.positions.size());
    session.surface(positions);
    return place_of(nearest_surface_point(surface.rest, attachment.point), positions);
  };
  const Pose pose = sample(character.skeleton, &character.clips[0], 0.25);
  const Vec3 target = JointMotion(character, "upper", "test").in(pose)*attachment.to;
  const Vec3 free = place_after(false), held = place_after(true);
  EXPECT_GT(distance(free, target), 0.01);
  EXPECT_LT(distance(held, target), 0.5 * distance(free, target));
}

TEST(AttachmentPlacing, RefusesWhatCannotBe) {
  Character character = test::tube_character();
  EXPECT_NE(test::refusal(ErrorKind::usage,
                          [&] { attachment_at(character, simulation_surface(character), beside_lower, "tail"); })
                .find("'tail'"),
            std::string::npos);
  for (Joint& joint : character.skeleton.joints) joint.name.clear();
  EXPECT_NE(
      test::refusal(ErrorKind::usage, [&] { attachment_at(character, simulation_surface(character), beside_lower); })
          .find("has no name"),
      std::string::npos);
}

}  // namespace
}  // namespace sinew
