// Links of a character against volumes and inertias that are known.
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/dynamics/flesh_mass.h"
#include "tests/dynamics/box_person.h"

namespace sinew::test {
namespace {

Skeleton two_joints() {
  Skeleton skeleton;
  skeleton.joints.resize(2);
  skeleton.joints[0].name = "lower";
  skeleton.joints[1].name = "upper";
  skeleton.joints[1].parent = 0;
  skeleton.joints[1].rest.translation = {0, 0.5, 0};
  skeleton.parents_first = {0, 1};
  return skeleton;
}

TEST(FleshMass, BoxesHaveTheirMassCentreAndInertia) {
  Part part;
  add_box(part, {-0.1, 0, -0.15}, {0.1, 0.5, 0.15}, 0);
  add_box(part, {-0.1, 0.501, -0.15}, {0.1, 1.2, 0.15}, 1);
  const Character character = skinned_to(two_joints(), part);
  const std::vector<MassMoments> flesh = flesh_of_bones(simulation_surface(character), 900);
  ASSERT_EQ(flesh.size(), 2u);
  const double mass = 900 * 0.2 * 0.7 * 0.3;  // but for the gap of a millimetre, which keeps corners from being welded
  EXPECT_NEAR(flesh[0].mass, 900 * 0.2 * 0.5 * 0.3, 0.02 * mass);
  EXPECT_NEAR(flesh[1].mass, mass, 0.02 * mass);
  EXPECT_NEAR(norm(flesh[1].centre() - Vec3{0, 0.85, 0}), 0, 0.01);
  const Mat3 inertia = flesh[1].inertia();
  EXPECT_NEAR(inertia(0, 0), mass / 12 * (0.49 + 0.09), 0.03 * inertia(0, 0));
  EXPECT_NEAR(inertia(1, 1), mass / 12 * (0.04 + 0.09), 0.04 * inertia(1, 1));
  EXPECT_NEAR(inertia(2, 2), mass / 12 * (0.04 + 0.49), 0.03 * inertia(2, 2));
  EXPECT_NEAR(inertia(0, 1), 0, 0.01 * inertia(0, 0));
}

TEST(FleshMass, AnOpenSkinHasNone) {
  Part part;
  part.surface.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  part.surface.triangles = {{0, 1, 2}};
  Influences influences;
  influences.count = 1;
  influences.weight[0] = 1;
  part.influences.assign(3, influences);
  const Character character = skinned_to(two_joints(), part);
  EXPECT_THROW(flesh_of_bones(simulation_surface(character), 1000), Error);
}

TEST(CharacterLinks, OfAPersonAreItsBonesWithTheMassOfItsVolume) {
  const PersonLinks made = person_links();
  const ArticulatedBody& body = made.links.body;
  // Fingers, clavicles without flesh and the like are parts of the links above them.
  EXPECT_EQ(body.size(), 20u);
  EXPECT_EQ(body.name[0], "hips");
  EXPECT_EQ(link_of(made.links, "indexL"), -1);
  double volume = 0;
  const TriangleMesh& mesh = made.person.character.parts[0].surface;
  for (const Triangle& t : mesh.triangles)
    volume +=
        dot(mesh.positions[static_cast<std::size_t>(t[0])],
            cross(mesh.positions[static_cast<std::size_t>(t[1])], mesh.positions[static_cast<std::size_t>(t[2])])) /
        6;
  EXPECT_NEAR(total_mass(body), 1000 * volume, 0.01 * 1000 * volume);
  const auto head = static_cast<std::size_t>(link_of(made.links, "head"));
  EXPECT_NEAR(body.tree.mass[head], 1000 * 0.16 * 0.2 * 0.2, 0.05 * body.tree.mass[head]);
  // The head's joint is at 1.6 m, its box from there to 1.8 m.
  EXPECT_NEAR(norm(body.tree.mass_centre[head] - Vec3{0, 0.1, -0.02}), 0, 0.01);
  const auto shin = static_cast<std::size_t>(link_of(made.links, "shinL"));
  EXPECT_TRUE(made.links.bears[shin]);
  EXPECT_FALSE(made.links.bears[head]);
  EXPECT_TRUE(made.links.foot[static_cast<std::size_t>(link_of(made.links, "toesR"))]);
}

TEST(CharacterLinks, KneesAndElbowsBendOneWay) {
  const PersonLinks made = person_links();
  const ArticulatedBody& body = made.links.body;
  const auto bent = [&](const char* name, const Vec3& axis, double angle) {
    const auto k = static_cast<std::size_t>(link_of(made.links, name));
    return beyond_limits(*body.tree.limits[k], axis_angle(axis, angle));
  };
  // All axes of the test skeleton are the world's: a knee bends the shin backward, about +x.
  EXPECT_LT(bent("shinL", {1, 0, 0}, 1.5), 0.02);
  EXPECT_GT(bent("shinL", {1, 0, 0}, -0.5), 0.3);
  EXPECT_GT(bent("shinR", {0, 0, 1}, 0.5), 0.3);
  // An elbow bends the forearm forward: the left one about -y.
  EXPECT_LT(bent("lowerArmL", {0, 1, 0}, -1.5), 0.1);
  EXPECT_GT(bent("lowerArmL", {0, 1, 0}, 0.5), 0.3);
  EXPECT_LT(bent("lowerArmR", {0, 1, 0}, 1.5), 0.1);
}

TEST(CharacterLinks, ManyJointsAreAFewLinks) {
  // A snake of 2,000 joints.
  Skeleton skeleton;
  Part part;
  for (int j = 0; j < 2000; ++j) {
    Joint joint;
    joint.name = "j" + std::to_string(j);
    joint.parent = j - 1;
    joint.rest.translation = {j == 0 ? 0 : 0.01, 0, 0};
    skeleton.joints.push_back(joint);
    skeleton.parents_first.push_back(j);
    if (j % 50 == 0) add_box(part, {0.01 * j, 0, 0}, {0.01 * j + 0.5, 0.3, 0.3}, j);
  }
  const Character character = skinned_to(skeleton, part);
  const CharacterLinks links =
      character_links(character, simulation_surface(character), {}, sample(character.skeleton, nullptr, 0), 1000);
  EXPECT_LE(links.body.size(), most_links);
  EXPECT_GE(links.body.size(), 20u);
  EXPECT_NEAR(total_mass(links.body), 1000 * 20 * 0.09, 0.02 * 1000 * 20 * 0.09);
}

}  // namespace
}  // namespace sinew::test
