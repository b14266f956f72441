// The shader runtime/dynamic_skinning.comp against a program in double precision.
#include "sinew/gpu/surface_gpu.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/gpu/vulkan_device.h"
#include "tests/gpu/reference_body.h"
#include "tests/gpu/test_device.h"
#include "tests/gpu/tube_model.h"

namespace sinew {
namespace {

using test::lively_bones;
using test::ReferenceBody;
using test::tube;

constexpr double h = 1.0 / 60;

GpuDevice& device() { return test::test_device(); }

class SurfaceGpuTest : public ::testing::Test {
 protected:
  void SetUp() override { messages_before_ = device().validation_messages().size(); }
  void TearDown() override {
    const std::vector<std::string>& messages = device().validation_messages();
    for (std::size_t m = messages_before_; m < messages.size(); ++m) ADD_FAILURE() << messages[m];
  }

 private:
  std::size_t messages_before_ = 0;
};

constexpr std::pair<ShapeReference, bool> every_kind[] = {{ShapeReference::rig, false},
                                                          {ShapeReference::rest, false},
                                                          {ShapeReference::rig, true},
                                                          {ShapeReference::rest, true}};

SurfaceGpu one_body(const SurfaceModel& model) {
  const std::vector<SurfaceGpuModel> models{pack_surface_model(model)};
  return SurfaceGpu(device(), models, std::vector<int>{0});
}

void expect_equal(const SurfaceGpuState& state, const ReferenceBody& body, double tolerance, int step) {
  EXPECT_LT(test::largest_difference(state.goals, body.g), 1e-5 * body.model.height) << "step " << step;
  EXPECT_LT(test::largest_difference(state.positions, body.x), tolerance * body.model.height) << "step " << step;
}

// The same bits.
void expect_same(const SurfaceGpuState& a, const SurfaceGpuState& b) {
  EXPECT_EQ(a.positions, b.positions);
  EXPECT_EQ(a.velocities, b.velocities);
  EXPECT_EQ(a.goals, b.goals);
  EXPECT_EQ(a.rotations, b.rotations);
}

bool all_finite(const SurfaceGpuState& state) {
  return std::all_of(state.positions.begin(), state.positions.end(), [](const Vec3& p) { return is_finite(p); }) &&
         std::all_of(state.velocities.begin(), state.velocities.end(), [](const Vec3& v) { return is_finite(v); }) &&
         std::all_of(state.rotations.begin(), state.rotations.end(),
                     [](const Quat& q) { return std::abs(dot(q, q) - 1) < 1e-5; });
}

// Both from rest at lively_bones(0), and on along them.
struct Pair {
  SurfaceGpu gpu;
  ReferenceBody body;

