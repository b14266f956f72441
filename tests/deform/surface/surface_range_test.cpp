// Models that know their limits: what is shown stays within what examples showed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/deform/surface/fit/held_out.h"
#include "sinew/deform/surface/fit/seen_range.h"
#include "sinew/deform/surface/runtime_file.h"
#include "sinew/deform/surface/surface_body.h"
#include "tests/deform/surface/surface_motions.h"
#include "tests/rounding.h"
#include "tests/runtime/surface_bodies.h"

namespace sinew {
namespace {

constexpr double margin = 1.1;

SurfaceModel limp_tube() {
  SurfaceModel model = test::tube(9, 8);
  model.parameters.assign(model.rest.size(), {.alpha = 0.03, .beta = 0.05, .lambda = 0.05, .delta = 0.03});
  return model;
}

// Per vertex, the farthest from its goal.
std::vector<double> farthest(const SurfaceExample& example, std::size_t vertices) {
  std::vector<double> most(vertices);
  for (std::size_t k = 0; k < example.offset.size() / 3; ++k) {
    const float* d = &example.offset[3 * k];
    most[k % vertices] = std::max(most[k % vertices], norm(Vec3{d[0], d[1], d[2]}));
  }
  return most;
}

// What the run-time shows of a model over a motion.
SurfaceExample played(const SurfaceModel& model, const SurfaceMotion& motion) {
  SurfaceBody body(std::make_shared<const OpenSurfaceModel>(cook_runtime_file(model), "the model"));
  SurfaceExample result{motion, {}, {}};
  std::vector<Vec3> offsets;
  body.reset(motion.bones[0], motion.bones[1]);
  for (std::size_t t = 0; t < motion.bones.size(); ++t) {
    if (t > 0) body.step(motion.bones[t]);
    body.offsets(offsets);
    for (const Vec3& d : offsets)
      result.offset.insert(result.offset.end(),
                           {static_cast<float>(d.x), static_cast<float>(d.y), static_cast<float>(d.z)});
  }
  return result;
}

double root_of_squares(const SurfaceExample& a, const SurfaceExample* b = nullptr) {
  double sum = 0;
  for (std::size_t k = 0; k < a.offset.size(); ++k) {
    const double d = static_cast<double>(a.offset[k]) - (b ? static_cast<double>(b->offset[k]) : 0);
    sum += d * d;
  }
  return std::sqrt(sum);
}

// Flesh that stiffens as it is stretched, seen in a gentle motion and played in a violent one.
TEST(SurfaceRange, WhatWasLearnedFromAGentleMotionStaysWithinItInAViolentOne) {
  SurfaceModel truth = limp_tube();
  truth.range.assign(truth.rest.size(), 0.03);
  const SurfaceMotion gentle = test::swinging_motion(truth, 90, 0, 0.1),
                      violent = test::swinging_motion(truth, 90, 4, 1);
  const std::vector<SurfaceExample> examples{played(truth, gentle)};
  const SurfaceExample flesh = played(truth, violent);
  SurfaceFitOptions options;
  options.iterations = 30;
  SurfaceModel unbounded = limp_tube(), bounded = limp_tube();
  fit_surface(unbounded, examples, options);
  options.range_margin = margin;
  fit_surface(bounded, examples, options);
  const SurfaceExample before = played(unbounded, violent), after = played(bounded, violent);
  const std::vector<double> seen = farthest(examples[0], truth.rest.size()), was = farthest(before, seen.size()),
                            is = farthest(after, seen.size());
  std::size_t beyond = 0;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    EXPECT_LT(is[i], margin * seen[i]) << i;
    if (was[i] > 2 * seen[i]) ++beyond;
  }
  EXPECT_GT(beyond, seen.size() / 2);
  const double rig = root_of_squares(flesh);
  EXPECT_GT(root_of_squares(before, &flesh), rig);  // worse than nothing
  EXPECT_LT(root_of_squares(after, &flesh), rig);
}

// A range that is smaller than what was seen is taken where the model is wrong about when flesh is out there.
TEST(SurfaceRange, IsLessWhereTheModelDoesNotKnowWhen) {
  SurfaceModel model = limp_tube();
  const SurfaceMotion motion = test::swinging_motion(model, 60, 0, 0.5);
  SurfaceModel right = model;
  const std::vector<SurfaceExample> examples{test::example_of(model, motion)};
  fit_range(right, examples, 1000);
  SurfaceModel wrong = model;
  for (VertexParameters& p : wrong.parameters) p.alpha = 0.006;
  SurfaceModel largest = model;
  set_seen_range(largest, examples, margin);
  fit_range(wrong, examples, margin);
  double share = 0;
  for (std::size_t i = 0; i < largest.range.size(); ++i) {
    EXPECT_LE(wrong.range[i], largest.range[i] * (1 + 1e-12));
    share += wrong.range[i] / largest.range[i] / static_cast<double>(largest.range.size());
  }
  EXPECT_LT(share, 0.9);
  // Where it does know, ranges that reach far take next to nothing away.
  const SurfaceError error = surface_error(right, examples, {});
  EXPECT_LT(error.sum, 0.01 * error.goal_sum);
}

TEST(SurfaceRange, IsInTheFileAndFilesWithoutItAreTheOldOnes) {
  SurfaceModel model = limp_tube();
  const std::vector<std::byte> old = cook_runtime_file(model);
  EXPECT_EQ(std::to_integer<int>(old[8]), 1);  // the version that came before ranges
  EXPECT_TRUE(read_runtime_file(old, "old").range.empty());
  for (const Vec3& x : model.rest) model.range.push_back(0.05 + 0.04 * test::smooth_noise(x, 3));
  model.range[3] = 0;
  const std::vector<std::byte> file = cook_runtime_file(model);
  EXPECT_EQ(std::to_integer<int>(file[8]), 2);
  EXPECT_LT(file.size(), old.size() + model.rest.size() + 4);
  const SurfaceModel back = read_runtime_file(file, "new");
  const test::RuntimeModel opened(file);
  ASSERT_EQ(back.range.size(), model.range.size());
  for (std::size_t i = 0; i < model.range.size(); ++i) {
    EXPECT_NEAR(std::sqrt(back.range[i] / model.reach), std::sqrt(model.range[i] / model.reach), 1.001 / 255);
    // A root, a quotient and their inverses: what a byte holds exactly comes back but for rounding.
    EXPECT_LE(back.range[i], model.range[i] * (1 + test::rounding_of(1, 8)));
    EXPECT_NEAR(static_cast<double>(sinew_model_range(opened.model, static_cast<std::uint32_t>(i))), back.range[i],
                8 * std::numeric_limits<float>::epsilon() * model.reach);  // the same in single precision
  }
  EXPECT_EQ(sinew_model_range(test::RuntimeModel(old).model, 0), HUGE_VALF);
}

// The run-time shows what the library takes it to show, at every kind of vector registers; a held vertex is free of it,
// and what goes on from a saved state has the same bits.
TEST(SurfaceRange, TheRuntimeShowsWhatTheLibrarySaysAndLetsAHandPass) {
  SurfaceModel model = limp_tube();
  for (const Vec3& x : model.rest) model.range.push_back(0.04 + 0.02 * test::smooth_noise(x, 3));
  const test::RuntimeModel opened(model);
  const SurfaceModel back = read_runtime_file(cook_runtime_file(model), "model");
  for (const sinew_simd level : {SINEW_SCALAR, sinew_simd_best()}) {
    test::RuntimeBody body(opened);
    test::must(sinew_body_use_simd(body.body, level));
    test::must(sinew_body_reset(body.body, test::to_bones(test::swinging(model, 0)).data(), nullptr));
    double beyond = 0;
    for (int s = 1; s <= 40; ++s) {
      test::must(sinew_body_step(body.body, test::to_bones(test::swinging(model, s * model.step)).data()));
      const sinew_record* records = sinew_body_records(body.body);
      const std::vector<Vec3> shown = body.positions();
      for (std::uint32_t place = 0; place < shown.size(); ++place) {
        const std::uint32_t v = sinew_model_order(opened.model)[place];
        const sinew_record& r = records[place];
        const Vec3 goal{r.goal[0], r.goal[1], r.goal[2]}, at{r.position[0], r.position[1], r.position[2]};
        EXPECT_LT(distance(shown[v], goal + shown_offset(at - goal, inverse_squared_range(back, v))), 1e-6);
        EXPECT_LT(distance(shown[v], goal), back.range[v]);
        beyond = std::max(beyond, distance(at, goal) / back.range[v]);
      }
    }
    EXPECT_GT(beyond, 1.5);
    const float hand[3] = {0.6f, 0.5f, 0};
    const std::vector<float> rest = test::rest_bones(model);
    test::must(sinew_body_hold(body.body, 20, hand));
    for (int s = 0; s < 30; ++s) test::must(sinew_body_step(body.body, rest.data()));
    EXPECT_EQ(sinew_body_bound(body.body), 0.0f);
    const double drawn = distance(body.positions()[20], model.rest[20]);
    EXPECT_GT(drawn, 3 * back.range[20]);
    test::must(sinew_body_release(body.body, 20));
    test::must(sinew_body_step(body.body, rest.data()));
    EXPECT_GT(sinew_body_bound(body.body), 0.0f);
    std::vector<unsigned char> state(sinew_body_state_size(opened.model));
    test::must(sinew_body_save(body.body, state.data(), state.size()));
    test::RuntimeBody other(opened);
    test::must(sinew_body_use_simd(other.body, level));
    test::must(sinew_body_load(other.body, state.data(), state.size()));
    for (int s = 0; s < 10; ++s)
      for (const test::RuntimeBody* b : {&body, &other}) test::must(sinew_body_step(b->body, rest.data()));
    EXPECT_EQ(body.positions(), other.positions());
    for (int s = 0; s < 300; ++s) test::must(sinew_body_step(body.body, rest.data()));
    EXPECT_EQ(sinew_body_bound(body.body), 1.0f);
  }
}

// The figure is that of a model that never saw the frames: found by another way, with an example that is cut short.
TEST(HeldOut, IsTheErrorOfAModelThatNeverSawThem) {
  SurfaceModel truth = limp_tube();
  test::set_smooth_parameters(truth);
  SurfaceModel other = truth;
  for (VertexParameters& p : other.parameters) p.beta = 0, p.gamma = 0;  // not to be met exactly
  std::vector<SurfaceExample> examples{test::example_of(truth, test::swinging_motion(truth, 80, 0, 0.5))};
  SurfaceFitOptions options;
  options.iterations = 12;
  options.range_margin = margin;
  HeldOut held_out = choose_held_out(examples, 1);
  ASSERT_TRUE(held_out.any);
  EXPECT_EQ(held_out.begin, 60u);
  SurfaceModel model = limp_tube();
  fit_with_held_out(model, examples, options, held_out);
  EXPECT_TRUE(examples[0].weight.empty());

  const std::size_t n = truth.rest.size();
  std::vector<SurfaceExample> cut = examples, tail = examples;
  cut[0].motion.bones.resize(60);
  cut[0].offset.resize(60 * n * 3);
  SurfaceModel blind = limp_tube();
  fit_surface(blind, cut, options);
  tail[0].weight.assign(80 * n, 1);
  std::fill_n(tail[0].weight.begin(), 60 * n, 0.0f);
  const SurfaceError error = surface_error(blind, tail, {});
  EXPECT_GT(error.sum, 0);
  EXPECT_NEAR(held_out.error.sum, error.sum, 1e-9 * error.sum);
  EXPECT_EQ(held_out.error.weights, 20.0 * static_cast<double>(n));
  // Then it learns from everything.
  EXPECT_LT(surface_error(model, tail, {}).sum, error.sum);
}

TEST(HeldOut, OfSeveralPerformancesTheLastOneAndNothingOfTooShortOnes) {
  const SurfaceModel model = limp_tube();
  const std::vector<SurfaceExample> examples{test::example_of(model, test::swinging_motion(model, 30)),
                                             test::example_of(model, test::swinging_motion(model, 20, 3)),
                                             test::example_of(model, test::swinging_motion(model, 40, 6))};
  const HeldOut last = choose_held_out(examples, 2);
  EXPECT_TRUE(last.any && last.whole);
  EXPECT_EQ(last.example, 1u);
  EXPECT_EQ(last.begin, 0u);
  EXPECT_FALSE(choose_held_out(std::span(examples).first(1), 1).any);  // a quarter of 30 frames is 7
  EXPECT_FALSE(choose_held_out(examples, 0).any);
}

}  // namespace
}  // namespace sinew
