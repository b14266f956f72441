#include "sinew/rig/wire_deformer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "sinew/base/error.h"
#include "sinew/rig/skeleton_rig.h"
#include "tests/base/refusal.h"
#include "tests/base/same_bits.h"
#include "tests/rig/layered_character.h"
#include "tests/rig/rig_checks.h"
#include "tests/rounding.h"

namespace sinew {
namespace {

using namespace test;

const std::vector<Vec3> bent{{0, 0, 0}, {1, 0.2, 0}, {2, 0.9, 0.3}, {2.6, 2, 0.1}, {3, 3, -0.5}};

Vec3 at(const std::vector<Vec3>& controls, double u) {
  return curve_position(curve_weights(controls.size(), u), controls);
}

TEST(WireCurve, BeginsAndEndsAtItsEndsAndIsSmooth) {
  for (const std::size_t count : {2u, 3u, 5u}) {
    const std::vector<Vec3> controls(bent.begin(), bent.begin() + static_cast<long>(count));
    EXPECT_LE(norm(at(controls, 0) - controls.front()), 1e-15);
    EXPECT_LE(norm(at(controls, static_cast<double>(count) - 1) - controls.back()), 1e-15);
    for (double u = 0.01; u < static_cast<double>(count) - 1.01; u += 0.07) {
      const CurveWeights weights = curve_weights(count, u);
      const double h = 1e-5;
      EXPECT_LE(norm(curve_derivative(weights, controls) - (at(controls, u + h) - at(controls, u - h)) / (2 * h)),
                1e-9);
      double sum = 0, none = 0;
      for (std::size_t k = 0; k < 4; ++k) {
        sum += weights.position[k];
        none += weights.derivative[k];
      }
      // Four cubic polynomials of up to four terms.
      EXPECT_NEAR(sum, 1, test::rounding_of(1, 4 * 4));
      EXPECT_NEAR(none, 0, test::rounding_of(2, 4 * 4));
    }
    // Twice continuously differentiable at the knots.
    for (double knot = 1; knot < static_cast<double>(count) - 1; knot += 1) {
      const double h = 1e-4;
      const Vec3 before = (at(controls, knot) - 2.0 * at(controls, knot - h) + at(controls, knot - 2 * h)) / (h * h);
      const Vec3 after = (at(controls, knot + 2 * h) - 2.0 * at(controls, knot + h) + at(controls, knot)) / (h * h);
      EXPECT_LE(norm(before - after), 1e-2);
    }
  }
}

TEST(WireCurve, IsStraightAndEvenWhereControlsAre) {
  const std::vector<Vec3> line{{1, 1, 1}, {2, 1, 0}, {3, 1, -1}, {4, 1, -2}};
  for (double u = 0; u <= 3; u += 0.1) EXPECT_LE(norm(at(line, u) - Vec3{1 + u, 1, 1 - u}), 1e-14);
}

TEST(WireCurve, FindsTheClosestPoint) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> number(-1, 4);
  for (int i = 0; i < 200; ++i) {
    const Vec3 x{number(random), number(random), number(random)};
    double least = 1e30;
    for (double u = 0; u <= 4; u += 1e-4) least = std::min(least, distance(at(bent, u), x));
    const double u = closest_curve_parameter(bent, x);
    EXPECT_GE(u, 0);
    EXPECT_LE(u, 4);
    EXPECT_LE(distance(at(bent, u), x), least + 1e-12);
  }
  EXPECT_EQ(closest_curve_parameter(bent, {-5, 0, 0}), 0);
  EXPECT_EQ(closest_curve_parameter(bent, {4, 9, -2}), 4);
}

struct OneWire {
  std::vector<Vec3> reference = bent, displaced = bent;
  std::vector<double> log_scale = std::vector<double>(bent.size(), 0.0);
  double radius = 1.5;

