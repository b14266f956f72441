// The shader runtime/dynamic_skinning.comp against a program in double precision.
#include "sinew/gpu/surface_gpu.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "sinew/base/error.h"
#include "tests/gpu/reference_body.h"
#include "tests/gpu/tube_model.h"

namespace sinew {
namespace {

using test::lively_bones;
using test::ReferenceBody;
using test::tube;

constexpr double h = 1.0 / 60;

// One device for all tests; a piece of another one's name may be given in SINEW_GPU.
GpuDevice& device() {
  static GpuDevice gpu([] {
    const char* name = std::getenv("SINEW_GPU");
    return GpuDeviceOptions{name ? name : "", true};
  }());
  return gpu;
}

class SurfaceGpuTest : public ::testing::Test {
 protected:
  void TearDown() override {
    for (const std::string& message : device().validation_messages()) ADD_FAILURE() << message;
  }
};

SurfaceGpu one_body(const SurfaceModel& model) {
  const std::vector<SurfaceGpuModel> models{pack_surface_model(model)};
  return SurfaceGpu(device(), models, std::vector<int>{0});
}

void expect_equal(const SurfaceGpuState& state, const ReferenceBody& body, double tolerance, int step) {
  EXPECT_LT(test::largest_difference(state.goals, body.g), 1e-5 * body.model.height) << "step " << step;
  EXPECT_LT(test::largest_difference(state.positions, body.x), tolerance * body.model.height) << "step " << step;
}

TEST_F(SurfaceGpuTest, ThreeHundredStepsAreThoseOfTheReference) {
  for (const ShapeReference reference : {ShapeReference::rig, ShapeReference::rest}) {
    const SurfaceModel model = tube({.reference = reference});
    SurfaceGpu gpu = one_body(model);
    ReferenceBody body{.model = model};
    gpu.set_bones(0, lively_bones(0));
    gpu.reset();
    body.reset(lively_bones(0));
    double strongest = 0;
    for (int s = 1; s <= 300; ++s) {
      const std::vector<Affine> bones = lively_bones(s * h);
      gpu.set_bones(0, bones);
      gpu.step();
      body.step(bones);
      if (s % 20 == 0) expect_equal(gpu.state(0), body, 1e-4, s);
      strongest = std::max(strongest, test::largest_difference(body.x, body.g));
    }
    EXPECT_GT(strongest, 0.05) << "the motion is not lively";
  }
}

}  // namespace
}  // namespace sinew
