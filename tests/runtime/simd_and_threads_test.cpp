// One result whatever the registers, to rounding, and whatever the threads, to the bit.
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <random>
#include <thread>

#include "tests/runtime/surface_bodies.h"

namespace sinew {
namespace {

// Runs tasks on `count` threads that take them in no order.
struct CountedHostThreads {
  static void run(void* host, std::uint32_t tasks, void (*task)(void*, std::uint32_t), void* work) {
    std::atomic<std::uint32_t> next{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < *static_cast<int*>(host); ++t)
      threads.emplace_back([&] {
        for (std::uint32_t i = next++; i < tasks; i = next++) task(work, tasks - 1 - i);
      });
    for (std::thread& thread : threads) thread.join();
  }
};

SurfaceModel painted(SurfaceModel model, ShapeReference reference) {
  std::mt19937 generator(5);
  std::uniform_real_distribution<double> uniform(0, 1);
  model.reference = reference;
  if (reference == ShapeReference::rest) test::set_shapes(model);
  for (VertexParameters& p : model.parameters)
    p = {0.05 + 0.2 * uniform(generator), 0.3 * uniform(generator), 0.2 * uniform(generator),
         0.1 + 0.2 * uniform(generator), 0.02 + 0.1 * uniform(generator)};
  return model;
}

// Swings, a poke, a vertex that is held, wind: everything that a step may do.
std::vector<sinew_record> run(const SurfaceModel& model, const test::RuntimeModel& opened, sinew_simd level,
                              int threads, int steps) {
  const test::RuntimeBody body(opened);
  sinew_threads host{CountedHostThreads::run, &threads, static_cast<std::uint32_t>(threads)};
  test::must(sinew_body_use_simd(body.body, level));
  if (threads > 0) test::must(sinew_body_use_threads(body.body, &host));
  const sinew_surroundings surroundings{{0, -3, 0}, {1, 0, 0.5f}, 0.4f};
  test::must(sinew_body_set_surroundings(body.body, &surroundings));
  test::must(sinew_body_reset(body.body, test::bent(model, 0).data(), nullptr));
  for (int i = 1; i <= steps; ++i) {
    const float centre[3] = {0.1f, 0.5f, 0}, push[3] = {1, 0.2f, -0.3f};
    const float held[3] = {0.25f, 0.9f, 0.1f};
    if (i == 20) test::must(sinew_body_poke(body.body, centre, 0.2f, push));
    if (i == 40) test::must(sinew_body_hold(body.body, 7, held));
    if (i == 60) test::must(sinew_body_release(body.body, 7));
    test::must(sinew_body_step(body.body, test::bent(model, 0.5 * std::sin(0.1 * i), {0.01 * i, 0, 0}).data()));
  }
  const sinew_record* records = sinew_body_records(body.body);
  return {records, records + model.rest.size()};
}

class RuntimeSimd : public testing::TestWithParam<ShapeReference> {};

TEST_P(RuntimeSimd, EveryKindOfRegistersAgreesWithScalars) {
  for (const SurfaceModel& model : {painted(test::tube(30, 21, 3), GetParam()), painted(test::sphere(3), GetParam())}) {
    const test::RuntimeModel opened(model);
    const auto scalar = run(model, opened, SINEW_SCALAR, 0, 120);
    int tried = 0;
    for (int level = SINEW_SCALAR + 1; level < SINEW_SIMD_LEVELS; ++level) {
      if (!sinew_simd_works(static_cast<sinew_simd>(level))) continue;
      ++tried;
      const auto wide = run(model, opened, static_cast<sinew_simd>(level), 0, 120);
      float most = 0, most_rotation = 0;
      for (std::size_t v = 0; v < scalar.size(); ++v) {
        for (int k = 0; k < 3; ++k) most = std::max(most, std::abs(scalar[v].position[k] - wide[v].position[k]));
        for (int k = 0; k < 4; ++k)
          most_rotation = std::max(most_rotation, std::abs(scalar[v].rotation[k] - wide[v].rotation[k]));
      }
      std::printf("%s: positions within %.2e m, rotations within %.2e of scalars after 120 steps\n",
                  sinew_simd_name(static_cast<sinew_simd>(level)), static_cast<double>(most),
                  static_cast<double>(most_rotation));
      EXPECT_LT(most, 1e-6f) << sinew_simd_name(static_cast<sinew_simd>(level));
      EXPECT_GT(scalar[0].position[0], 0.2f);
    }
    if (tried == 0) std::printf("this machine has no vector registers that the run-time knows\n");
  }
}

// One step from the same state, far from rest: rounding of one step alone.
TEST_P(RuntimeSimd, OneStepAgreesToAMillionth) {
  const SurfaceModel model = painted(test::tube(30, 21, 3), GetParam());
  const test::RuntimeModel opened(model);
  const test::RuntimeBody from(opened);
  std::vector<unsigned char> state(sinew_body_state_size(opened.model));
  test::must(sinew_body_reset(from.body, test::bent(model, 0).data(), nullptr));
  for (int i = 0; i < 30; ++i)
    test::must(sinew_body_step(from.body, test::bent(model, 0.6 * std::sin(0.2 * i), {0.02 * i, 0, 0}).data()));
  test::must(sinew_body_save(from.body, state.data(), state.size()));
  std::vector<sinew_record> scalar;
  for (int level = SINEW_SCALAR; level < SINEW_SIMD_LEVELS; ++level) {
    if (!sinew_simd_works(static_cast<sinew_simd>(level))) continue;
    const test::RuntimeBody body(opened);
    test::must(sinew_body_use_simd(body.body, static_cast<sinew_simd>(level)));
    test::must(sinew_body_load(body.body, state.data(), state.size()));
    test::must(sinew_body_step(body.body, test::bent(model, 0.3, {0.7, 0, 0}).data()));
    const sinew_record* records = sinew_body_records(body.body);
    if (scalar.empty()) {
      scalar.assign(records, records + model.rest.size());
      continue;
    }
    for (std::size_t v = 0; v < scalar.size(); ++v)
      for (int k = 0; k < 3; ++k) {
        ASSERT_NEAR(scalar[v].position[k], records[v].position[k], 1e-6)
            << sinew_simd_name(static_cast<sinew_simd>(level));
        ASSERT_NEAR(scalar[v].goal[k], records[v].goal[k], 1e-6);
      }
  }
}

INSTANTIATE_TEST_SUITE_P(BothReferences, RuntimeSimd, testing::Values(ShapeReference::rig, ShapeReference::rest));

TEST(RuntimeThreads, AnyNumberOfThreadsGivesTheSameBits) {
  const SurfaceModel model = painted(test::tube(100, 31, 3), ShapeReference::rig);
  const test::RuntimeModel opened(model);
  for (int level = SINEW_SCALAR; level < SINEW_SIMD_LEVELS; ++level) {
    if (!sinew_simd_works(static_cast<sinew_simd>(level))) continue;
    const auto alone = run(model, opened, static_cast<sinew_simd>(level), 0, 70);
    for (const int threads : {2, 5}) {
      const auto shared = run(model, opened, static_cast<sinew_simd>(level), threads, 70);
      EXPECT_EQ(std::memcmp(alone.data(), shared.data(), alone.size() * sizeof(sinew_record)), 0);
    }
  }
}

}  // namespace
}  // namespace sinew