  WireVertex bound(const Vec3& x) const {
    const std::vector<WireVertex> all = bind_wire(reference, radius, std::vector<Vec3>{x});
    return all.empty() ? WireVertex{} : all[0];
  }
  WireCurves curves() const { return {reference, displaced, log_scale}; }
  Vec3 displacement(const Vec3& x) const { return wire_displacement(bound(x), curves(), x); }
};

const Vec3 somewhere{1.3, 0.9, 0.4};

TEST(Wire, LeavesEverythingWhereNothingIsDisplaced) {
  const OneWire wire;
  ASSERT_GT(wire.bound(somewhere).influence, 0.1);
  EXPECT_EQ(wire.displacement(somewhere), Vec3{});
}

TEST(Wire, FallsOffWithTheDistance) {
  OneWire wire;
  wire.reference = wire.displaced = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  wire.log_scale.resize(3);
  for (Vec3& x : wire.displaced) x += Vec3{0, 0, 0.5};
  for (const double d : {0.0, 0.3, 1.0, 1.4}) {
    const double x = d / 1.5, share = (1 - x * x) * (1 - x * x);
    EXPECT_LE(norm(wire.displacement({0.7, d, 0}) - Vec3{0, 0, 0.5 * share}), 1e-12) << d;
  }
  EXPECT_TRUE(bind_wire(wire.reference, 1.5, std::vector<Vec3>{{0.7, 1.51, 0}, {-1.6, 0, 0}}).empty());
}

TEST(Wire, CarriesPointsOnItAlong) {
  OneWire wire;
  wire.displaced[2] += Vec3{0.3, -0.4, 0.2};
  wire.displaced[3] += Vec3{-0.1, 0.4, 0.6};
  for (double u = 0; u <= 4; u += 0.25) {
    const Vec3 on = at(wire.reference, u);
    EXPECT_LE(norm(on + wire.displacement(on) - at(wire.displaced, u)), 1e-6) << u;
  }
}

// A straight wire along x that turns to y: everything the paper says, written down for the plane.
TEST(Wire, TurnsScalesAndMovesAsThePaperSays) {
  OneWire wire;
  wire.reference = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}};
  wire.displaced = {{0, 0, 0}, {0, 1, 0}, {0, 2, 0}, {0, 3, 0}};
  wire.log_scale = std::vector<double>(4, std::log(1.6));
  const double u = 1.7, d = 0.6;
  const double share = std::pow(1 - (d / 1.5) * (d / 1.5), 2), angle = share * pi / 2;
  const double arm = d * (1 + (1.6 - 1) * share);
  // The arm points along y, turned by `angle` about z.
  const Vec3 expected{u - arm * std::sin(angle) - share * u, arm * std::cos(angle) + share * u, 0};
  EXPECT_LE(norm(Vec3{u, d, 0} + wire.displacement({u, d, 0}) - expected), 1e-8);
}

OneWire displaced_wire() {
  OneWire wire;
  std::mt19937 random(5);
  std::uniform_real_distribution<double> number(-0.5, 0.5);
  for (Vec3& x : wire.displaced) x += Vec3{number(random), number(random), number(random)};
  for (double& s : wire.log_scale) s = number(random);
  return wire;
}

TEST(Wire, RigidMotionsOfEverythingAreRigidMotionsOfTheResult) {
  const OneWire wire = displaced_wire();
  const Affine motion{to_matrix(turned(1, 2, 3, 1.1)), {4, -2, 7}};
  OneWire moved = wire;
  for (Vec3& x : moved.reference) x = motion * x;
  for (Vec3& x : moved.displaced) x = motion * x;
  const WireVertex vertex = wire.bound(somewhere);
  const Vec3 plain = somewhere + wire_displacement(vertex, wire.curves(), somewhere);
  const Vec3 carried = motion * somewhere + wire_displacement(vertex, moved.curves(), motion * somewhere);
  EXPECT_GT(distance(plain, somewhere), 0.05);
  // Two curves of four points, two frames, and a motion that takes all of them some nine units away.
  EXPECT_LE(norm(carried - motion * plain), test::rounding_of(9, 2 * 8 + 2 * 12 + 6));
}

