#include "sinew/rig/implicit/implicit_skin.h"

#include <gtest/gtest.h>

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

// Vertices of one half of the tube inside of the other: beyond the plane that halves the bend, and nearer than the tube's
// radius to the other half's axis, by more than 3 % of that. Fields fitted to scattered points are not symmetric to the
// last per cent: where both halves meet is no plane to that.
int penetrating(const std::vector<Vec3>& x, double angle) {
  const Vec3 joint{0, 0.5, 0}, n{-std::sin(angle / 2), std::cos(angle / 2), 0};  // n: towards the upper half
  const Vec3 lower{0, -1, 0}, upper{-std::sin(angle), std::cos(angle), 0};
  const double tolerance = 0.03 * 0.12;
  int count = 0;
  for (std::size_t v = 0; v < x.size(); ++v) {
    const double height = tube().rest.positions[v].y - 0.5;
    if (std::abs(height) < 1e-6) continue;
    const Vec3 to = x[v] - joint, other = height > 0 ? lower : upper;
    if (std::copysign(1.0, height) * dot(to, n) > -tolerance) continue;
    if (norm(to - std::max(0.0, dot(to, other)) * other) < 0.12 - tolerance) ++count;
  }
  return count;
}

TEST(ImplicitSkin, DividesATubeIntoItsBones) {
  ASSERT_EQ(fields().parts.size(), 2U);
  EXPECT_EQ(fields().parts[1].parent, 0);
  for (const ImplicitSkin::Part& part : fields().parts) EXPECT_NEAR(part.radius, 0.12, 0.06);
}

TEST(ImplicitSkin, RestIsRestToTheBit) {
  std::vector<Vec3> positions = tube().rest.positions;
  project_skin(fields(), std::vector<Affine>(2), positions);
  EXPECT_EQ(positions, tube().rest.positions);
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
    EXPECT_GT(penetrating(linear, angle * degrees), angle > 100 ? 100 : 10) << angle;
    EXPECT_EQ(penetrating(implicitly(bones), angle * degrees), 0) << angle;
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
