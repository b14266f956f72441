// Flight against known answers: coefficients, glides, the thrust of a plate that beats, and the balance of energy.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <numbers>

#include "sinew/dynamics/flight/fly.h"
#include "sinew/dynamics/units.h"
#include "tests/dynamics/box_bird.h"

namespace sinew::test {
namespace {

constexpr double degree = std::numbers::pi / 180;

TEST(AirCoefficients, AreThoseOfThinWingsAndOfPlates) {
  constexpr double aspect = 6;
  // Lifting line with an elliptic load: 2 pi / (1 + 2 / A) per radian, and induced drag.
  const AirCoefficients small = air_coefficients(5 * degree, aspect);
  const double slope = 2 * std::numbers::pi / (1 + 2 / aspect);
  EXPECT_NEAR(small.lift, slope * 5 * degree, 1e-12);
  EXPECT_NEAR(small.drag - air_coefficients(0, aspect).drag,
              small.lift * small.lift / (std::numbers::pi * aspect * 0.9), 1e-12);
  const AirCoefficients across = air_coefficients(90 * degree, aspect);
  EXPECT_NEAR(across.lift, 0, 1e-12);
  EXPECT_NEAR(across.drag, 2, 0.05);
  // The force of a plate is at right angles to it, but for the skin's drag.
  const AirCoefficients steep = air_coefficients(45 * degree, aspect);
  EXPECT_NEAR(steep.lift, 1, 1e-12);
  EXPECT_NEAR(steep.drag, 1.02, 1e-12);
  for (double angle = -3; angle < 3; angle += 0.01) {
    const AirCoefficients a = air_coefficients(angle, aspect), b = air_coefficients(angle + 1e-6, aspect);
    EXPECT_LT(std::abs(a.lift - b.lift) + std::abs(a.drag - b.drag), 1e-4);
    EXPECT_NEAR(a.lift, -air_coefficients(-angle, aspect).lift, 1e-12);
    EXPECT_GT(a.drag, 0);
  }
}

// The air never gives energy to a strip, from wherever it comes.
TEST(StripForce, TakesEnergyAndIgnoresWhatFlowsAlongTheSpan) {
  for (int k = 0; k < 500; ++k) {
    const Vec3 velocity{std::sin(1.7 * k), 2 * std::sin(0.9 * k + 1), 3 * std::sin(2.3 * k + 2)};
    const Vec3 force = strip_force(velocity, {0, 0, 1}, {0, 1, 0}, 7);
    EXPECT_LT(dot(force, velocity), 0);
    EXPECT_EQ(force.x, 0);
    EXPECT_LT(distance(force, strip_force(velocity + Vec3{5, 0, 0}, {0, 0, 1}, {0, 1, 0}, 7)), 1e-12);
  }
}

// A wing whose attitude is held comes to glide at the angle whose tangent is drag over lift, at the speed that carries
// its weight.
TEST(StripForce, AFixedWingGlidesAtTheAngleOfDragOverLift) {
  constexpr double aspect = 8, mass = 2, area = 0.5, pitch = 2 * degree, step = 1e-4;
  const Vec3 forward{0, std::sin(pitch), std::cos(pitch)}, up{0, std::cos(pitch), -std::sin(pitch)};
  Vec3 velocity{0, 0, 8};
  for (int k = 0; k < 600000; ++k)
    velocity +=
        step * (air_density * area / mass * strip_force(velocity, forward, up, aspect) + Vec3{0, -standard_gravity, 0});
  const double down = std::atan2(-velocity.y, velocity.z), attack = down + pitch;
  const AirCoefficients own = air_coefficients(attack, aspect);
  EXPECT_NEAR(down, glide_angle(attack, aspect), 1e-6);
  EXPECT_NEAR(std::tan(down), own.drag / own.lift, 1e-6);
  EXPECT_NEAR(squared_norm(velocity), 2 * mass * standard_gravity * std::cos(down) / (air_density * area * own.lift),
              1e-3);
}

// A plate that turns about its root: strips against the integral of the square of the speed over the span, and over a
// beat.
TEST(AirForces, AreTheIntegralOverAPlateThatBeats) {
  constexpr double length = 1.2, chord = 0.25, aspect = 6, incidence = 8 * degree, largest = 5;  // rad/s
  constexpr int strips = 12, times = 64;
  std::vector<WingStrip> plate;
  for (int k = 0; k < strips; ++k)
    plate.push_back({0,
                     {(k + 0.5) * length / strips, 0, 0},
                     {0, std::sin(incidence), std::cos(incidence)},
                     {0, std::cos(incidence), -std::sin(incidence)},
                     chord * length / strips});
  PlacedJoints placed{{Quat{}}, {Vec3{}}};
  double lift = 0;
  for (int t = 0; t < times; ++t) {
    // It turns about y, so that its leading edge goes ahead where x > 0.
    const double spin = -largest * std::abs(std::sin(2 * std::numbers::pi * (t + 0.5) / times));
    const AirForces air = air_forces(plate, aspect, placed, {{Vec3{}}, {Vec3{0, spin, 0}}});
    for (const LinkForce& each : air.forces) lift += each.force.y / times;
  }
  const double integral = air_density / 2 * air_coefficients(incidence, aspect).lift * chord * std::pow(length, 3) / 3 *
                          largest * largest / 2;
  std::printf("lift of a plate that beats: %.4f N, integral %.4f N\n", lift, integral);
  EXPECT_NEAR(lift, integral, 0.005 * integral);
}

TEST(FindWings, OfABirdOfBoxesAreItsPlatesHoweverTheyAreHeld) {
  for (const double raised : {0.0, 0.6, -0.5}) {
    const BoxBird bird = box_bird(raised);
    const FoundWings wings = find_wings(bird.character.skeleton, simulation_surface(bird.character), bird.links);
    ASSERT_EQ(wings.pairs.size(), 1u) << raised;
    EXPECT_EQ(bird.character.skeleton.joints[static_cast<std::size_t>(wings.pairs[0][0].joint)].name, "wing.L");
    EXPECT_EQ(bird.character.skeleton.joints[static_cast<std::size_t>(wings.pairs[0][1].joint)].name, "wing.R");
    EXPECT_NEAR(wings.pairs[0][0].length, 0.9, 0.01);
    EXPECT_NEAR(wings.span, 1.96, 0.02);
    EXPECT_NEAR(wings.area, 2 * 0.9 * 0.3, 0.03 * 0.54);
    // A quarter of the chord behind the leading edge.
    EXPECT_NEAR(wings.pairs[0][0].balance, 0.1 + 0.1 - 0.3 / 4, 0.01);
    for (const WingStrip& strip : wings.strips) EXPECT_NEAR(dot(strip.forward, strip.up), 0, 1e-9);
  }
}

TEST(FindWings, APersonHasNone) {
  const PersonLinks made = person_links();
  EXPECT_TRUE(
      find_wings(made.person.character.skeleton, simulation_surface(made.person.character), made.links).pairs.empty());
}

TEST(Fly, EnergyIsWhatTheJointsGiveLessWhatTheAirTakes) {
  const Flyer flyer = box_flyer();
  FlightOptions options;
  options.speed = 8;
  options.seconds = 3;
  options.step = 1.0 / 2000;
  const FlightRecord flight = fly(flyer, usual_stroke(flyer, options.speed), options);
  std::printf("gained %.2f J, worked %.2f J, taken %.2f J\n", flight.gained, flight.worked, flight.taken);
  EXPECT_GT(flight.taken, 0);
  EXPECT_NEAR(flight.gained, flight.worked - flight.taken, 0.02 * std::max(flight.worked, flight.taken));
  const FlightRecord again = fly(flyer, usual_stroke(flyer, options.speed), options);
  EXPECT_EQ(flight.gained, again.gained);
  EXPECT_EQ(flight.poses.back().root, again.poses.back().root);
}

TEST(FindStroke, ABirdOfBoxesHoldsSpeedAndHeightAndTurns) {
  const Flyer flyer = box_flyer();
  FlightOptions options;
  options.speed = 8;
  options.seconds = 7;
  const FoundStroke found = find_stroke(flyer, usual_stroke(flyer, 8), options, 98, 1);
  std::printf("%.2f kg, %.2f beats/s: speed %.2f m/s, height off by %.3f m, heading by %.3f rad, %.0f W, cost %.2f\n",
              flyer.mass, found.stroke.frequency, found.flight.speed, found.flight.off_height, found.flight.off_heading,
              found.flight.power, found.cost);
  EXPECT_FALSE(found.flight.lost);
  EXPECT_NEAR(found.flight.speed, 8, 1.2);
  EXPECT_LT(found.flight.off_height, 0.4);
  EXPECT_LT(found.flight.off_heading, 0.1);
  options.seconds = 20;
  options.goals = {{1, 0, 0}, {4, 1, 60 * degree}, {10, 1, 60 * degree}};
  const FlightRecord turning = fly(flyer, found.stroke, options);
  std::printf("turning: height off by %.3f m, heading by %.3f rad\n", turning.off_height, turning.off_heading);
  EXPECT_FALSE(turning.lost);
  EXPECT_LT(turning.off_height, 0.6);
  // In the last second it goes the way that it was to turn to, at the height that it was to climb to.
  const Vec3 end = turning.poses.back().root, way = end - turning.poses[turning.poses.size() - 61].root;
  EXPECT_NEAR(std::atan2(way.x, way.z), 60 * degree, 6 * degree);
  EXPECT_NEAR(end.y, 1, 0.4);
}

}  // namespace
}  // namespace sinew::test