TEST(Wire, RatesAreDerivatives) {
  std::mt19937 random(9);
  std::uniform_real_distribution<double> number(-1, 1);
  // Displaced, and where the tangents are parallel still.
  for (const OneWire& wire : {displaced_wire(), OneWire{}}) {
    const WireVertex vertex = wire.bound(somewhere);
    OneWire rate = wire;
    for (Vec3& x : rate.reference) x = {number(random), number(random), number(random)};
    for (Vec3& x : rate.displaced) x = {number(random), number(random), number(random)};
    for (double& s : rate.log_scale) s = number(random);
    const Vec3 x_rate{number(random), number(random), number(random)};
    const auto moved = [&](double h) {
      OneWire w = wire;
      for (std::size_t i = 0; i < w.reference.size(); ++i) {
        w.reference[i] += h * rate.reference[i];
        w.displaced[i] += h * rate.displaced[i];
        w.log_scale[i] += h * rate.log_scale[i];
      }
      return wire_displacement(vertex, w.curves(), somewhere + h * x_rate);
    };
    const double h = 1e-3;
    const Vec3 expected = (8.0 * (moved(h) - moved(-h)) - (moved(2 * h) - moved(-2 * h))) / (12 * h);
    const Vec3 found = wire_derivative(vertex, wire.curves(), somewhere)(rate.curves(), x_rate);
    EXPECT_LE(norm(found - expected), 1e-8 * norm(expected));
  }
}

// Two wires over the tube's spine, and a character that carries them.
struct WiredCharacter {
  Character character = rig_character();
  std::vector<Wire> wires;
  SimulationSurface surface;

  WiredCharacter() {
    std::vector<Vec3> right, left;
    for (const double share : {0.25, 0.4, 0.55, 0.7}) {
      right.push_back(on_tube(character, share, 1));
      left.push_back(on_tube(character, share, -1));
    }
    wires = {{count_from(add_control_nodes(character, spine_joint, "right", right), 4), 0.5},
             {count_from(add_control_nodes(character, spine_joint, "left", left), 4), 0.6}};
    surface = simulation_surface(character);
  }
};

TEST(WireLayer, LeavesTheSkinWhereNothingIsDisplaced) {
  const WiredCharacter wired;
  CharacterRig plain(wired.character, wired.surface), rig(wired.character, wired.surface);
  rig.add_layer(std::make_unique<WireLayer>("wires", wired.wires));
  std::vector<double> p = random_parameters(rig, 3);
  for (const Wire& wire : wired.wires)
    for (const int node : wire.controls)
      for (int k = 0; k < 10; ++k) p[static_cast<std::size_t>(rig.first_parameter(node) + k)] = 0;
  EXPECT_EQ(evaluated(rig, p), evaluated(plain, p));
  // Rotations of a control point mean nothing.
  for (const Wire& wire : wired.wires) p[static_cast<std::size_t>(rig.first_parameter(wire.controls[1]) + 4)] = 0.3;
  EXPECT_EQ(evaluated(rig, p), evaluated(plain, p));
}

TEST(WireLayer, MovesTheSurfaceByMetres) {
  const WiredCharacter wired;
  CharacterRig rig(wired.character, wired.surface);
  rig.add_layer(std::make_unique<WireLayer>("wires", std::vector<Wire>{wired.wires[0]}));
  const std::vector<double> rest = rest_parameters(rig);
  const std::vector<Vec3> still = evaluated(rig, rest);
  std::vector<double> p = rest;
  const Affine carrier = sample(wired.character.skeleton, nullptr, 0).world[spine_joint];
  const double scale = std::cbrt(determinant(carrier.linear));
  for (const int node : wired.wires[0].controls) p[static_cast<std::size_t>(rig.first_parameter(node))] = 0.05;
  const std::vector<Vec3> moved = evaluated(rig, p);
  // All control points alike: the vertex on the wire moves by as much, in the spine's direction of x.
  const Vec3 along = carrier.linear.column(0) / scale * 0.05;
  double largest = 0;
  for (std::size_t v = 0; v < still.size(); ++v) {
    const Vec3 d = moved[v] - still[v];
    EXPECT_LE(norm(cross(d, along)), 1e-12);
    largest = std::max(largest, norm(d));
  }
  EXPECT_NEAR(largest, norm(along), 0.01 * norm(along));
}

