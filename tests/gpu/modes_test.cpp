// Low-frequency modes in the shader against the C run-time, from one model file.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "sinew/gpu/surface_gpu.h"
#include "tests/gpu/reference_body.h"
#include "tests/gpu/test_device.h"
#include "tests/gpu/tube_model.h"
#include "tests/runtime/mode_bodies.h"
#include "tests/runtime/surface_bodies.h"

namespace sinew::test {
namespace {

struct Shown {
  std::vector<Vec3> positions, normals;
};

void append(const std::vector<float>& flat, std::vector<Vec3>& vectors) {
  for (std::size_t k = 0; k + 2 < flat.size(); k += 3) vectors.push_back({flat[k], flat[k + 1], flat[k + 2]});
}

Shown shown_by(const SurfaceGpu& gpu) {
  const SurfaceGpuShape shape = gpu.shape(0);
  Shown shown;
  append(shape.positions, shown.positions);
  append(shape.normals, shown.normals);
  return shown;
}

// All parts one after another.
Shown shown_by(sinew_body* body) {
  sinew_model_facts facts;
  sinew_model_get_facts(sinew_body_model(body), &facts);
  Shown shown;
  for (std::uint32_t part = 0; part < facts.parts; ++part) {
    std::vector<float> positions(3 * sinew_model_part_vertices(sinew_body_model(body), part)),
        normals(positions.size());
    must(sinew_body_shape(body, part, positions.data(), 12, normals.data(), 12));
    append(positions, shown.positions);
    append(normals, shown.normals);
  }
  return shown;
}

void expect_equal(double coupling) {
  SurfaceModel source = tube();
  add_modes(source);
  source.mode_coupling = coupling;
  const std::vector<std::byte> file = cook_runtime_file(source);
  const SurfaceModel model = read_runtime_file(file, "a model");
  const RuntimeModel runtime_model(file);
  const RuntimeBody runtime(runtime_model);
  SurfaceGpu gpu(test_device(), std::vector{pack_surface_model(model)}, std::vector{0});
  gpu.set_bones(0, lively_bones(0));
  gpu.reset();
  must(sinew_body_reset(runtime.body, to_bones(lively_bones(0)).data(), nullptr));
  double largest = 0, largest_normal = 0, moved = 0;
  for (int s = 1; s <= 300; ++s) {
    const std::vector<Affine> bones = lively_bones(s * source.step);
    if (s == 50) {
      const float centre[3] = {0.1f, 0.6f, 0.1f}, push[3] = {0, 1, 0.5f};
      must(sinew_body_poke(runtime.body, centre, 0.3f, push));
      gpu.poke(0, {0.1f, 0.6f, 0.1f}, 0.3f, {0, 1, 0.5});
    }
    if (s == 100) {
      const float shift[3] = {0.5f, 0, -0.25f};
      must(sinew_body_rebase(runtime.body, shift));
      gpu.rebase(0, {0.5, 0, -0.25});
    }
    std::vector<Affine> seen = bones;
    for (Affine& bone : seen)
      if (s >= 100) bone.translation += Vec3{-0.5, 0, 0.25};
    must(sinew_body_step(runtime.body, to_bones(seen).data()));
    gpu.set_bones(0, seen);
    gpu.step();
    float coordinates[SINEW_MOST_MODES];
    must(sinew_body_modes(runtime.body, coordinates));
    for (const float q : coordinates) moved = std::max(moved, static_cast<double>(std::abs(q)));
    if (s % 10 != 0) continue;
    const Shown ours = shown_by(gpu), theirs = shown_by(runtime.body);
    largest = std::max(largest, largest_difference(ours.positions, theirs.positions));
    largest_normal = std::max(largest_normal, largest_difference(ours.normals, theirs.normals));
  }
  EXPECT_GT(moved, 0.02 * source.height);
  EXPECT_LT(largest, 1e-4 * source.height);
  EXPECT_LT(largest_normal, 1e-3);
  std::printf("shader and run-time with modes, coupling %.1f: coordinates up to %.3f m, positions %.1e of the height\n",
              coupling, moved, largest / source.height);
}

TEST(GpuModes, ShaderAndRuntimeShowOneMotion) { expect_equal(0); }
TEST(GpuModes, CoupledToTheSurface) { expect_equal(0.5); }

TEST(GpuModes, SeveralStepsAtOnceAndBodiesBesideEachOther) {
  SurfaceModel with = tube(), without = tube();
  add_modes(with);
  with = read_runtime_file(cook_runtime_file(with), "with");
  const std::vector models{pack_surface_model(without), pack_surface_model(with)};
  SurfaceGpu many(test_device(), models, std::vector{0, 1, 1}),
      one(test_device(), std::vector{models[1]}, std::vector{0});
  for (int b = 0; b < 3; ++b) many.set_bones(b, lively_bones(0));
  one.set_bones(0, lively_bones(0));
  many.reset();
  one.reset();
  for (int s = 1; s <= 10; ++s) {
    // Three steps on the way to the same bones, in one call or in three.
    const std::vector<Affine> to = lively_bones(0.05 * s);
    for (int b = 0; b < 3; ++b) many.set_bones(b, to);
    many.step(3);
    one.set_bones(0, to);
    one.step(3);
  }
  const SurfaceGpuShape alone = one.shape(0, 0.5);
  EXPECT_EQ(many.shape(1, 0.5).positions, alone.positions);
  EXPECT_EQ(many.shape(2, 0.5).positions, alone.positions);
  EXPECT_NE(many.shape(0, 0.5).positions, alone.positions);
}

}  // namespace
}  // namespace sinew::test
