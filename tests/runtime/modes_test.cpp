// Low-frequency modes in the run-time: the file that carries them, every kind of registers, threads, saving, hands,
// frames of any length, and a hundred thousand steps of anything.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <thread>

#include "sinew/base/error.h"
#include "tests/runtime/mode_bodies.h"
#include "tests/runtime/surface_bodies.h"

namespace sinew {
namespace {

SurfaceModel swaying(double coupling = 0) {
  SurfaceModel model = test::tube(12, 10, 3);
  test::set_parameters(model, test::soft);
  test::add_modes(model);
  model.mode_coupling = coupling;
  return model;
}

test::Bones dance(const SurfaceModel& model, int step) {
  return test::bent(model, 0.3 * std::sin(0.1 * step), {0.1 * std::sin(0.13 * step), 0, 0.05 * std::sin(0.2 * step)});
}

double farthest(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, distance(a[i], b[i]));
  return largest;
}

std::vector<float> coordinates_of(const test::RuntimeBody& body) {
  std::vector<float> q(SINEW_MOST_MODES);
  test::must(sinew_body_modes(body.body, q.data()));
  return q;
}

TEST(RuntimeModes, ComeBackFromTheFileWithinSixteenBits) {
  const SurfaceModel model = swaying(0.3);
  const std::vector<std::byte> file = cook_runtime_file(model);
  const SurfaceModel back = read_runtime_file(file, "tube");
  ASSERT_EQ(back.modes.size(), model.modes.size());
  EXPECT_FLOAT_EQ(static_cast<float>(back.mode_coupling), 0.3f);
  for (std::size_t k = 0; k < model.modes.size(); ++k) {
    EXPECT_EQ(back.modes[k].frequency, static_cast<double>(static_cast<float>(model.modes[k].frequency)));
    EXPECT_EQ(back.modes[k].damping_ratio, static_cast<double>(static_cast<float>(model.modes[k].damping_ratio)));
    for (std::size_t b = 0; b < model.bones.size(); ++b) {
      EXPECT_LT(distance(back.modes[k].drive[b].translation, model.modes[k].drive[b].translation), 1e-6);
      EXPECT_LT(frobenius_norm(back.modes[k].drive[b].linear + model.modes[k].drive[b].linear * -1.0), 1e-6);
    }
    for (std::size_t v = 0; v < model.rest.size(); ++v)
      for (std::size_t c = 0; c < 3; ++c)
        EXPECT_NEAR(back.modes[k].shape[v][c], model.modes[k].shape[v][c], 0.5001 / 32767);
  }
  EXPECT_EQ(cook_runtime_file(back), file);  // nothing more is lost
  const test::RuntimeModel opened(file);
  sinew_model_facts facts;
  sinew_model_get_facts(opened.model, &facts);
  EXPECT_EQ(facts.modes, 4u);
}

TEST(RuntimeModes, AModelWithoutThemHasTheFileThatItAlwaysHad) {
  SurfaceModel model = swaying();
  const std::size_t with = cook_runtime_file(model).size(), n = model.rest.size(), bones = model.bones.size();
  model.modes.clear();
  const std::vector<std::byte> file = cook_runtime_file(model);
  EXPECT_EQ(with - file.size(), (4 * (16 + 48 * bones + 6 * n) + 3) / 4 * 4);
  for (std::size_t i = 80; i < 96; ++i) EXPECT_EQ(file[i], std::byte{0});
  const test::RuntimeModel opened(file);
  const test::RuntimeBody body(opened);
  test::must(sinew_body_reset(body.body, dance(model, 0).data(), nullptr));
  for (int s = 1; s < 20; ++s) test::must(sinew_body_step(body.body, dance(model, s).data()));
  for (const float q : coordinates_of(body)) EXPECT_EQ(q, 0.0f);
}

TEST(RuntimeModes, CookingRefusesWhatAFileCannotHold) {
  const auto refuses = [](auto&& change) {
    SurfaceModel model = swaying();
    change(model);
    EXPECT_THROW(cook_runtime_file(model), Error);
  };
  refuses([](SurfaceModel& m) { m.modes.resize(17, m.modes[0]); });
  refuses([](SurfaceModel& m) { m.modes[1].frequency = 0; });
  refuses([](SurfaceModel& m) { m.modes[1].frequency = 0.3 / m.step; });
  refuses([](SurfaceModel& m) { m.modes[1].damping_ratio = 1.1; });
  refuses([](SurfaceModel& m) { m.modes[1].shape.pop_back(); });
  refuses([](SurfaceModel& m) { m.modes[1].shape[3].x = std::numeric_limits<double>::quiet_NaN(); });
  refuses([](SurfaceModel& m) { m.modes[1].shape[3].x = 2; });
  refuses([](SurfaceModel& m) { m.modes[2].drive.pop_back(); });
  refuses([](SurfaceModel& m) { m.modes[2].drive[0].linear(1, 1) = std::numeric_limits<double>::infinity(); });
  refuses([](SurfaceModel& m) { m.mode_coupling = -1; });
  refuses([](SurfaceModel& m) { m.modes.clear(), m.mode_coupling = 1; });
}

void set_checksum(std::vector<std::byte>& file) {
  std::uint64_t hash = 14695981039346656037u;
  for (std::size_t i = 0; i < file.size(); ++i)
    if (i < 24 || i >= 32) hash = (hash ^ std::to_integer<std::uint64_t>(file[i])) * 1099511628211u;
  for (std::size_t i = 0; i < 8; ++i) file[24 + i] = static_cast<std::byte>(hash >> (8 * i) & 255);
}

TEST(RuntimeModes, EveryByteFlippedIsRefusedOrLivedWith) {
  SurfaceModel model = test::tube(3, 4, 2);
  test::add_modes(model);
  model.modes.resize(2);
  model.mode_coupling = 0.5;
  const std::vector<std::byte> good = cook_runtime_file(model);
  for (std::size_t i = 0; i < good.size(); ++i)
    for (const int mask : {0x01, 0x40, 0x80, 0xff}) {
      std::vector<std::byte> bad = good;
      bad[i] ^= static_cast<std::byte>(mask);
      set_checksum(bad);
      std::size_t bytes = 0;
      if (sinew_model_memory(bad.data(), bad.size(), &bytes) != SINEW_OK) continue;
      EXPECT_NO_THROW(cook_runtime_file(read_runtime_file(bad, "bad")));
      const test::RuntimeModel opened(bad);
      const test::RuntimeBody body(opened);
      sinew_model_facts facts;
      sinew_model_get_facts(opened.model, &facts);
      for (int s = 0; s < 4; ++s) {
        const test::Bones bones = test::to_bones(std::vector<Affine>(facts.bones, test::turned({0, 1, 1}, 0.4 * s)));
        test::must(s == 0 ? sinew_body_reset(body.body, bones.data(), nullptr)
                          : sinew_body_step(body.body, bones.data()));
      }
      for (const Vec3& p : body.positions()) ASSERT_TRUE(is_finite(p)) << "byte " << i;
    }
}

TEST(RuntimeModes, EveryKindOfRegistersShowsTheSame) {
  const SurfaceModel model = swaying(0.4);
  const test::RuntimeModel opened(model);
  std::vector<Vec3> scalar;
  for (int level = 0; level < SINEW_SIMD_LEVELS; ++level) {
    if (!sinew_simd_works(static_cast<sinew_simd>(level))) continue;
    const test::RuntimeBody body(opened);
    test::must(sinew_body_use_simd(body.body, static_cast<sinew_simd>(level)));
    test::must(sinew_body_reset(body.body, dance(model, 0).data(), nullptr));
    for (int s = 1; s <= 120; ++s) test::must(sinew_body_step(body.body, dance(model, s).data()));
    if (level == 0) scalar = body.positions();
    EXPECT_LT(farthest(body.positions(), scalar), 1e-6) << sinew_simd_name(static_cast<sinew_simd>(level));
  }
}

struct HostThreads {
  static void run(void*, std::uint32_t tasks, void (*task)(void*, std::uint32_t), void* work) {
    std::atomic<std::uint32_t> next{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t)
      threads.emplace_back([&] {
        for (std::uint32_t i = next++; i < tasks; i = next++) task(work, tasks - 1 - i);
      });
    for (std::thread& thread : threads) thread.join();
  }
};

TEST(RuntimeModes, ThreadsChangeNoBit) {
  SurfaceModel model = test::tube(60, 30, 3);
  test::set_parameters(model, test::soft);
  test::add_modes(model);
  model.mode_coupling = 0.4;
  const test::RuntimeModel opened(model);
  std::vector<Vec3> alone;
  for (const bool threaded : {false, true}) {
    const test::RuntimeBody body(opened);
    const sinew_threads host{HostThreads::run, nullptr, 3};
    if (threaded) test::must(sinew_body_use_threads(body.body, &host));
    test::must(sinew_body_reset(body.body, dance(model, 0).data(), nullptr));
    for (int s = 1; s <= 60; ++s) test::must(sinew_body_step(body.body, dance(model, s).data()));
    if (!threaded) alone = body.positions();
    EXPECT_EQ(farthest(body.positions(), alone), 0);
  }
}

TEST(RuntimeModes, SavedAndLoadedGoOnWithTheSameBits) {
  const SurfaceModel model = swaying(0.4);
  const test::RuntimeModel opened(model);
  const test::RuntimeBody first(opened), second(opened);
  test::must(sinew_body_reset(first.body, dance(model, 0).data(), nullptr));
  for (int s = 1; s <= 30; ++s) test::must(sinew_body_step(first.body, dance(model, s).data()));
  std::vector<unsigned char> state(sinew_body_state_size(opened.model));
  test::must(sinew_body_save(first.body, state.data(), state.size()));
  test::must(sinew_body_load(second.body, state.data(), state.size()));
  EXPECT_EQ(coordinates_of(second), coordinates_of(first));
  for (int s = 31; s <= 60; ++s) {
    test::must(sinew_body_step(first.body, dance(model, s).data()));
    test::must(sinew_body_step(second.body, dance(model, s).data()));
  }
  EXPECT_EQ(farthest(second.positions(), first.positions()), 0);
  EXPECT_EQ(coordinates_of(second), coordinates_of(first));
}

TEST(RuntimeModes, AnotherOriginChangesNothingElse) {
  const SurfaceModel model = swaying(0.4);
  const test::RuntimeModel opened(model);
  const test::RuntimeBody here(opened), there(opened);
  test::must(sinew_body_reset(here.body, dance(model, 0).data(), nullptr));
  test::must(sinew_body_reset(there.body, dance(model, 0).data(), nullptr));
  const float shift[3] = {0.5f, -0.25f, 2};
  for (int s = 1; s <= 60; ++s) {
    test::Bones bones = dance(model, s);
    test::must(sinew_body_step(here.body, bones.data()));
    if (s == 30) test::must(sinew_body_rebase(there.body, shift));
    if (s >= 30)
      for (std::size_t k = 0; k < bones.size(); k += 4) bones[k + 3] -= shift[k / 4 % 3];
    test::must(sinew_body_step(there.body, bones.data()));
  }
  std::vector<Vec3> back = there.positions();
  for (Vec3& p : back) p += Vec3{0.5, -0.25, 2};
  EXPECT_LT(farthest(back, here.positions()), 2e-5);
}

TEST(RuntimeModes, AHeldVertexIsWhereItIsHeldAndVelocitiesAreThoseOfWhatIsShown) {
  const SurfaceModel model = swaying();
  const test::RuntimeModel opened(model);
  const test::RuntimeBody body(opened);
  test::must(sinew_body_reset(body.body, dance(model, 0).data(), nullptr));
  for (int s = 1; s <= 40; ++s) test::must(sinew_body_step(body.body, dance(model, s).data()));
  const std::vector<Vec3> before = body.positions();
  const float at[3] = {static_cast<float>(before[70].x + 0.02), static_cast<float>(before[70].y),
                       static_cast<float>(before[70].z)};
  test::must(sinew_body_hold(body.body, 70, at));
  test::must(sinew_body_step(body.body, dance(model, 41).data()));
  const std::vector<Vec3> after = body.positions(), velocity = body.velocities();
  EXPECT_LT(distance(after[70], {at[0], at[1], at[2]}), 1e-6);
  double moved = 0;
  std::vector<float> offsets(3 * model.rest.size());
  test::must(sinew_body_mode_offsets(body.body, offsets.data(), 12));
  for (const float d : offsets) moved = std::max(moved, static_cast<double>(std::abs(d)));
  EXPECT_GT(moved, 0.01);
  // The bones turn by 0.01 a step: what modes add turns with them, which their velocity leaves out.
  for (std::size_t i = 0; i < after.size(); ++i) {
    if (i == 70) continue;
    const Vec3 seen = (after[i] - before[i]) * (1 / model.step);
    EXPECT_LT(norm(seen - velocity[i]), 0.05 + 0.03 * moved / model.step);
  }
}

TEST(RuntimeModes, FramesOfAnyLengthShowOneMotion) {
  const SurfaceModel model = swaying();
  const test::RuntimeModel opened(model);
  const auto bones_at = [&](double t) {
    return test::bent(model, 0.3 * std::sin(5 * t), {0.1 * std::sin(6 * t), 0, 0});
  };
  std::vector<Vec3> at_240;
  double swing = 0;  // metres
  for (const int fps : {240, 144, 60, 48, 30}) {
    const test::RuntimeBody body(opened);
    test::must(sinew_body_reset(body.body, bones_at(0).data(), nullptr));
    for (int f = 1; f <= 2 * fps; ++f) {
      test::must(sinew_body_advance(body.body, bones_at(static_cast<double>(f) / fps).data(), 1.0 / fps, nullptr));
      if (fps != 240) continue;
      for (const float q : coordinates_of(body)) swing = std::max(swing, static_cast<double>(std::abs(q)));
    }
    const std::vector<Vec3> positions = body.positions();
    if (fps == 240) at_240 = positions;
    EXPECT_GT(swing, 0.02);
    EXPECT_LT(farthest(positions, at_240), fps < 50 ? 0.1 * swing : 0.04 * swing) << fps;
  }
}

TEST(RuntimeModes, RestWhereTheHostHasGoalsOfItsOwn) {
  const SurfaceModel model = swaying();
  const test::RuntimeModel opened(model);
  const test::RuntimeBody body(opened);
  test::must(sinew_body_reset(body.body, dance(model, 0).data(), nullptr));
  for (int s = 1; s <= 20; ++s) test::must(sinew_body_step(body.body, dance(model, s).data()));
  std::vector<float> goals;
  for (const Vec3& p : model.rest)
    for (std::size_t c = 0; c < 3; ++c) goals.push_back(static_cast<float>(p[c] + 1));
  test::must(sinew_body_step_to_goals(body.body, dance(model, 21).data(), goals.data(), 12));
  for (const float q : coordinates_of(body)) EXPECT_EQ(q, 0.0f);
  const std::vector<Vec3> positions = body.positions();
  const sinew_record* records = sinew_body_records(body.body);
  const std::uint32_t* order = sinew_model_order(opened.model);
  for (std::size_t p = 0; p < positions.size(); ++p)
    for (std::size_t c = 0; c < 3; ++c) EXPECT_EQ(positions[order[p]][c], static_cast<double>(records[p].position[c]));
}

// Where the surface itself follows its goal, normals are those of the shape that is seen: the largest and the mean
// angle between them, over the rings of a tube that has many of them.
TEST(RuntimeModes, NormalsTurnWithThem) {
  constexpr int rings = 40, columns = 24;
  SurfaceModel model = test::tube(rings, columns, 1);
  test::set_parameters(model, {.alpha = 1, .delta = 1});
  test::add_modes(model);
  model.modes.resize(1);
  const test::RuntimeModel opened(model);
  const test::RuntimeBody body(opened);
  test::must(sinew_body_reset(body.body, test::rest_bones(model).data(), nullptr));
  for (int s = 1; s <= 8; ++s)
    test::must(sinew_body_step(body.body, test::bent(model, 0, {0.002 * s * s, 0, 0}).data()));
  const std::vector<Vec3> x = body.positions(), normals = body.normals();
  double straight = 0, largest = 0;
  for (int r = 1; r + 1 < rings; ++r)
    for (int c = 0; c < columns; ++c) {
      const auto at = [&](int ring, int column) {
        return static_cast<std::size_t>(ring * columns + (column + columns) % columns);
      };
      const Vec3 seen = normalized(cross(x[at(r + 1, c)] - x[at(r - 1, c)], x[at(r, c + 1)] - x[at(r, c - 1)]));
      const Vec3 rest = normalized(Vec3{model.rest[at(r, c)].x, 0, model.rest[at(r, c)].z});
      const double side = dot(seen, rest) > 0 ? 1 : -1;
      straight = std::max(straight, norm(side * seen - rest));
      largest = std::max(largest, norm(side * seen - normals[at(r, c)]));
      EXPECT_NEAR(norm(normals[at(r, c)]), 1, 1e-5);
    }
  EXPECT_GT(straight, 0.1);
  EXPECT_LT(largest, 0.2 * straight);
}

TEST(RuntimeModes, AHundredThousandStepsOfAnythingStayWithinReach) {
  SurfaceModel model = test::tube(4, 5, 2);
  test::set_parameters(model, test::soft);
  test::add_modes(model);
  model.modes[0].damping_ratio = 0;
  model.modes[1].frequency = 0.24 / model.step;
  model.modes[2].damping_ratio = 1;
  for (Affine& bone : model.modes[3].drive) bone = {bone.linear * 1e4, bone.translation * -1e4};
  model.mode_coupling = 1000;
  const test::RuntimeModel opened(model);
  const test::RuntimeBody body(opened);
  std::mt19937 generator(9);
  std::normal_distribution<double> normal;
  std::uniform_int_distribution<int> kind(0, 400);
  test::must(sinew_body_reset(body.body, test::rest_bones(model).data(), nullptr));
  const auto any_bones = [&] {
    std::vector<Affine> bones;
    for (std::size_t b = 0; b < model.bones.size(); ++b) {
      Affine bone = test::turned({normal(generator), normal(generator), normal(generator)}, 3 * normal(generator));
      const int k = kind(generator);
      if (k == 0) bone.linear = Mat3::zero();
      if (k == 1) bone.linear = bone.linear * -2.0;
      bone.translation = {normal(generator), normal(generator), 100 * normal(generator)};
      bones.push_back(bone);
    }
    return test::to_bones(bones);
  };
  for (int s = 0; s < 100'000; ++s) {
    if (s % 50 == 0) {
      const float centre[3] = {0, 0.5f, 0}, push[3] = {100, -50, 20};
      test::must(sinew_body_poke(body.body, centre, 100, push));
    }
    test::must(sinew_body_step(body.body, any_bones().data()));
    double moved = 0;
    for (const float q : coordinates_of(body)) {
      ASSERT_TRUE(std::isfinite(q));
      moved += static_cast<double>(std::abs(q));
    }
    ASSERT_LE(moved, 1.0001 * model.reach);
    if (s % 1000 != 0) continue;
    for (const Vec3& p : body.positions()) ASSERT_TRUE(is_finite(p));
  }
  // And it comes to rest.
  const test::Bones still = test::rest_bones(model);
  for (int s = 0; s < 6000; ++s) test::must(sinew_body_step(body.body, still.data()));
  EXPECT_LT(std::abs(coordinates_of(body)[3]), 1e-4);
}

}  // namespace
}  // namespace sinew
