// A planar body and its walk by muscles against laws of mechanics, the engine's full model, and what is known of
// walking.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "sinew/base/error.h"
#include "sinew/dynamics/rigid_body_engine.h"
#include "sinew/dynamics/striding/stride.h"
#include "sinew/dynamics/units.h"
#include "tests/dynamics/box_person.h"

namespace sinew::test {
namespace {

BodyState thrown(const ArticulatedBody& body) {
  BodyState state;
  state.pose.root = {0, 5, 0};
  state.root_velocity = {0, 2, 1};
  for (std::size_t k = 0; k < body.size(); ++k) {
    const double phase = static_cast<double>(k);
    state.pose.local.push_back(axis_angle({1, 0, 0}, 0.4 * std::sin(2 * phase)));
    state.spin.push_back({3 * std::cos(phase), 0, 0});
  }
  return state;
}

TEST(PlanarBody, KeepsItsEnergyWhenItIsThrown) {
  const ArticulatedBody body = planar_body(planar_person());
  EngineOptions options;
  options.planar = options.accurate = true;
  options.has_ground = false;
  RigidBodyEngine engine(body, options);
  engine.set_state(thrown(body));
  const double before = engine.energy();
  const std::vector<Vec3> none(body.size());
  double most = 0;
  for (int s = 0; s < 1000; ++s) {
    engine.step(none, {});
    most = std::max(most, std::abs(engine.energy() - before));
  }
  std::printf("energy of a thrown planar body: %.3g J of %.4g J\n", most, before);
  EXPECT_LT(most, 1e-5 * std::abs(before));
  // Its centre of mass flies on a parabola.
  const BodyState start = thrown(body);
  PlacedJoints placed;
  place_joints(body.tree, start.pose, placed);
  const Vec3 from = centre_of_mass(body.tree, placed);
  const Vec3 velocity = centre_velocity(body, placed, link_velocities(body, start, placed));
  place_joints(body.tree, engine.state().pose, placed);
  EXPECT_LT(distance(centre_of_mass(body.tree, placed), from + velocity + Vec3{0, -0.5 * standard_gravity, 0}), 1e-4);
}

TEST(PlanarBody, MovesAsTheFullModelDoesInItsPlane) {
  const ArticulatedBody body = planar_body(planar_person());
  std::vector<Vec3> torque(body.size());
  for (std::size_t k = 1; k < body.size(); ++k) torque[k] = {5 * std::sin(static_cast<double>(k)), 0, 0};
  TreePose ends[2];
  for (const bool planar : {false, true}) {
    EngineOptions options;
    options.planar = planar;
    options.accurate = true;
    options.has_ground = false;
    options.step = 1.0 / 4000;
    RigidBodyEngine engine(body, options);
    engine.set_state(thrown(body));
    for (int s = 0; s < 1200; ++s) engine.step(torque, {});
    ends[planar ? 1 : 0] = engine.state().pose;
  }
  EXPECT_LT(distance(ends[0].root, ends[1].root), 1e-5);
  for (std::size_t k = 0; k < body.size(); ++k)
    EXPECT_NEAR(std::abs(dot(ends[0].local[k], ends[1].local[k])), 1, 1e-8) << k;
  EngineOptions held;
  held.planar = held.root_is_held = true;
  EXPECT_THROW(RigidBodyEngine(body, held), Error);
}

TEST(PlanarCharacter, HasTheMeasuresOfAPersonOfBoxes) {
  const PersonLinks made = person_links();
  const ReferenceMotion motion(made.person.character, made.stand, false, made.links);
  ReferenceState state;
  motion.at(0, state);
  const PlanarCharacter planar = planar_character(made.links, state.pose, motion.ground());
  const PlanarMeasures& m = planar.measures;
  EXPECT_NEAR(m.mass(), total_mass(made.links.body), 1e-9);
  // The hip of the skeleton is over the ground by the leg's length, where its feet are level and its legs straight.
  PlacedJoints placed;
  place_joints(made.links.body.tree, planar.standing, placed);
  const int thigh = planar.legs[0].thigh;
  EXPECT_NEAR(m.leg(), placed.place[index(thigh)].y - motion.ground(), 0.01);
  // A thigh of 0.14 by 0.4 by 0.15 m.
  EXPECT_NEAR(m.thigh.mass, 1000 * 0.139 * 0.399 * 0.149, 0.3);
  EXPECT_NEAR(m.thigh.inertia, m.thigh.mass * (0.4 * 0.4 + 0.15 * 0.15) / 12, 0.1 * m.thigh.inertia);
  EXPECT_GT(m.trunk.centre.y, 0.2);
  EXPECT_LT(m.heel.z, 0);
  EXPECT_GT(m.toe.z, 0.08);

  // The standing pose comes back.
  PlanarPose pose;
  pose.angle = planar.bound;
  pose.y = 0.5 * (placed.place[index(thigh)].y + placed.place[index(planar.legs[1].thigh)].y) - motion.ground();
  const TreePose back = pose_of_planar(made.links, planar, pose);
  EXPECT_LT(distance(back.root, planar.standing.root), 1e-9);
  // So do places of joints in a step: knees and ankles are where the planar body has them, seen from the side.
  pose.angle = {0.1, -0.5, -0.2, 0.1, 0.3, 0.9, 0.8};
  pose.z = 0.7;
  PlacedJoints stepping;
  place_joints(made.links.body.tree, pose_of_planar(made.links, planar, pose), stepping);
  for (std::size_t leg = 0; leg < 2; ++leg) {
    const LegLinks& own = planar.legs[leg];
    const auto in_plane = [&](int link) {
      const Vec3& p = stepping.place[index(link)];
      return Vec3{0, p.y, dot(p, planar.ahead)};
    };
    const double a = pose.angle[thigh_of(leg)], b = pose.angle[thigh_of(leg) + 1];
    const Vec3 knee_at = in_plane(own.thigh) + Vec3{0, -std::cos(a), -std::sin(a)} * m.thigh_length;
    const Vec3 ankle_at = knee_at + Vec3{0, -std::cos(b), -std::sin(b)} * m.shank_length;
    EXPECT_LT(distance(in_plane(own.shin), knee_at), 1e-9);
    EXPECT_LT(distance(in_plane(own.foot), ankle_at), 1e-9);
  }
}

TEST(Reflexes, StimulateByForceLengthAndLean) {
  Reflexes r = usual_reflexes();
  BodySense sense;
  sense.legs[0].force[soleus] = 0.4;
  sense.legs[0].load = 0.8;
  sense.lean = r[trunk_lean] + 0.1;
  const DelayedSenses senses{&sense, &sense, &sense};
  const auto stance = stimulation(r, senses, 0, LegState::stance, 0);
  EXPECT_NEAR(stance[soleus], r[soleus_force] * 0.4, 1e-12);
  EXPECT_NEAR(stance[glutei], r[hip_base] + 0.8 * r[glutei_by_trunk] * r[trunk_by_lean] * 0.1, 1e-12);
  EXPECT_NEAR(stance[hip_flexors], std::max(0.01, r[hip_base]), 1e-12);
  const auto swing = stimulation(r, senses, 0, LegState::swing, 0);
  EXPECT_NEAR(swing[soleus], 0.01, 1e-12);
  // Another leg that is loaded takes the knee's stiffness away from one that lifts off.
  sense.legs[0].force[vasti] = 0.5;
  sense.legs[0].knee = 1;
  const double before = stimulation(r, senses, 0, LegState::stance, 0)[vasti];
  sense.legs[1].load = 0.2;
  EXPECT_NEAR(before - stimulation(r, senses, 0, LegState::lift_off, 0)[vasti], 0.2 * r[vasti_by_other_load], 1e-12);
}

// Maxima of the load of a leg in each of its stances, and whether each has two with a valley between.
struct Stances {
  int count = 0, double_humped = 0;
};
Stances stances_of(const StrideRecord& walk) {
  Stances stances;
  std::vector<double> own;
  for (const StrideFrame& frame : walk.frames) {
    if (frame.load[0] > 0.05) {
      own.push_back(frame.load[0]);
      continue;
    }
    if (own.size() > 20 && frame.time > 2) {
      const std::size_t third = own.size() / 3;
      const auto most = [&](std::size_t from, std::size_t to) {
        return *std::max_element(own.begin() + static_cast<std::ptrdiff_t>(from),
                                 own.begin() + static_cast<std::ptrdiff_t>(to));
      };
      const double valley = *std::min_element(own.begin() + static_cast<std::ptrdiff_t>(third),
                                              own.begin() + static_cast<std::ptrdiff_t>(2 * third));
      ++stances.count;
      if (most(0, third) > valley && most(2 * third, own.size()) > valley && valley < 1) ++stances.double_humped;
    }
    own.clear();
  }
  return stances;
}

TEST(Stride, APersonWalksByUsualReflexes) {
  StrideOptions options;
  options.speed = 1.3;
  const StrideRecord walk = stride(planar_person(), usual_reflexes(), options);
  const Stances stances = stances_of(walk);
  std::printf(
      "%.3f m/s, %d steps, effort %.3f, sways by %.3f rad, peak of %.2f weights, %d of %d stances with two humps\n",
      walk.speed, walk.steps, walk.effort, walk.lean_away, walk.peak_load, stances.double_humped, stances.count);
  EXPECT_FALSE(walk.fell);
  EXPECT_NEAR(walk.speed, 1.3, 0.15 * 1.3);
  EXPECT_GE(walk.steps, 10);
  EXPECT_LT(walk.peak_load, 3);
  EXPECT_GE(stances.count, 4);
  EXPECT_EQ(stances.double_humped, stances.count);
  // The ground carries the weight in the mean, and both legs bear alike.
  double load[2] = {0, 0};
  int count = 0;
  for (const StrideFrame& frame : walk.frames)
    if (frame.time > 2) load[0] += frame.load[0], load[1] += frame.load[1], ++count;
  EXPECT_NEAR((load[0] + load[1]) / count, 1, 0.05);
  EXPECT_NEAR(load[0] / load[1], 1, 0.2);
  const StrideRecord again = stride(planar_person(), usual_reflexes(), options);
  EXPECT_EQ(again.frames.back().pose.z, walk.frames.back().pose.z);
  EXPECT_EQ(again.effort, walk.effort);
}

// Without reflexes nobody stands.
TEST(Stride, ABodyWithoutReflexesFalls) {
  Reflexes none = usual_reflexes();
  for (std::size_t k = soleus_force; k < first_lean; ++k) none[k] = reflex_ranges()[k].least;
  const StrideRecord walk = stride(planar_person(), none, {});
  ASSERT_TRUE(walk.fell);
  EXPECT_LT(*walk.fell, 1.5);
}

// A body of like shape that is twice as large walks alike, faster by the root of two.
TEST(Stride, LikeBodiesWalkAlike) {
  PlanarMeasures large = planar_person();
  for (PlanarPart* part : {&large.trunk, &large.thigh, &large.shank, &large.foot}) {
    part->mass *= 8;
    part->centre = part->centre * 2;
    part->inertia *= 32;
  }
  large.thigh_length *= 2;
  large.shank_length *= 2;
  large.heel = large.heel * 2;
  large.toe = large.toe * 2;
  StrideOptions options;
  options.speed = 1.3;
  options.seconds = 7;
  options.counts_from = 2;
  const StrideRecord walk = stride(planar_person(), usual_reflexes(), options);
  options.speed *= std::sqrt(2);
  options.seconds *= std::sqrt(2);
  options.counts_from *= std::sqrt(2);
  const StrideRecord like = stride(large, usual_reflexes(), options);
  EXPECT_FALSE(like.fell);
  std::printf("a body of twice the size: %.4f times the speed, root of two %.4f\n", like.speed / walk.speed,
              std::sqrt(2));
  EXPECT_NEAR(like.speed / walk.speed, std::sqrt(2), 0.02 * std::sqrt(2));
  EXPECT_EQ(like.steps, walk.steps);
}

TEST(FindStride, TriesAreTheSameEveryTime) {
  StrideSearch search;
  search.speed = 1.3;
  search.seconds = 1;
  search.tries = 28;
  const FoundStride a = find_stride(planar_person(), usual_reflexes(), search);
  const FoundStride b = find_stride(planar_person(), usual_reflexes(), search);
  EXPECT_EQ(a.cost, b.cost);
  EXPECT_EQ(a.reflexes, b.reflexes);
  StrideOptions first;
  first.speed = search.speed;
  first.seconds = search.seconds;
  EXPECT_LE(a.cost, cost_of(planar_person(), search, stride(planar_person(), usual_reflexes(), first)) + 0.5);
}

// The worst walk that stands costs less than a fall at the last moment, and late falls less than early ones.
TEST(Stride, CostsPutFallsLast) {
  const PlanarMeasures person = planar_person();
  const StrideSearch search;
  StrideRecord good, bad, late, early;
  good.speed = search.speed;
  good.step_length = 0.7;
  good.effort = 0.05;
  bad.speed = -5;
  bad.effort = 1;
  bad.lean_away = 3;
  bad.peak_load = 30;
  late = good;
  late.fell = search.seconds;
  late.travelled = search.speed * search.seconds;
  early = late;
  early.fell = 1;
  early.travelled = 1;
  EXPECT_LT(cost_of(person, search, good), cost_of(person, search, bad));
  EXPECT_LT(cost_of(person, search, bad), cost_of(person, search, late));
  EXPECT_LT(cost_of(person, search, late), cost_of(person, search, early));
}

}  // namespace
}  // namespace sinew::test
