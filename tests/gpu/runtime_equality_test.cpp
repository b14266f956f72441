// The shader against the C run-time, from one and the same model file.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

#include "sinew/gpu/surface_gpu.h"
#include "tests/gpu/reference_body.h"
#include "tests/gpu/test_device.h"
#include "tests/gpu/tube_model.h"
#include "tests/runtime/surface_bodies.h"

namespace sinew::test {
namespace {

std::vector<Vec3> points(const std::vector<float>& flat) {
  std::vector<Vec3> result;
  for (std::size_t i = 0; i + 2 < flat.size(); i += 3) result.push_back({flat[i], flat[i + 1], flat[i + 2]});
  return result;
}

// All parts one after another.
SurfaceGpuShape shape_of(sinew_body* body) {
  SurfaceGpuShape shape;
  sinew_model_facts facts;
  sinew_model_get_facts(sinew_body_model(body), &facts);
  for (std::uint32_t part = 0; part < facts.parts; ++part) {
    const std::size_t begin = shape.positions.size();
    shape.positions.resize(begin + 3 * sinew_model_part_vertices(sinew_body_model(body), part));
    shape.normals.resize(shape.positions.size());
    must(sinew_body_shape(body, part, shape.positions.data() + begin, 12, shape.normals.data() + begin, 12));
  }
  return shape;
}

// What a file gives to both: the C run-time reads it itself, the GPU has it from a SurfaceModel.
struct Twins {
  std::vector<std::byte> file;
  SurfaceModel model;
  RuntimeModel runtime_model;
  RuntimeBody body;
  SurfaceGpu gpu;

