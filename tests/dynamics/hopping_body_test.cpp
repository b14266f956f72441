// A character of many links hops on one leg as a body of three.
#include "sinew/dynamics/hopping_body.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/dynamics/units.h"
#include "tests/dynamics/box_person.h"

namespace sinew::test {
namespace {

struct HoppingPerson {
  PersonLinks made = person_links();
  HoppingBody hopping;

  HoppingPerson() {
    const ReferenceMotion motion(made.person.character, made.stand, false, made.links);
    ReferenceState standing;
    motion.at(0, standing);
    hopping = hopping_body(made.links, standing.pose);
  }
};

Vec3 centre(const JointTree& tree, const TreePose& pose) {
  PlacedJoints placed;
  place_joints(tree, pose, placed);
  return centre_of_mass(tree, placed);
}

// Kinetic energy of links that all turn about a point with one angular velocity.
double turning_energy(const ArticulatedBody& body, const TreePose& pose, const Vec3& about, const Vec3& spin) {
  PlacedJoints placed;
  place_joints(body.tree, pose, placed);
  double energy = 0;
  for (std::size_t k = 0; k < body.size(); ++k) {
    const Vec3 velocity = cross(spin, placed(static_cast<int>(k), body.tree.mass_centre[k]) - about);
    const Vec3 own = rotate(conjugate(placed.rotation[k]), spin);
    energy += 0.5 * (body.tree.mass[k] * squared_norm(velocity) + dot(own, body.inertia[k] * own));
  }
  return energy;
}

TEST(HoppingBody, HasTheMassesOfTheCharacter) {
  const HoppingPerson person;
  const ArticulatedBody &all = person.made.links.body, &three = person.hopping.body;
  const TreePose& upright = person.hopping.upright;
  const TreePose still{upright.root, std::vector<Quat>(3)};
  EXPECT_NEAR(total_mass(three), total_mass(all), 1e-9);
  EXPECT_NEAR(distance(centre(three.tree, still), centre(all.tree, upright)), 0, 1e-9);
  for (const Vec3& spin : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0.3, -0.5, 0.8}}) {
    const double energy = turning_energy(all, upright, {0.1, 0.2, 0.3}, spin);
    EXPECT_NEAR(turning_energy(three, still, {0.1, 0.2, 0.3}, spin), energy, 1e-9 * energy);
  }
}

// The leg that hops hangs straight down to a level sole, and nothing else is as low.
TEST(HoppingBody, StandsOnOneStraightLeg) {
  const HoppingPerson person;
  const HoppingBody& hopping = person.hopping;
  EXPECT_NEAR(hopping.body.tree.offset[2].x, 0, 1e-9);
  EXPECT_NEAR(hopping.body.tree.offset[2].z, 0, 1e-9);
  const Vec3& sole = hopping.body.skin_points[2][0];
  EXPECT_NEAR(std::hypot(sole.x, sole.z), 0, 1e-6);
  PlacedJoints placed;
  place_joints(person.made.links.body.tree, hopping.upright, placed);
  const double ground = placed.place[index(hopping.leg.foot)].y + hopping.sole.y;
  EXPECT_NEAR(lowest_point(person.made.links.body, placed), ground, 1e-6);
  for (const LegLinks& leg : legs_of(person.made.links))
    if (leg.foot != hopping.leg.foot) {
      EXPECT_GT(lowest_sole(person.made.links, leg.foot, placed), ground + 0.1);
    }
}

// While the foot stands its sole stays level where the body of three links touches the ground.
TEST(HoppingBody, KeepsItsFootWhereItStands) {
  const HoppingPerson person;
  const Hopping run = hop_along(person.made.links, person.hopping, {0.5, 20, 120, 0});
  ASSERT_FALSE(run.fell) << *run.fell;
  EXPECT_GT(run.phases.hops, 20);
  EXPECT_NEAR(run.speed, 0.5, 0.1);
  EXPECT_LT(run.aside, 1);
  double lowest = 1, slid = 0;
  Vec3 stood;
  bool stands = false;
  for (std::size_t f = 0; f < run.poses.size(); ++f) {
    PlacedJoints placed;
    place_joints(person.made.links.body.tree, run.poses[f], placed);
    const double low = lowest_sole(person.made.links, person.hopping.leg.foot, placed);
    lowest = std::min(lowest, low);
    const Vec3 foot = placed.place[index(person.hopping.leg.foot)];
    const bool down = low < 0.0015;
    if (down && stands) slid = std::max(slid, distance(level(foot), level(stood)));
    if (!down || !stands) stood = foot;
    stands = down;
  }
  EXPECT_GT(lowest, -0.01);
  EXPECT_LT(slid, 0.01);
}

TEST(HoppingBody, SameBitsOnEveryRun) {
  const HoppingPerson person;
  const HoppingOptions options{0.5, 2, 60, 0};
  const Hopping one = hop_along(person.made.links, person.hopping, options);
  const Hopping other = hop_along(person.made.links, person.hopping, options);
  ASSERT_EQ(one.poses.size(), other.poses.size());
  EXPECT_EQ(one.poses.back().root, other.poses.back().root);
  EXPECT_EQ(one.poses.back().local, other.poses.back().local);
}

TEST(HoppingBody, RefusesNumbersThatCannotBe) {
  const HoppingPerson person;
  for (const HoppingOptions& options :
       {HoppingOptions{0.5, 0, 60, 0}, HoppingOptions{11, 1, 60, 0}, HoppingOptions{NAN, 1, 60, 0}})
    EXPECT_THROW(hop_along(person.made.links, person.hopping, options), Error);
}

}  // namespace
}  // namespace sinew::test
