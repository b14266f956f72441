// Rough handling: files that lie, parameters at the ends of their ranges, rigs that collapse.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <random>

#include "sinew/base/error.h"
#include "tests/runtime/surface_bodies.h"

namespace sinew {
namespace {

// What a file's checksum must be, so that damage gets past it.
void set_checksum_of_any(std::vector<std::byte>& file) {
  if (file.size() < 32) return;
  std::uint64_t hash = 14695981039346656037u;
  for (std::size_t i = 0; i < file.size(); ++i)
    if (i < 24 || i >= 32) hash = (hash ^ std::to_integer<std::uint64_t>(file[i])) * 1099511628211u;
  for (std::size_t i = 0; i < 8; ++i) file[24 + i] = static_cast<std::byte>(hash >> (8 * i) & 255);
}

void expect_finite(const test::RuntimeBody& body, double largest) {
  for (const Vec3& p : body.positions()) {
    ASSERT_TRUE(is_finite(p));
    ASSERT_LT(norm(p), largest);
  }
  for (const Vec3& n : body.normals()) ASSERT_NEAR(norm(n), 1, 1e-3);
}

// Opens a file in exactly the memory that was asked for and makes some steps; true where it was taken for good.
bool survives(const std::vector<std::byte>& file) {
  std::size_t bytes = 0;
  const sinew_status status = sinew_model_memory(file.data(), file.size(), &bytes);
  if (status != SINEW_OK) {
    EXPECT_NE(std::strlen(sinew_sentence(status)), 0u);
    return false;
  }
  const test::RuntimeModel model(file);
  const test::RuntimeBody body(model);
  sinew_model_facts facts;
  sinew_model_get_facts(model.model, &facts);
  const test::Bones bones = test::to_bones(std::vector<Affine>(facts.bones, test::turned({0, 0, 1}, 0.3)));
  test::must(sinew_body_reset(body.body, bones.data(), nullptr));
  for (int i = 0; i < 3; ++i) test::must(sinew_body_step(body.body, bones.data()));
  for (const Vec3& p : body.positions()) EXPECT_TRUE(is_finite(p));
  return true;
}

TEST(HostileModel, EveryByteFlippedOrFileCutNeverCrashes) {
  for (const ShapeReference reference : {ShapeReference::rig, ShapeReference::rest}) {
    SurfaceModel model = test::tube(3, 4, 2);
    model.reference = reference;
    test::set_parameters(model, test::soft);
    if (reference == ShapeReference::rest) test::set_shapes(model);
    const std::vector<std::byte> good = cook_runtime_file(model);
    ASSERT_TRUE(survives(good));
    int refused = 0;
    for (std::size_t i = 0; i < good.size(); ++i) {
      for (const int mask : {0x01, 0x80, 0xff}) {
        std::vector<std::byte> bad = good;
        bad[i] ^= static_cast<std::byte>(mask);
        EXPECT_FALSE(survives(bad)) << "byte " << i << " without its checksum";
        set_checksum_of_any(bad);
        refused += !survives(bad);
      }
      std::vector<std::byte> cut(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(i));
      EXPECT_FALSE(survives(cut));
      set_checksum_of_any(cut);
      EXPECT_FALSE(survives(cut));
    }
    EXPECT_GT(refused, static_cast<int>(good.size())) << "most damage is named, not lived with";
  }
}

TEST(HostileModel, TheReaderOfToolsRefusesWithASentence) {
  std::vector<std::byte> file = cook_runtime_file(test::tube(3, 4));
  file[100] ^= std::byte{1};
  try {
    read_runtime_file(file, "hero.sinew");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_EQ(std::string(error.what()).rfind("hero.sinew: ", 0), 0u);
  }
  EXPECT_THROW(read_runtime_file({}, "nothing"), Error);
}

TEST(HostileModel, CookingRefusesWhatAFileCannotHold) {
  const auto refuses = [](auto&& change) {
    SurfaceModel model = test::tube(4, 5);
    change(model);
    EXPECT_THROW(cook_runtime_file(model), Error);
  };
  refuses([](SurfaceModel& m) { m.rest[3].x = std::numeric_limits<double>::quiet_NaN(); });
  refuses([](SurfaceModel& m) { m.rest[3].x = 1e5; });
  refuses([](SurfaceModel& m) { m.neighbours[2] = 1000; });
  refuses([](SurfaceModel& m) { m.first_neighbour[2] = 1000; });
  refuses([](SurfaceModel& m) { m.spokes[2].segment = -1; });
  refuses([](SurfaceModel& m) { m.spokes[0].weight = -1; });
  refuses([](SurfaceModel& m) { m.influences[2].joint[0] = 2; });
  refuses([](SurfaceModel& m) { m.influences[2].weight[0] = std::numeric_limits<double>::infinity(); });
  refuses([](SurfaceModel& m) { m.step = 0; });
  refuses([](SurfaceModel& m) { m.shape.resize(3); });
  refuses([](SurfaceModel& m) { m.normals.pop_back(); });
  refuses([](SurfaceModel& m) { m.parts[0].vertex_of[1] = 1000; });
  refuses([](SurfaceModel& m) { m.bones[0].name = std::string("a\0b", 3); });
}

TEST(RuntimeCalls, BadArgumentsChangeNothing) {
  const SurfaceModel model = test::tube(8, 8);
  const test::RuntimeModel opened(model);
  const test::RuntimeBody body(opened);
  const test::Bones bones = test::rest_bones(model);
  test::Bones bad = bones;
  bad[5] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(sinew_body_step(body.body, bones.data()), SINEW_NOT_RESET);
  EXPECT_EQ(sinew_body_reset(body.body, bad.data(), nullptr), SINEW_NOT_FINITE);
  EXPECT_EQ(sinew_body_records(body.body), nullptr);
  test::must(sinew_body_reset(body.body, bones.data(), nullptr));
  const auto before = body.positions();
  EXPECT_EQ(sinew_body_step(body.body, bad.data()), SINEW_NOT_FINITE);
  EXPECT_EQ(sinew_body_step(body.body, nullptr), SINEW_BAD_ARGUMENT);
  EXPECT_EQ(sinew_body_advance(body.body, bones.data(), -1, nullptr), SINEW_NOT_FINITE);
  const float point[3] = {0, 0, std::numeric_limits<float>::infinity()}, fine[3] = {0, 0, 0};
  EXPECT_EQ(sinew_body_poke(body.body, point, 1, fine), SINEW_NOT_FINITE);
  EXPECT_EQ(sinew_body_poke(body.body, fine, 0, fine), SINEW_NOT_FINITE);
  EXPECT_EQ(sinew_body_hold(body.body, 100000, fine), SINEW_BAD_ARGUMENT);
  for (std::uint32_t v = 0; v < SINEW_MOST_HELD; ++v) EXPECT_EQ(sinew_body_hold(body.body, v, fine), SINEW_OK);
  EXPECT_EQ(sinew_body_hold(body.body, 65, fine), SINEW_TOO_MANY_HELD);
  EXPECT_EQ(sinew_body_hold(body.body, 3, fine), SINEW_OK);
  EXPECT_EQ(sinew_body_shape(body.body, 1, nullptr, 0, nullptr, 0), SINEW_BAD_ARGUMENT);
  EXPECT_EQ(sinew_body_use_simd(body.body, SINEW_SIMD_LEVELS), SINEW_NO_SUCH_SIMD);
  const auto after = body.positions();
  for (std::size_t v = 0; v < before.size(); ++v) EXPECT_EQ(before[v], after[v]);

  const std::vector<std::byte> file = cook_runtime_file(model);
  std::size_t bytes = 0;
  test::must(sinew_model_memory(file.data(), file.size(), &bytes));
  const test::Aligned memory = test::aligned(bytes + 64);
  const sinew_model* none = nullptr;
  EXPECT_EQ(sinew_model_open(file.data(), file.size(), memory.get(), bytes - 1, &none), SINEW_TOO_LITTLE_MEMORY);
  EXPECT_EQ(sinew_model_open(file.data(), file.size(), static_cast<char*>(memory.get()) + 4, bytes, &none),
            SINEW_NO_ALIGNMENT);
  EXPECT_EQ(none, nullptr);
}

// 100,000 steps of random goals, pokes and parameters at the ends of their ranges, over all kinds of registers.
TEST(RuntimeStability, StaysBoundedWhateverHappens) {
  for (const ShapeReference reference : {ShapeReference::rig, ShapeReference::rest}) {
    SurfaceModel model = test::tube(8, 7, 3);
    model.reference = reference;
    model.reach = 0.4;
    if (reference == ShapeReference::rest) test::set_shapes(model);
    std::mt19937 generator(11);
    std::uniform_real_distribution<double> uniform(0, 1);
    const auto end = [&] { return uniform(generator) < 0.5 ? 0.0 : 1.0; };
    const test::RuntimeModel opened(model);
    std::vector<sinew_simd> levels;
    for (int level = SINEW_SCALAR; level < SINEW_SIMD_LEVELS; ++level)
      if (sinew_simd_works(static_cast<sinew_simd>(level))) levels.push_back(static_cast<sinew_simd>(level));
    const test::RuntimeBody body(opened);
    test::must(sinew_body_reset(body.body, test::rest_bones(model).data(), nullptr));
    std::vector<float> parameters(SINEW_PARAMETERS * model.rest.size());
    for (int i = 0; i < 50000; ++i) {
      if (i % 500 == 0) {
        test::must(sinew_body_use_simd(body.body, levels[static_cast<std::size_t>(i / 500) % levels.size()]));
        for (std::size_t k = 0; k < parameters.size(); ++k)
          parameters[k] = static_cast<float>(end() * (k % SINEW_PARAMETERS == SINEW_LAMBDA ? 0.5 : 1));
        test::must(sinew_body_use_parameters(body.body, i % 5000 == 0 ? nullptr : parameters.data()));
      }
      // Jumps, flattened and mirrored bones, and long rests.
      const double size = i % 7 == 0 ? 0 : i % 11 == 0 ? -1 : 1;
      std::vector<Affine> matrices(3);
      for (Affine& m : matrices) {
        m = test::turned({uniform(generator) - 0.5, uniform(generator), uniform(generator)}, 6 * uniform(generator));
        m.linear = m.linear * Mat3::diagonal({size, 1, 1});
        m.translation = Vec3{uniform(generator), uniform(generator), uniform(generator)} * 2.0;
      }
      if (i % 40 < 20)
        test::must(sinew_body_step(body.body, test::to_bones(matrices).data()));
      else
        test::must(sinew_body_step(body.body, test::rest_bones(model).data()));
      if (i % 13 == 0) {
        const float centre[3] = {0, static_cast<float>(uniform(generator)), 0};
        const float push[3] = {static_cast<float>(200 * (uniform(generator) - 0.5)), 1e4f, 0};
        test::must(sinew_body_poke(body.body, centre, 0.5f, push));
      }
      if (i % 250 == 0) expect_finite(body, 8);
    }
    expect_finite(body, 8);
  }
}

TEST(RuntimeStability, DegenerateSpokesAndBonesAreDefined) {
  for (const ShapeReference reference : {ShapeReference::rig, ShapeReference::rest}) {
    SurfaceModel model = test::tube(10, 9, 2);
    model.reference = reference;
    test::set_parameters(model, {0.05, 0.2, 0.4, 0.2, 0.05});
    model.segments[0].tail = model.segments[0].head;  // no length
    model.rest[4] = {0, 0.2, 0};                      // on a bone
    model.rest[60] = model.segments[0].head;          // at its very point
    const test::RuntimeModel opened(model);
    const test::RuntimeBody body(opened);
    test::must(sinew_body_reset(body.body, test::rest_bones(model).data(), nullptr));
    for (int i = 0; i < 300; ++i) {
      Affine wide;
      wide.linear = Mat3::diagonal({2, 0.5, 1.5});
      test::must(sinew_body_step(body.body, test::to_bones({wide, wide}).data()));
    }
    expect_finite(body, 3);
  }
}

// A bone that is scaled across keeps its flesh where the rig puts it: spokes grow by what the bone's matrix makes of
// its cross-section.
TEST(RuntimeStability, SpokesGrowWithTheBonesCrossSection) {
  SurfaceModel model = test::tube(20, 24, 1);
  model.reference = ShapeReference::rest;
  test::set_parameters(model, {0.01, 0, 0.5, 0.2, 0.2});
  const test::RuntimeModel opened(model);
  const test::RuntimeBody body(opened);
  Affine wide;
  wide.linear = Mat3::diagonal({1.7, 0.8, 1.7});
  const test::Bones bones = test::to_bones({wide});
  test::must(sinew_body_reset(body.body, bones.data(), nullptr));
  const auto goal = body.positions();
  for (int i = 0; i < 600; ++i) test::must(sinew_body_step(body.body, bones.data()));
  const auto rested = body.positions();
  for (std::size_t v = 24; v + 26 < goal.size(); ++v) EXPECT_LT(distance(goal[v], rested[v]), 1e-5) << v;
}

}  // namespace
}  // namespace sinew
