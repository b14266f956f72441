// Goals by dual quaternions, beside those of the program.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "sinew/rig/dual_quaternion.h"
#include "tests/runtime/surface_bodies.h"

namespace sinew {
namespace {

// A tube whose weights are exact in 16 bits: what is compared is the blending, not the file's rounding. Some vertices
// follow three bones.
SurfaceModel chain() {
  SurfaceModel model = test::tube(24, 16, 4);
  for (std::size_t v = 0; v < model.influences.size(); ++v) {
    Influences& on = model.influences[v];
    const double first = std::round(on.weight[0] * 65535);
    if (on.count == 2) on = test::influence({{on.joint[0], first / 65535}, {on.joint[1], (65535 - first) / 65535}});
    if (v % 7 == 0) on = test::influence({{1, 40000 / 65535.0}, {3, 20000 / 65535.0}, {2, 5535 / 65535.0}});
  }
  test::set_spokes(model);
  test::set_parameters(model, test::soft);
  return model;
}

// Bones that turn far, so that signs of quaternions differ; every second one stretches.
std::vector<Affine> wild_bones(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  std::vector<Affine> bones;
  for (std::size_t b = 0; b < count; ++b) {
    Affine bone = test::turned({number(random), number(random), number(random)}, 3 * number(random));
    bone.translation = {number(random), number(random), number(random)};
    if (b % 2 == 1) bone.linear = bone.linear * Mat3::diagonal({1.3, 0.8 + 0.2 * number(random), 1.1});
    bones.push_back(bone);
  }
  return bones;
}

// The program poses by bones that are rounded as the run-time's are.
std::vector<Vec3> by_program(const SurfaceModel& model, const std::vector<Affine>& exact) {
  std::vector<Affine> bones = exact;
  for (Affine& bone : bones)
    for (std::size_t row = 0; row < 3; ++row) {
      bone.translation[row] = static_cast<float>(bone.translation[row]);
      for (std::size_t k = 0; k < 3; ++k) bone.linear(row, k) = static_cast<float>(bone.linear(row, k));
    }
  std::vector<Vec3> result(model.rest.size());
  dual_quaternion_blend(model.rest, model.influences, bones, result);
  return result;
}

double most_apart(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double most = 0;
  for (std::size_t v = 0; v < a.size(); ++v) most = std::max(most, distance(a[v], b[v]));
  return most;
}

TEST(RuntimeSkinning, DualQuaternionsAreTheProgramsToFloatPrecision) {
  const SurfaceModel model = chain();
  const test::RuntimeModel opened(model);
  for (int level = SINEW_SCALAR; level < SINEW_SIMD_LEVELS; ++level) {
    if (!sinew_simd_works(static_cast<sinew_simd>(level))) continue;
    const test::RuntimeBody body(opened), linear(opened);
    test::must(sinew_body_use_simd(body.body, static_cast<sinew_simd>(level)));
    test::must(sinew_body_use_skinning(body.body, SINEW_DUAL_QUATERNIONS));
    for (unsigned seed = 1; seed <= 20; ++seed) {
      const std::vector<Affine> bones = wild_bones(model.bones.size(), seed);
      test::must(sinew_body_reset(body.body, test::to_bones(bones).data(), nullptr));
      test::must(sinew_body_reset(linear.body, test::to_bones(bones).data(), nullptr));
      const std::vector<Vec3> expected = by_program(model, bones);
      EXPECT_LT(most_apart(body.positions(), expected), 3e-6) << level << ' ' << seed;
      EXPECT_GT(most_apart(linear.positions(), expected), 0.01) << seed;
    }
  }
}

// Bones that turn the skin inside out, as those of a mirrored half of a rig may.
TEST(RuntimeSkinning, MirroredBonesAreTheProgramsToo) {
  const SurfaceModel model = chain();
  const test::RuntimeModel opened(model);
  for (int level = SINEW_SCALAR; level < SINEW_SIMD_LEVELS; ++level) {
    if (!sinew_simd_works(static_cast<sinew_simd>(level))) continue;
    const test::RuntimeBody body(opened);
    test::must(sinew_body_use_simd(body.body, static_cast<sinew_simd>(level)));
    test::must(sinew_body_use_skinning(body.body, SINEW_DUAL_QUATERNIONS));
    for (unsigned seed = 1; seed <= 20; ++seed) {
      std::vector<Affine> bones = wild_bones(model.bones.size(), seed);
      for (std::size_t b = 0; b < bones.size(); ++b) {
        const double side = seed % 2 == 0 || b % 2 == 0 ? -1 : 1;  // all of them, or some
        bones[b].linear = bones[b].linear * Mat3::diagonal({1.0, 1.1, 0.9 * side});
      }
      test::must(sinew_body_reset(body.body, test::to_bones(bones).data(), nullptr));
      EXPECT_LT(most_apart(body.positions(), by_program(model, bones)), 3e-6) << level << ' ' << seed;
    }
  }
}

// Steps, and frames between them, take their goals from the same skinning.
TEST(RuntimeSkinning, StepsAndFramesFollowDualQuaternions) {
  SurfaceModel model = chain();
  test::set_parameters(model, {0, 0, 0, 0, 1});  // flesh is at its goal
  const test::RuntimeModel opened(model);
  const test::RuntimeBody body(opened);
  test::must(sinew_body_use_skinning(body.body, SINEW_DUAL_QUATERNIONS));
  const auto twisted = [&](double radians) {
    std::vector<Affine> bones(model.bones.size());
    for (std::size_t b = 0; b < bones.size(); ++b) bones[b] = test::turned({0, 1, 0}, radians * static_cast<double>(b));
    return bones;
  };
  test::must(sinew_body_reset(body.body, test::to_bones(twisted(0)).data(), nullptr));
  for (int i = 1; i <= 40; ++i) test::must(sinew_body_step(body.body, test::to_bones(twisted(0.02 * i)).data()));
  EXPECT_LT(most_apart(body.positions(), by_program(model, twisted(0.8))), 1e-5);
  test::must(sinew_body_advance(body.body, test::to_bones(twisted(0.81)).data(), 0.5 * model.step, nullptr));
  EXPECT_LT(most_apart(body.positions(), by_program(model, twisted(0.81))), 1e-5);
}

// Half a turn between two bones: a tube of linear skinning has no thickness in the middle.
TEST(RuntimeSkinning, TwistedLimbsKeepTheirThicknessAndNormals) {
  SurfaceModel model = test::tube(25, 16, 2);
  const test::RuntimeModel opened(model);
  const test::Bones bones = test::to_bones({{}, test::turned({0, 1, 0}, 0.999 * std::numbers::pi)});
  const auto thinnest = [&](sinew_skinning skinning) {
    const test::RuntimeBody body(opened);
    test::must(sinew_body_use_skinning(body.body, skinning));
    test::must(sinew_body_reset(body.body, bones.data(), nullptr));
    const std::vector<Vec3> x = body.positions(), n = body.normals();
    double least = 1;
    for (std::size_t v = 0; v + 2 < x.size(); ++v) {  // without the caps
      const Vec3 out{x[v].x, 0, x[v].z};
      least = std::min(least, norm(out));
      if (skinning == SINEW_DUAL_QUATERNIONS && model.rest[v].y > 0.1 && model.rest[v].y < 0.9) {
        EXPECT_GT(dot(n[v], normalized(out)), 0.9999) << v;
      }
    }
    return least;
  };
  EXPECT_LT(thinnest(SINEW_LINEAR), 0.02);
  EXPECT_NEAR(thinnest(SINEW_DUAL_QUATERNIONS), 0.15, 1e-5);
}

TEST(RuntimeSkinning, IsChosenBeforeAReset) {
  const SurfaceModel model = chain();
  const test::RuntimeModel opened(model);
  const test::RuntimeBody body(opened);
  const test::Bones bones = test::rest_bones(model);
  EXPECT_EQ(sinew_body_use_skinning(nullptr, SINEW_LINEAR), SINEW_BAD_ARGUMENT);
  test::must(sinew_body_reset(body.body, bones.data(), nullptr));
  test::must(sinew_body_use_skinning(body.body, SINEW_LINEAR));
  EXPECT_EQ(sinew_body_step(body.body, bones.data()), SINEW_OK);
  test::must(sinew_body_use_skinning(body.body, SINEW_DUAL_QUATERNIONS));
  EXPECT_EQ(sinew_body_step(body.body, bones.data()), SINEW_NOT_RESET);
  test::must(sinew_body_reset(body.body, bones.data(), nullptr));
  EXPECT_LT(most_apart(body.positions(), model.rest), 1e-6);
}

}  // namespace
}  // namespace sinew
