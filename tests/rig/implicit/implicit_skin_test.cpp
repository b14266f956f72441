#include "sinew/rig/implicit/implicit_skin.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/base/threads/parallel.h"
#include "sinew/rig/dual_quaternion.h"
#include "sinew/rig/linear_blend.h"
#include "tests/character/two_bones.h"

namespace sinew {
namespace {

constexpr double degrees = std::numbers::pi / 180;

// One metre high, 0.24 m thick; weights change over the middle fifth.
const SimulationSurface& tube() {
  static const SimulationSurface surface = simulation_surface(test::two_bone_tube(48, 32, 1, 0.12, [](double height) {
    const double t = std::clamp((height - 0.4) / 0.2, 0.0, 1.0);
    return t * t * (3 - 2 * t);
  }));
  return surface;
}
const ImplicitSkin& fields() {
  static const std::shared_ptr<const ImplicitSkin> skin = implicit_skin(tube());
  return *skin;
}

// The upper bone bent to the side by an angle.
std::vector<Affine> bent(double angle) {
  const Mat3 turn = to_matrix(axis_angle({0, 0, 1}, angle));
  const Vec3 joint{0, 0.5, 0};
  return {Affine{}, Affine{turn, joint - turn * joint}};
}

std::vector<Vec3> dual_quaternions(const std::vector<Affine>& bones) {
  std::vector<Vec3> positions(tube().rest.positions.size());
  dual_quaternion_blend(tube().rest.positions, tube().influences, bones, positions);
  return positions;
}
std::vector<Vec3> implicitly(const std::vector<Affine>& bones) {
  std::vector<Vec3> positions = dual_quaternions(bones);
  project_skin(fields(), bones, positions);
  return positions;
}

// Distance of a place to its own half's side of the plane that halves the bend, metres; `height`: at rest, above the
// joint.
double beside(const Vec3& x, double height, double angle) {
  const Vec3 joint{0, 0.5, 0}, n{-std::sin(angle / 2), std::cos(angle / 2), 0};  // n: towards the upper half
  return std::copysign(1.0, height) * dot(x - joint, n);
}

// Vertices of one half of the tube inside of the other: beyond the plane that halves the bend, and nearer than the
// tube's radius to the other half's axis, by more than 3 % of that. Fields fitted to scattered points are not symmetric
// to the last per cent: where both halves meet is no plane to that.
std::vector<std::size_t> penetrating(const std::vector<Vec3>& x, double angle) {
  const Vec3 joint{0, 0.5, 0}, lower{0, -1, 0}, upper{-std::sin(angle), std::cos(angle), 0};
  const double tolerance = 0.03 * 0.12;
  std::vector<std::size_t> found;
  for (std::size_t v = 0; v < x.size(); ++v) {
    const double height = tube().rest.positions[v].y - 0.5;
    if (std::abs(height) < 1e-6 || beside(x[v], height, angle) > -tolerance) continue;
    const Vec3 to = x[v] - joint, other = height > 0 ? lower : upper;
    if (norm(to - std::max(0.0, dot(to, other)) * other) < 0.12 - tolerance) found.push_back(v);
  }
  return found;
}

TEST(ImplicitSkin, DividesATubeIntoItsBones) {
  ASSERT_EQ(fields().parts.size(), 2U);
  for (const ImplicitSkin::Part& part : fields().parts) EXPECT_NEAR(part.radius, 0.12, 0.06);
}

TEST(ImplicitSkin, RestIsRestToTheBit) {
  std::vector<Vec3> positions = tube().rest.positions;
  project_skin(fields(), std::vector<Affine>(2), positions);
  EXPECT_EQ(positions, tube().rest.positions);
}

TEST(ImplicitSkin, ABodyThatMovesAsOneKeepsItsPositionsToTheBit) {
  const Affine motion{to_matrix(axis_angle(normalized(Vec3{1, 2, 3}), 0.7)), {0.3, -0.2, 5}};
  const std::vector<Affine> bones{motion, motion};
  EXPECT_EQ(implicitly(bones), dual_quaternions(bones));
}

TEST(ImplicitSkin, MovesNothingAwayFromTheJoint) {
  const std::vector<Affine> bones = bent(90 * degrees);
  const std::vector<Vec3> base = dual_quaternions(bones), led = implicitly(bones);
  for (std::size_t v = 0; v < base.size(); ++v)
    if (std::abs(tube().rest.positions[v].y - 0.5) > 0.3) {
      EXPECT_EQ(led[v], base[v]) << v;
    }
}

TEST(ImplicitSkin, FoldsMeetWhereOthersPassThroughThemselves) {
  for (const double angle : {70.0, 90.0, 110.0, 135.0}) {
    const std::vector<Affine> bones = bent(angle * degrees);
    std::vector<Vec3> linear(tube().rest.positions.size());
    linear_blend(tube().rest.positions, tube().influences, bones, linear);
    EXPECT_GT(penetrating(linear, angle * degrees).size(), angle > 100 ? 100U : 10U) << angle;
    EXPECT_TRUE(penetrating(implicitly(bones), angle * degrees).empty()) << angle;
  }
}

// Skin that would pass through the other half comes to lie on the plane between them, by the tolerance of fields: no
// groove opens. At the joint's own centre fields have no direction.
TEST(ImplicitSkin, BothSidesOfAFoldMeetInOneSurface) {
  for (const double angle : {90.0, 110.0, 135.0}) {
    const std::vector<Affine> bones = bent(angle * degrees);
    const std::vector<Vec3> x = implicitly(bones);
    const std::vector<std::size_t> led = penetrating(dual_quaternions(bones), angle * degrees);
    const auto meets = std::count_if(led.begin(), led.end(), [&](std::size_t v) {
      return std::abs(beside(x[v], tube().rest.positions[v].y - 0.5, angle * degrees)) < 0.03 * 0.12;
    });
    EXPECT_GT(led.size(), 50U) << angle;
    EXPECT_GT(static_cast<double>(meets), 0.8 * static_cast<double>(led.size())) << angle;
  }
}

// A tube in another unit of length bends as this one does; grids are floats.
TEST(ImplicitSkin, SizeDoesNotMatter) {
  const std::vector<Vec3> expected = implicitly(bent(110 * degrees));
  for (const double scale : {100.0, 0.01}) {
    SimulationSurface surface = tube();
    for (Vec3& x : surface.rest.positions) x *= scale;
    for (Bone& bone : surface.bones)
      for (BoneSegment& s : bone.segments) s = {scale * s.head, scale * s.tail};
    std::vector<Affine> bones = bent(110 * degrees);
    for (Affine& bone : bones) bone.translation *= scale;
    std::vector<Vec3> positions(surface.rest.positions.size());
    dual_quaternion_blend(surface.rest.positions, surface.influences, bones, positions);
    project_skin(*implicit_skin(surface), bones, positions);
    double worst = 0;
    for (std::size_t v = 0; v < positions.size(); ++v)
      worst = std::max(worst, distance(positions[v] / scale, expected[v]));
    EXPECT_LT(worst, 1e-4) << scale;
  }
}

TEST(ImplicitSkin, SkinOnOneBoneHasNoFields) {
  SimulationSurface surface = tube();
  for (Influences& on : surface.influences) on = test::between(0, 1, 0);
  EXPECT_EQ(implicit_skin(surface), nullptr);
}

TEST(ImplicitSkin, BonesThatAreFlatOrNotFiniteLeaveSkinWhereItIs) {
  std::vector<Affine> bones = bent(90 * degrees);
  const std::vector<Vec3> before = dual_quaternions(bones);
  for (const double bad : {0.0, static_cast<double>(NAN)}) {
    for (Affine& bone : bones) bone.linear = Mat3::diagonal({1, 1, bad});
    std::vector<Vec3> positions = before;
    project_skin(fields(), bones, positions);
    EXPECT_EQ(positions, before);
  }
}

TEST(ImplicitSkin, SameBitsForAnyNumberOfThreads) {
  const std::vector<Affine> bones = bent(135 * degrees);
  const std::vector<Vec3> expected = implicitly(bones);
  for (const int threads : {1, 2, 4}) {
    set_thread_count(threads);
    EXPECT_EQ(implicitly(bones), expected) << threads;
  }
  set_thread_count(0);
}

}  // namespace
}  // namespace sinew