TEST(WireLayer, RidesWithTheSkeleton) {
  const WiredCharacter wired;
  CharacterRig rig(wired.character, wired.surface);
  rig.add_layer(std::make_unique<WireLayer>("wires", wired.wires));
  std::vector<double> p = random_parameters(rig, 11, 0.5);
  const std::vector<Vec3> before = evaluated(rig, p);
  // The root alone turns and moves: everything goes with it, but for vertices without weights.
  const auto root = static_cast<std::size_t>(rig.first_parameter(root_joint));
  const auto world = [&] { return to_affine(rig.local_transform(root_joint, p)); };
  const Affine old = world();
  p[root] += 0.3;
  p[root + 4] += 0.7;
  Affine motion = world() * inverse(old);
  motion.translation *= wired.character.metres_per_unit;
  const std::vector<Vec3> after = evaluated(rig, p);
  for (std::size_t v = 0; v < before.size(); ++v) EXPECT_LE(norm(after[v] - motion * before[v]), 1e-13);
}

TEST(WireLayer, WiresThatShareAVertexBlendByInfluence) {
  const WiredCharacter wired;
  CharacterRig plain(wired.character, wired.surface), both(wired.character, wired.surface);
  both.add_layer(std::make_unique<WireLayer>("wires", wired.wires, 2.0));
  const std::vector<double> rest = rest_parameters(both);
  std::vector<double> p = rest;
  for (const int node : wired.wires[0].controls) p[static_cast<std::size_t>(both.first_parameter(node) + 2)] = 0.04;
  const std::vector<Vec3> still = evaluated(plain, rest), moved = evaluated(both, p);
  const Pose pose = sample(wired.character.skeleton, nullptr, 0);
  std::vector<std::vector<Vec3>> controls(2);
  for (std::size_t w = 0; w < 2; ++w)
    for (const int node : wired.wires[w].controls)
      controls[w].push_back(pose.world[static_cast<std::size_t>(node)].translation * wired.character.metres_per_unit);
  const Vec3 along =
      pose.world[spine_joint].linear.column(2) / std::cbrt(determinant(pose.world[spine_joint].linear)) * 0.04;
  int shared = 0;
  for (std::size_t v = 0; v < still.size(); ++v) {
    double influence[2];
    for (std::size_t w = 0; w < 2; ++w) {
      const auto bound = bind_wire(controls[w], wired.wires[w].radius, std::vector<Vec3>{still[v]});
      influence[w] = bound.empty() ? 0 : bound[0].influence;
    }
    const double a = influence[0] * influence[0], b = influence[1] * influence[1];
    const Vec3 expected = a > 0 ? along * (influence[0] * a / (a + b)) : Vec3{};
    EXPECT_LE(norm(moved[v] - still[v] - expected), 1e-9);
    shared += a > 0 && b > 0;
  }
  EXPECT_GT(shared, 10);
}

TEST(WireLayer, TheJacobianGoesThroughLayers) {
  const WiredCharacter wired;
  CharacterRig rig(wired.character, wired.surface);
  rig.add_layer(std::make_unique<WireLayer>("wires", wired.wires));
  expect_exact_jacobian(rig, rest_parameters(rig), 1e-7);
  expect_exact_jacobian(rig, random_parameters(rig, 2, 0.7), 1e-7);
}