  explicit Pair(const SurfaceModel& model) : gpu(one_body(model)), body(model) {
    gpu.set_bones(0, lively_bones(0));
    gpu.reset();
    body.reset(lively_bones(0));
  }
  void step(int s) {
    gpu.set_bones(0, lively_bones(s * h));
    gpu.step();
    body.step(lively_bones(s * h));
  }
};

TEST_F(SurfaceGpuTest, ThreeHundredStepsAreThoseOfTheReference) {
  for (const auto& [reference, shaped] : every_kind) {
    const SurfaceModel model = tube({.reference = reference, .shaped = shaped});
    Pair pair(model);
    double strongest = 0, largest = 0;
    for (int s = 1; s <= 300; ++s) {
      pair.step(s);
      const SurfaceGpuState state = pair.gpu.state(0);
      expect_equal(state, pair.body, 1e-4, s);
      strongest = std::max(strongest, test::largest_difference(pair.body.x, pair.body.g));
      largest = std::max(largest, test::largest_difference(state.positions, pair.body.x));
    }
    EXPECT_GT(strongest, 0.15) << "the motion is not lively";
    std::printf("largest difference over 300 steps: %.1e of the height\n", largest / model.height);
  }
}

TEST_F(SurfaceGpuTest, ReachEndsWhatIsTooFar) {
  SurfaceModel model = tube();
  model.reach = 0.05;
  Pair pair(model);
  for (int s = 1; s <= 60; ++s) pair.step(s);
  const SurfaceGpuState state = pair.gpu.state(0);
  expect_equal(state, pair.body, 1e-4, 60);
  EXPECT_NEAR(test::largest_difference(state.positions, state.goals), model.reach, 1e-6);
}

TEST_F(SurfaceGpuTest, DeltaOfOneFollowsTheGoal) {
  SurfaceModel model = tube();
  for (VertexParameters& p : model.parameters) p = {.alpha = 1, .delta = 1};
  Pair pair(model);
  for (int s = 1; s <= 30; ++s) pair.step(s);
  const SurfaceGpuState state = pair.gpu.state(0);
  EXPECT_LT(test::largest_difference(state.positions, state.goals), 2e-6);
}

TEST_F(SurfaceGpuTest, ManyBodiesMoveAsEachOfThemAlone) {
  const SurfaceModel thick = tube(),
                     thin = tube({.rings = 11, .around = 7, .radius = 0.05, .reference = ShapeReference::rest});
  const std::vector<SurfaceGpuModel> models{pack_surface_model(thick), pack_surface_model(thin)};
  const std::vector<int> model_of_body{0, 1, 1, 0, 0};
  SurfaceGpu together(device(), models, model_of_body);
  ASSERT_EQ(together.body_count(), 5);
  std::vector<SurfaceGpu> alone;
  for (int b = 0; b < 5; ++b) {
    const std::vector<int> own{model_of_body[static_cast<std::size_t>(b)]};
    alone.emplace_back(device(), models, own, SurfaceGpuOptions{.threads = 64});
    alone.back().set_bones(0, lively_bones(0, b));
    alone.back().set_surroundings(0, {{0, -9.81, 0.1 * b}, {2, 0, 0}, 0.5});
    alone.back().reset();
    together.set_bones(b, lively_bones(0, b));
    together.set_surroundings(b, {{0, -9.81, 0.1 * b}, {2, 0, 0}, 0.5});
  }
  together.reset();
  for (int s = 1; s <= 40; ++s) {
    for (int b = 0; b < 5; ++b) {
      together.set_bones(b, lively_bones(s * h, b));
      alone[static_cast<std::size_t>(b)].set_bones(0, lively_bones(s * h, b));
      alone[static_cast<std::size_t>(b)].step();
    }
    together.step();
  }
  for (int b = 0; b < 5; ++b) {
    SurfaceGpu& own = alone[static_cast<std::size_t>(b)];
    expect_same(together.state(b), own.state(0));
    EXPECT_EQ(together.shape(b).positions, own.shape(0).positions);
    EXPECT_EQ(together.shape(b).normals, own.shape(0).normals);
  }
}

// Where one dimension of a dispatch cannot hold all workgroups they take two; here 13 are in five rows of three.
TEST(WorkgroupsInRows, MoveAsThoseInOneRow) {
  const SurfaceModel model = tube({.rings = 26});
  const std::vector<SurfaceGpuModel> models{pack_surface_model(model)};
  GpuDevice narrow({.name = device().name(), .validate = true});
  narrow.vulkan().properties.limits.maxComputeWorkGroupCount[0] = 3;
  SurfaceGpu rows(narrow, models, std::vector<int>{0}, {.threads = 32});
  SurfaceGpu row(device(), models, std::vector<int>{0}, {.threads = 32});
  for (SurfaceGpu* gpu : {&rows, &row}) {
    gpu->set_bones(0, lively_bones(0));
    gpu->reset();
    gpu->set_bones(0, lively_bones(5 * h));
    gpu->step(5);
  }
  expect_same(rows.state(0), row.state(0));
  EXPECT_EQ(rows.shape(0).positions, row.shape(0).positions);
  EXPECT_TRUE(narrow.validation_messages().empty());
}

TEST_F(SurfaceGpuTest, SurroundingsActAsInTheReference) {
  const SurfaceModel model = tube();
  Pair pair(model);
  const SurfaceSurroundings surroundings{{0, -9.81, 0}, {1, 0, -2}, 1.5};
  pair.gpu.set_surroundings(0, surroundings);
  pair.body.surroundings = surroundings;
  for (int s = 1; s <= 60; ++s) pair.step(s);
  expect_equal(pair.gpu.state(0), pair.body, 1e-4, 60);
}

TEST_F(SurfaceGpuTest, PokesChangeVelocitiesWithinTheirSphere) {
  const SurfaceModel model = tube();
  Pair pair(model);
  for (int s = 1; s <= 10; ++s) pair.step(s);
  const SurfaceGpuState before = pair.gpu.state(0);
  const Vec3 centre = pair.body.x[200], push{0, 3, 1};
  pair.gpu.poke(0, centre, 0.2, push);
  pair.body.poke(centre, 0.2, push);
  const SurfaceGpuState after = pair.gpu.state(0);
  EXPECT_EQ(after.positions, before.positions);
  EXPECT_LT(test::largest_difference(after.velocities, pair.body.v), 1e-3);
  EXPECT_LT(distance(after.velocities[200], before.velocities[200] + push), 1e-3);
  std::size_t untouched = 0;
  for (std::size_t i = 0; i < after.velocities.size(); ++i) untouched += after.velocities[i] == before.velocities[i];
  EXPECT_GT(untouched, after.velocities.size() / 2);
  for (int s = 11; s <= 100; ++s) pair.step(s);
  expect_equal(pair.gpu.state(0), pair.body, 1e-4, 100);
}

TEST_F(SurfaceGpuTest, AResetBodyStartsAnewAndLeavesOthersAlone) {
  for (const ShapeReference reference : {ShapeReference::rig, ShapeReference::rest}) {
    const SurfaceModel model = tube({.reference = reference});
    const std::vector<SurfaceGpuModel> models{pack_surface_model(model)};
    SurfaceGpu gpu(device(), models, std::vector<int>{0, 0});
    ReferenceBody kept(model), reset(model);
    kept.reset(lively_bones(0));
    for (int b = 0; b < 2; ++b) gpu.set_bones(b, lively_bones(0));
    gpu.reset();
    for (int s = 1; s <= 60; ++s) {
      if (s == 30) {
        gpu.set_bones(1, lively_bones(7));
        gpu.reset(1);
        reset.reset(lively_bones(7));
        const SurfaceGpuState state = gpu.state(1);
        EXPECT_LT(test::largest_difference(state.positions, reset.g), 1e-5);  // weights have 16 bits
        EXPECT_EQ(state.positions, state.goals);
        for (std::size_t i = 0; i < state.rotations.size(); ++i)
          EXPECT_GT(std::abs(dot(state.rotations[i], reset.q[i])), 1 - 1e-6) << i;
      }
      gpu.set_bones(0, lively_bones(s * h));
      kept.step(lively_bones(s * h));
      gpu.set_bones(1, lively_bones(7 + (s - 29) * h));
      if (s >= 30) reset.step(lively_bones(7 + (s - 29) * h));
      gpu.step();
    }
    expect_equal(gpu.state(0), kept, 1e-4, 60);
    expect_equal(gpu.state(1), reset, 1e-4, 60);
  }
}

TEST_F(SurfaceGpuTest, AResetWithTwoPosesStartsAsFastAsTheGoal) {
  const SurfaceModel model = tube();
  SurfaceGpu gpu = one_body(model);
  gpu.set_bones(0, lively_bones(1 + h));
  gpu.reset(0, lively_bones(1));
  const SurfaceGpuState state = gpu.state(0);
  for (std::size_t i = 0; i < model.rest.size(); ++i) {
    const Vec3 now = test::blended(model, i, lively_bones(1 + h)) * model.rest[i];
    const Vec3 before = test::blended(model, i, lively_bones(1)) * model.rest[i];
    EXPECT_LT(distance(state.velocities[i], (now - before) / h), 1e-4);
  }
}

TEST_F(SurfaceGpuTest, SeveralStepsAtOnceGoEvenlyFromPoseToPose) {
  const SurfaceModel model = tube();
  const std::vector<SurfaceGpuModel> models{pack_surface_model(model)};
  SurfaceGpu gpu(device(), models, std::vector<int>{0}, {.most_steps = 3});  // 7 = 3 + 3 + 1
  ReferenceBody body(model);
  const std::vector<Affine> from = lively_bones(0), to = lively_bones(7 * h);
  gpu.set_bones(0, from);
  gpu.reset();
  body.reset(from);
  gpu.set_bones(0, to);
  gpu.step(7);
  for (int s = 1; s <= 7; ++s) {
    std::vector<Affine> pose = to;
    for (std::size_t k = 0; k < pose.size(); ++k) {
      pose[k].linear = from[k].linear + (to[k].linear - from[k].linear) * (s / 7.0);
      pose[k].translation = from[k].translation + (to[k].translation - from[k].translation) * (s / 7.0);
    }
    body.step(pose);
  }
  expect_equal(gpu.state(0), body, 1e-5, 7);
}

TEST_F(SurfaceGpuTest, AMovedOriginChangesNothingElse) {
  const SurfaceModel model = tube();
  Pair pair(model);
  for (int s = 1; s <= 10; ++s) pair.step(s);
  const Vec3 shift{20, -3, 7};
  pair.gpu.rebase(0, shift);
  for (int s = 11; s <= 60; ++s) {
    std::vector<Affine> bones = lively_bones(s * h);
    pair.body.step(bones);
    for (Affine& bone : bones) bone.translation -= shift;
    pair.gpu.set_bones(0, bones);
    pair.gpu.step();
  }
  SurfaceGpuState state = pair.gpu.state(0);
  for (Vec3& p : state.positions) p += shift;
  EXPECT_LT(test::largest_difference(state.positions, pair.body.x), 1e-4);
}

struct OddVertex {
  Vec3 rest;
  std::vector<int> neighbours;
  bool follows = true, has_spoke = true;
};

// To a small tube, whose upper bone loses its length, are added: a vertex without neighbours, one that follows no bone,
// one on the bone, three in a line, of which one has no spoke, and two at one place. Nothing of it is shown.
SurfaceModel odd_model(ShapeReference reference, bool shaped) {
  SurfaceModel model = tube({.rings = 6, .around = 5, .reference = reference, .shaped = shaped});
  model.segments[1].tail = model.segments[1].head;
  model.parts.clear();
  const Influences influences = model.influences.back();
  const std::vector<OddVertex> odd{{{0.5, 0.5, 0}, {}},
                                   {{0.1, -0.2, 0.3}, {}, false},
                                   {model.segments[1].head, {}},  // 30, 31, 32
                                   {{0, 0, 0.3}, {34}, true, false},
                                   {{0, 0.1, 0.3}, {33, 35}},
                                   {{0, 0.2, 0.3}, {34}},
                                   {{1, 1, 1}, {37}},
                                   {{1, 1, 1}, {36}}};
  for (const OddVertex& vertex : odd) {
    model.rest.push_back(vertex.rest);
    model.normals.push_back({0, 1, 0});
    model.influences.push_back(vertex.follows ? influences : Influences{});
    model.parameters.push_back(model.parameters[7]);
    if (shaped) model.shape.push_back(model.shape[7]);
    if (vertex.has_spoke) model.spokes.push_back({1, 1.0});
    model.first_spoke.push_back(static_cast<int>(model.spokes.size()));
    model.neighbours.insert(model.neighbours.end(), vertex.neighbours.begin(), vertex.neighbours.end());
    model.first_neighbour.push_back(static_cast<int>(model.neighbours.size()));
  }
  return model;
}

TEST_F(SurfaceGpuTest, DegenerateVerticesMoveAsInTheReference) {
  for (const auto& [reference, shaped] : every_kind) {
    const SurfaceModel model = odd_model(reference, shaped);
    ASSERT_EQ(model.rest.size(), 38u);
    Pair pair(model);
    for (int s = 1; s <= 60; ++s) {
      std::vector<Affine> bones = lively_bones(s * h);
      bones[0].linear = bones[0].linear * Mat3::diagonal({1.2, 0.8, 1 + 0.3 * std::sin(0.2 * s)});
      bones[1].linear = Mat3::diagonal({1, 1.3, 0.7}) * bones[1].linear;  // sheared
      pair.gpu.set_bones(0, bones);
      pair.gpu.step();
      pair.body.step(bones);
    }
    const SurfaceGpuState state = pair.gpu.state(0);
    EXPECT_TRUE(all_finite(state));
    expect_equal(state, pair.body, 1e-4, 60);
    EXPECT_EQ(state.goals[31], (Vec3{static_cast<float>(0.1), static_cast<float>(-0.2), static_cast<float>(0.3)}));
    EXPECT_TRUE(pair.gpu.shape(0).positions.empty());
  }
}

TEST_F(SurfaceGpuTest, StaysFiniteAndWithinReachWhateverBonesDo) {
  SurfaceModel model = odd_model(ShapeReference::rest, true);
  for (VertexParameters& p : model.parameters) p = {1, 1, 1, 0.5, 1};
  SurfaceGpu gpu = one_body(model);
  gpu.set_bones(0, lively_bones(0));
  gpu.reset();
  for (int s = 1; s <= 200; ++s) {
    std::vector<Affine> bones = lively_bones(50.0 * s);
    for (Affine& bone : bones) bone.translation *= 20;
    if (s % 3 == 0) bones[1].linear = Mat3::zero();
    if (s % 5 == 0) bones[0].linear = bones[0].linear * Mat3::diagonal({-1, 1, 1e-4});
    gpu.set_bones(0, bones);
    gpu.step();
    if (s % 7 == 0) gpu.poke(0, bones[0].translation, 1, {100, -100, 30});
  }
  const SurfaceGpuState state = gpu.state(0);
  EXPECT_TRUE(all_finite(state));
  EXPECT_LT(test::largest_difference(state.positions, state.goals), model.reach + 1e-4);
}

// Shown between two steps: offsets interpolated, on the goal of the moment.
TEST_F(SurfaceGpuTest, ShapesStandInTheOrderOfTheFileBetweenTwoSteps) {
  for (const ShapeReference reference : {ShapeReference::rig, ShapeReference::rest}) {
    const SurfaceModel model = tube({.reference = reference});
    Pair pair(model);
    for (int s = 1; s <= 29; ++s) pair.step(s);
    const ReferenceBody before = pair.body;
    pair.step(30);
    const double fraction = 0.3;
    const std::vector<Affine> bones = lively_bones(29.3 * h);
    const SurfaceGpuShape shape = pair.gpu.shape(0, fraction, bones);
    std::size_t output = 0;
    for (const SurfaceModelPart& part : model.parts)
      for (const int vertex : part.vertex_of) {
        const auto i = static_cast<std::size_t>(vertex);
        const Affine pose = test::blended(model, i, bones);
        const Vec3 offset = (before.x[i] - before.g[i]) * (1 - fraction) + (pair.body.x[i] - pair.body.g[i]) * fraction;
        const Quat q = slerp(before.q[i], pair.body.q[i], fraction);
        const Mat3 areas = transpose(inverse(pose.linear)) * determinant(pose.linear);
        const Vec3 unturned = reference == ShapeReference::rig ? areas * model.normals[i] : model.normals[i];
        const Vec3 position = pose * model.rest[i] + offset, normal = normalized(rotate(q, unturned));
        const float *p = &shape.positions[3 * output], *n = &shape.normals[3 * output];
        EXPECT_LT(distance({p[0], p[1], p[2]}, position), 1e-4) << vertex;
        EXPECT_LT(distance({n[0], n[1], n[2]}, normal), 2e-3) << vertex;
        ++output;
      }
    EXPECT_EQ(3 * output, shape.positions.size());
    EXPECT_EQ(output, model.rest.size() + 24);  // a seam's vertex in each ring
    // At the end of the step it is the state itself.
    const SurfaceGpuState state = pair.gpu.state(0);
    const SurfaceGpuShape end = pair.gpu.shape(0);
    for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(end.positions[c], state.positions[0][c], 1e-6);
  }
}

TEST_F(SurfaceGpuTest, ErrorsAreSentences) {
  const SurfaceModel model = tube();
  SurfaceGpu gpu = one_body(model);
  EXPECT_THROW(gpu.step(), Error);  // not reset
  EXPECT_THROW(gpu.state(0), Error);
  EXPECT_THROW(gpu.set_bones(1, lively_bones(0)), Error);         // no such body
  EXPECT_THROW(gpu.set_bones(0, std::vector<Affine>(3)), Error);  // too many bones
  std::vector<Affine> bones = lively_bones(0);
  bones[1].linear(2, 0) = NAN;
  EXPECT_THROW(gpu.set_bones(0, bones), Error);
  bones[1].linear(2, 0) = 2e6;
  EXPECT_THROW(gpu.set_bones(0, bones), Error);
  EXPECT_THROW(gpu.set_surroundings(0, {{0, INFINITY, 0}, {}, 0}), Error);
  EXPECT_THROW(gpu.set_surroundings(0, {{}, {}, 31}), Error);  // more than half the step's inverse
  const std::vector<SurfaceGpuModel> models{pack_surface_model(model)};
  EXPECT_THROW(SurfaceGpu(device(), models, std::vector<int>{1}), Error);
  EXPECT_THROW(SurfaceGpu(device(), models, std::vector<int>{}), Error);
  EXPECT_THROW(SurfaceGpu(device(), models, std::vector<int>{0}, {.threads = 33}), Error);
  try {
    GpuDevice other({.name = "no such device"});
    ADD_FAILURE() << "a device that is not there was opened";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(device().name()), std::string::npos) << error.what();
  }
}

TEST_F(SurfaceGpuTest, ModelsThatAreNotSoundAreRefused) {
  const auto refused = [](auto&& spoil) {
    SurfaceModel model = tube({.rings = 4, .around = 4});
    spoil(model);
    EXPECT_THROW(pack_surface_model(model), Error);
  };
  refused([](SurfaceModel& m) { m.rest.clear(); });
  refused([](SurfaceModel& m) { m.rest[3].y = NAN; });
  refused([](SurfaceModel& m) { m.rest[3].y = 2000; });
  refused([](SurfaceModel& m) { m.normals.pop_back(); });
  refused([](SurfaceModel& m) { m.neighbours[5] = 16; });
  refused([](SurfaceModel& m) { m.neighbours[5] = -1; });
  refused([](SurfaceModel& m) { m.first_neighbour[3] = 1000; });
  refused([](SurfaceModel& m) { m.first_spoke.pop_back(); });
  refused([](SurfaceModel& m) { m.spokes[0].segment = 2; });
  refused([](SurfaceModel& m) { m.segments[1].bone = 2; });
  refused([](SurfaceModel& m) { m.influences[0].joint[0] = 7; });
  refused([](SurfaceModel& m) { m.influences[0].weight[0] = 0.4; });
  refused([](SurfaceModel& m) { m.parameters[0].lambda = 0.6; });
  refused([](SurfaceModel& m) { m.parameters[0].alpha = NAN; });
  refused([](SurfaceModel& m) { m.parts[0].vertex_of[0] = 16; });
  refused([](SurfaceModel& m) { m.step = 0; });
  refused([](SurfaceModel& m) { m.shape.resize(3); });
  refused([](SurfaceModel& m) { m.shape.assign(16, {1.5, 1.5, 0.5, 0, 0, 0}); });  // trace 3.5
  refused([](SurfaceModel& m) { m.shape.assign(16, {1, 1, 1, 1.2, 0, 0}); });      // an eigenvalue of -0.2
  refused([](SurfaceModel& m) { m.shape.assign(16, {1, 1, 1, 0, NAN, 0}); });
}

}  // namespace
}  // namespace sinew