  explicit Twins(const SurfaceModel& source)
      : file(cook_runtime_file(source)),
        model(read_runtime_file(file, "a model")),
        runtime_model(file),
        body(runtime_model),
        gpu(test_device(), std::vector{pack_surface_model(model)}, std::vector{0}) {}
};

TEST(RuntimeEquality, ThreeHundredStepsWithPokesAndWind) {
  for (const auto& [reference, shaped] : {std::pair{ShapeReference::rig, false},
                                          {ShapeReference::rest, false},
                                          {ShapeReference::rig, true},
                                          {ShapeReference::rest, true}}) {
    SurfaceModel source = tube({.reference = reference, .shaped = shaped});
    if (shaped == (reference == ShapeReference::rig))  // what is shown has bounds, which this dance passes
      for (const Vec3& x : source.rest) source.range.push_back(0.03 + 0.02 * x.y);
    source.parts[0].vertex_of[5] = -1;  // a vertex of the file that the model has not
    Twins twins(source);
    sinew_body* body = twins.body.body;
    twins.gpu.set_bones(0, lively_bones(0));
    twins.gpu.reset();
    must(sinew_body_reset(body, to_bones(lively_bones(0)).data(), nullptr));
    const sinew_surroundings surroundings{{0, -2, 0}, {1, 0, 0.5f}, 0.7f};
    must(sinew_body_set_surroundings(body, &surroundings));
    twins.gpu.set_surroundings(0, {{0, -2, 0}, {1, 0, 0.5}, 0.7});
    double largest = 0, largest_normal = 0;
    for (int s = 1; s <= 300; ++s) {
      const std::vector<Affine> bones = lively_bones(s * source.step);
      if (s % 100 == 50) {
        const float centre[3] = {0.1f, 0.6f, 0.1f}, push[3] = {0, 1, 0.5f};
        must(sinew_body_poke(body, centre, 0.3f, push));
        twins.gpu.poke(0, {0.1f, 0.6f, 0.1f}, 0.3f, {0, 1, 0.5});
      }
      must(sinew_body_step(body, to_bones(bones).data()));
      twins.gpu.set_bones(0, bones);
      twins.gpu.step();
      if (s % 10 != 0) continue;
      const SurfaceGpuShape ours = twins.gpu.shape(0), theirs = shape_of(body);
      largest = std::max(largest, largest_difference(points(ours.positions), points(theirs.positions)));
      largest_normal = std::max(largest_normal, largest_difference(points(ours.normals), points(theirs.normals)));
    }
    EXPECT_LT(largest, 1e-4 * source.height);
    EXPECT_LT(largest_normal, 1e-3);
    std::printf("shader and run-time: positions %.1e of the height, normals %.1e\n", largest / source.height,
                largest_normal);
  }
}

// Neighbourhoods that are turned inside out, and by half a turn in a step.
TEST(RuntimeEquality, BonesThatMirrorTheirFlesh) {
  for (const ShapeReference reference : {ShapeReference::rig, ShapeReference::rest}) {
    const SurfaceModel source = tube({.reference = reference});
    Twins twins(source);
    twins.gpu.set_bones(0, lively_bones(0));
    twins.gpu.reset();
    must(sinew_body_reset(twins.body.body, to_bones(lively_bones(0)).data(), nullptr));
    double largest = 0;
    for (int s = 1; s <= 60; ++s) {
      std::vector<Affine> bones = lively_bones(s * source.step);
      if (s / 10 % 2 == 1) bones[1].linear = bones[1].linear * Mat3::diagonal({-0.8, 1.1, 0.9});
      must(sinew_body_step(twins.body.body, to_bones(bones).data()));
      twins.gpu.set_bones(0, bones);
      twins.gpu.step();
      largest = std::max(largest, largest_difference(twins.gpu.state(0).positions, twins.body.positions()));
    }
    EXPECT_LT(largest, 1e-4 * source.height);
    std::printf("mirrored: positions %.1e of the height\n", largest / source.height);
  }
}

TEST(RuntimeEquality, AChainOfNineteenBonesWithTwentyFiveThousandVertices) {
  SurfaceModel source = tube(188, 133, 19, 1.8, 0.2);
  set_parameters(source, soft);
  Twins twins(source);
  const auto bones_at = [&](int step) {
    const double t = step * source.step;
    std::vector<Affine> bones;
    Affine matrix{Mat3::identity(), {0.06 * std::sin(4 * t), 0.03 * std::sin(7 * t), 0}};
    for (const SurfaceSegment& segment : source.segments) {
      matrix = matrix * turned({1, 0, 1}, 0.02 * std::sin(3 * t), segment.head);
      bones.push_back(matrix);
    }
    return bones;
  };
  sinew_body* body = twins.body.body;
  twins.gpu.set_bones(0, bones_at(0));
  twins.gpu.reset();
  must(sinew_body_reset(body, to_bones(bones_at(0)).data(), nullptr));
  double largest = 0, strongest = 0;
  for (int s = 1; s <= 300; ++s) {
    must(sinew_body_step(body, to_bones(bones_at(s)).data()));
    twins.gpu.set_bones(0, bones_at(s));
    twins.gpu.step();
    if (s % 25 != 0) continue;
    const SurfaceGpuState state = twins.gpu.state(0);
    largest = std::max(largest, largest_difference(state.positions, twins.body.positions()));
    strongest = std::max(strongest, largest_difference(state.positions, state.goals));
  }
  // Three times as far, and the flesh folds: its motion is chaotic then, and a change of 1e-9 m grows as well.
  EXPECT_GT(strongest, 0.03 * source.height) << "the motion is not lively";
  EXPECT_LT(largest, 1e-4 * source.height);
  std::printf("25,006 vertices, offsets up to %.2f of the height: positions %.1e of it\n", strongest / source.height,
              largest / source.height);
}

// The run-time's own clock says when steps are made and what lies between them; an engine does the same around the
// shader.
TEST(RuntimeEquality, FramesThatAreNoStepsShowOneMotion) {
  Twins twins(tube());
  sinew_body* body = twins.body.body;
  const double step = twins.model.step, frame = 1.0 / 144;
  twins.gpu.set_bones(0, lively_bones(0));
  twins.gpu.reset();
  must(sinew_body_reset(body, to_bones(lively_bones(0)).data(), nullptr));
  double clock = 0, largest = 0;
  std::vector<Affine> before = lively_bones(0);
  for (int f = 1; f <= 144; ++f) {
    const std::vector<Affine> now = lively_bones(f * frame);
    must(sinew_body_advance(body, to_bones(now).data(), frame, nullptr));
    if (clock + frame >= step) {
      const double share = (step - clock) / frame;
      std::vector<Affine> between = now;
      for (std::size_t b = 0; b < now.size(); ++b)
        between[b] = {before[b].linear + (now[b].linear - before[b].linear) * share,
                      before[b].translation + (now[b].translation - before[b].translation) * share};
      twins.gpu.set_bones(0, between);
      twins.gpu.step();
      clock -= step;
    }
    clock += frame;
    before = now;
    largest = std::max(largest, largest_difference(points(twins.gpu.shape(0, clock / step, now).positions),
                                                   points(shape_of(body).positions)));
  }
  EXPECT_LT(largest, 1e-4 * twins.model.height);
}

}  // namespace
}  // namespace sinew::test