TEST(WireLayer, OnlyTranslationsOfControlPointsAreFree) {
  const WiredCharacter wired;
  CharacterRig rig(wired.character, wired.surface);
  rig.add_layer(std::make_unique<WireLayer>("wires", wired.wires));
  const auto first = static_cast<std::size_t>(rig.first_parameter(wired.wires[1].controls[2]));
  for (std::size_t k = 0; k < 10; ++k) EXPECT_EQ(rig.parameters()[first + k].free_by_default, k < 3);
  EXPECT_EQ(rig.parameters()[first].name, "left2.translation.x");
}

TEST(WireLayer, BitsDoNotDependOnWhatWasAskedBefore) {
  const WiredCharacter wired;
  const auto stacked = [&] {
    auto rig = std::make_unique<CharacterRig>(wired.character, wired.surface);
    rig->add_layer(std::make_unique<WireLayer>("layers[0]", std::vector<Wire>{wired.wires[0]}));
    rig->add_layer(std::make_unique<WireLayer>("layers[1]", wired.wires, 2.0));
    return rig;
  };
  const std::unique_ptr<CharacterRig> used = stacked();
  std::vector<double> p = random_parameters(*used, 4, 0.3);
  RigJacobian jacobian;
  for (std::size_t i = 0; i < p.size(); ++i) {
    p[i] += 0.05;  // one parameter at a time: everything that depends on it has to be noticed
    const std::unique_ptr<CharacterRig> fresh = stacked();
    if (i % 3 == 0) used->jacobian(p, std::vector<int>{static_cast<int>(i)}, jacobian);
    ASSERT_EQ(evaluated(*used, p), evaluated(*fresh, p)) << used->parameters()[i].name;
  }
}

TEST(WireLayer, DeterministicOnAnyNumberOfThreads) {
  const WiredCharacter wired;
  CharacterRig rig(wired.character, wired.surface);
  rig.add_layer(std::make_unique<WireLayer>("wires", wired.wires));
  const std::vector<double> p = random_parameters(rig, 2);
  std::vector<int> columns;
  for (std::size_t c = 0; c < p.size(); ++c) columns.push_back(static_cast<int>(c));
  expect_same_bits([&] {
    std::vector<double> numbers;
    for (const Vec3& x : evaluated(rig, p)) numbers.insert(numbers.end(), {x.x, x.y, x.z});
    RigJacobian jacobian;
    rig.jacobian(p, columns, jacobian);
    for (const Vec3& x : jacobian.derivative) numbers.insert(numbers.end(), {x.x, x.y, x.z});
    return numbers;
  });
}

TEST(WireLayer, RefusesWhatIsNoWire) {
  WiredCharacter wired;
  const int far = add_control_nodes(wired.character, spine_joint, "far", {{900, 0, 0}, {950, 0, 0}});
  const auto refused = [&](std::vector<Wire> wires, double blend = 1) {
    return refusal(ErrorKind::input, [&] {
      CharacterRig rig(wired.character, wired.surface);
      rig.add_layer(std::make_unique<WireLayer>("layers[0]", std::move(wires), blend));
    });
  };
  const std::vector<int> nodes = wired.wires[0].controls;
  EXPECT_NE(refused({{{nodes[0]}, 1}}).find("layers[0]: a wire needs at least two"), std::string::npos);
  EXPECT_NE(refused({{{nodes[0], nodes[0]}, 1}}).find("twice"), std::string::npos);
  EXPECT_NE(refused({{nodes, 0}}).find("radius"), std::string::npos);
  EXPECT_NE(refused({{nodes, NAN}}).find("radius"), std::string::npos);
  EXPECT_NE(refused({{{far, far + 1}, 1}}).find("reaches no vertex"), std::string::npos);
  EXPECT_NE(refused({{nodes, 1}}, 0).find("blend"), std::string::npos);
  EXPECT_NE(refused({{{nodes[0], spine_joint}, 1}}).find("'right0' hangs below control point 'spine'"),
            std::string::npos);
  EXPECT_NE(refused({{{nodes[0], matrix_node}, 1}}).find("node 'neck' cannot be a control point"), std::string::npos);
}

}  // namespace
}  // namespace sinew
