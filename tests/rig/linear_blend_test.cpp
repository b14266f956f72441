#include "sinew/rig/linear_blend.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "tests/rounding.h"

namespace sinew {
namespace {

struct Scene {
  std::vector<Vec3> position, normal;
  std::vector<Influences> influences;
  std::vector<Affine> bone;  // the last one is for vertices without weight
  std::vector<FloatBone> float_bone;
  std::size_t bones = 0;
};

Scene random_scene(std::size_t vertices, std::size_t bones, int most, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto vector = [&] { return Vec3{uniform(generator), uniform(generator), uniform(generator)}; };
  Scene scene;
  scene.bones = bones;
  for (std::size_t b = 0; b <= bones; ++b) {
    const Quat q = normalized(Quat{uniform(generator), uniform(generator), uniform(generator), uniform(generator)});
    scene.bone.push_back({to_matrix(q), vector()});
    scene.float_bone.push_back(to_float_bone(scene.bone.back()));
  }
  for (std::size_t i = 0; i < vertices; ++i) {
    scene.position.push_back(vector());
    scene.normal.push_back(normalized(vector()));
    Influences v;
    v.count = static_cast<int>(generator() % static_cast<unsigned>(most + 1));
    double sum = 0;
    for (std::size_t k = 0; k < static_cast<std::size_t>(v.count); ++k) {
      v.joint[k] = static_cast<int>((generator() % 1000u * 7 + k) % bones);
      v.weight[k] = 0.05 + std::abs(uniform(generator));
      sum += v.weight[k];
    }
    for (double& w : v.weight) w = sum > 0 ? w / sum : 0;
    scene.influences.push_back(v);
  }
  return scene;
}

TEST(LinearBlend, OneBoneIsItsAffineMap) {
  const Scene scene = random_scene(50, 3, 0, 1);
  Influences all;
  all.count = 1;
  all.joint[0] = 2;
  all.weight[0] = 1;
  std::vector<Vec3> result(50);
  linear_blend(scene.position, std::vector<Influences>(50, all), scene.bone, result);
  for (std::size_t i = 0; i < 50; ++i) {
    const Vec3 expected = scene.bone[2] * scene.position[i];
    // Three products and sums for each number, of which none is much larger than the bone's.
    EXPECT_LT(distance(result[i], expected), test::rounding_of(1 + norm(scene.bone[2].translation), 6));
  }
}

TEST(LinearBlend, HalfWayBetweenTwoBonesIsTheMeanOfBoth) {
  Influences both;
  both.count = 2;
  both.joint = {0, 1};
  both.weight = {0.5, 0.5};
  const std::vector<Affine> bones{{Mat3::identity(), {2, 0, 0}},
                                  {to_matrix(axis_angle({0, 0, 1}, std::acos(-1.0))), {0, 0, 0}}};
  std::vector<Vec3> result(1);
  linear_blend(std::vector<Vec3>{{1, 1, 1}}, std::vector<Influences>{both}, bones, result);
  // The candy wrapper: radius lost. Two bones of three products and sums each, the angle's own rounding among them.
  EXPECT_LT(distance(result[0], {1, 0, 1}), test::rounding_of(2, 2 * 4));
}

TEST(LinearBlend, PointsWithoutWeightStayAndBadIndicesAreErrors) {
  const std::vector<Vec3> point{{1, 2, 3}};
  std::vector<Vec3> result(1);
  std::vector<Influences> influences(1);
  linear_blend(point, influences, {}, result);
  EXPECT_EQ(result[0], point[0]);
  influences[0].count = 1;
  influences[0].joint[0] = 4;
  influences[0].weight[0] = 1;
  const std::vector<Affine> bones(4);
  EXPECT_THROW(linear_blend(point, influences, bones, result), Error);
  EXPECT_THROW(pack_skin(point, {}, influences, 4), Error);
  EXPECT_THROW(pack_skin(point, {}, influences, most_packed_bones + 1), Error);
  influences[0].joint[0] = 0;
  influences[0].weight[0] = std::nan("");
  EXPECT_THROW(pack_skin(point, {}, influences, 4), Error);
  influences[0].count = 9;
  EXPECT_THROW(linear_blend(point, influences, bones, result), Error);
}

TEST(Skin, KernelReferenceAndDoublePrecisionAgree) {
  for (const std::size_t vertices : {0u, 1u, 2u, 3u, 17u, 5000u}) {
    Scene scene = random_scene(vertices, 60, 4, 2);
    const PackedSkin packed = pack_skin(scene.position, scene.normal, scene.influences, scene.bones);
    EXPECT_EQ(packed.largest_dropped_weight, 0);
    // A guard behind each output: nothing may be written there.
    std::vector<float> positions(3 * vertices + 4, 99.0f), normals(positions), reference(positions),
        reference_normals(positions);
    const auto view = [&](std::vector<float>& v) { return std::span(v).first(3 * vertices); };
    skin(packed, scene.float_bone, view(positions), vertices > 0 ? view(normals) : std::span<float>());
    skin_reference(packed, scene.float_bone, view(reference),
                   vertices > 0 ? view(reference_normals) : std::span<float>());
    for (std::size_t i = 0; i < vertices; ++i) {
      const Influences& v = scene.influences[i];
      const Affine map = v.count > 0 ? blended_bone(v, scene.bone) : scene.bone.back();
      const Vec3 expected = map * scene.position[i], expected_normal = map.linear * scene.normal[i];
      for (std::size_t c = 0; c < 3; ++c) {
        ASSERT_NEAR(positions[3 * i + c], reference[3 * i + c], 1e-6);
        ASSERT_NEAR(positions[3 * i + c], expected[c], 2e-6);
        ASSERT_NEAR(normals[3 * i + c], reference_normals[3 * i + c], 1e-6 / norm(expected_normal));
        ASSERT_NEAR(normals[3 * i + c], normalized(expected_normal)[c], 2e-6 / norm(expected_normal));
      }
    }
    for (std::size_t i = 3 * vertices; i < positions.size(); ++i) {
      EXPECT_EQ(positions[i], 99.0f);
      EXPECT_EQ(normals[i], 99.0f);
    }
    std::vector<float> alone(positions.size(), 99.0f);
    skin(packed, scene.float_bone, view(alone));
    EXPECT_EQ(alone, positions);
  }
}

TEST(Skin, KeepsTheFourLargestInfluences) {
  Influences many;
  many.count = 6;
  many.joint = {0, 1, 2, 3, 4, 5};
  many.weight = {0.05, 0.3, 0.1, 0.25, 0.1, 0.2};
  const PackedSkin packed = pack_skin(std::vector<Vec3>(1), {}, std::vector<Influences>{many}, 6);
  const std::size_t kept[4] = {1, 3, 5, 2};
  for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(packed.bone_offset[k], kept[k] * bone_offsets_per_bone);
  EXPECT_NEAR(packed.largest_dropped_weight, 0.15, 1e-15);
  float sum = 0;
  for (const float w : packed.weight) sum += w;
  EXPECT_NEAR(sum, 1, 1e-6);
  EXPECT_NEAR(packed.weight[0], 0.3 / 0.85, 1e-7);
}

TEST(Skin, AsManyBonesAsThereMayBe) {
  Influences last;
  last.count = 1;
  last.joint[0] = static_cast<int>(most_packed_bones) - 1;
  last.weight[0] = 1;
  std::vector<FloatBone> bones(most_packed_bones + 1);
  bones[most_packed_bones - 1].m[12] = 3;
  bones[most_packed_bones].m[13] = 4;
  const PackedSkin packed =
      pack_skin(std::vector<Vec3>(2), {}, std::vector<Influences>{last, Influences{}}, most_packed_bones);
  std::vector<float> p(6);
  skin(packed, bones, p);
  EXPECT_EQ(p, (std::vector<float>{3, 0, 0, 0, 4, 0}));
}

TEST(Skin, NormalsThatVanishStayZero) {
  Influences one;
  one.count = 1;
  one.weight[0] = 1;
  const std::vector<Vec3> points(3, Vec3{1, 2, 3}), normals(3);
  const PackedSkin packed = pack_skin(points, normals, std::vector<Influences>(3, one), 1);
  std::vector<float> p(9), n(9, 5.0f);
  skin(packed, std::vector<FloatBone>(2), p, n);
  EXPECT_EQ(n, std::vector<float>(9, 0.0f));
  EXPECT_EQ(p, (std::vector<float>{1, 2, 3, 1, 2, 3, 1, 2, 3}));
}

TEST(Skin, SameBitsForAnyNumberOfThreads) {
  const Scene scene = random_scene(50000, 40, 4, 3);
  const PackedSkin packed = pack_skin(scene.position, scene.normal, scene.influences, scene.bones);
  std::vector<float> first;
  for (const int threads : {1, 2, 4}) {
    set_thread_count(threads);
    std::vector<float> p(150000), n(150000);
    skin(packed, scene.float_bone, p, n);
    p.insert(p.end(), n.begin(), n.end());
    if (first.empty()) first = p;
    EXPECT_EQ(std::memcmp(first.data(), p.data(), p.size() * sizeof(float)), 0);
  }
  set_thread_count(0);
}

TEST(Skin, WrongSizesAreErrors) {
  const Scene scene = random_scene(10, 4, 4, 4);
  const PackedSkin packed = pack_skin(scene.position, {}, scene.influences, scene.bones);
  std::vector<float> p(30), short_output(29);
  EXPECT_THROW(skin(packed, std::vector<FloatBone>(4), p), Error);
  EXPECT_THROW(skin(packed, scene.float_bone, short_output), Error);
  EXPECT_THROW(skin(packed, scene.float_bone, p, p), Error);
}

}  // namespace
}  // namespace sinew
