// The method surface from file to file: a run that is stopped leaves a checkpoint, and goes on from it to the same
// bytes.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "sinew/base/file.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/deform/surface/fit/build_surface_model.h"
#include "sinew/deform/surface/runtime_file.h"
#include "sinew/gltf/read/read_character.h"
#include "sinew/jobs/animate_file.h"
#include "tests/jobs/files.h"
#include "tests/jobs/method_values.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

// The tube as it comes, moved by softer parameters than the first guess.
AnimateJob surface_job(const fs::path& folder, const std::string& output) {
  AnimateJob job;
  job.input = test::sample_file("tube.glb");
  job.output = folder / output;
  job.method = SurfaceMethod();
  test::surface(job.method).model = (folder / "tube.sinew").string();
  job.end = 0.5;
  const Character character = read_character(job.input);
  SurfaceModel model = build_surface_model(character, simulation_surface(character), {});
  for (VertexParameters& parameters : model.parameters) parameters.alpha = 0.2;
  write_file(test::surface(job.method).model, cook_runtime_file(model));
  return job;
}

TEST(AnimateSurface, AResumedRunWritesTheSameBytes) {
  const fs::path folder = test::scratch_files();
  AnimateJob job = surface_job(folder, "whole.glb");
  animate_file(job);
  job.output = folder / "resumed.glb";
  job.checkpoint = folder / "state";
  job.resume = true;
  int frames = 0;
  const AnimateResult stopped = animate_file(
      job, [&](const ProgressReport& report) { return !report.activity.starts_with("moving") || ++frames < 6; });
  ASSERT_FALSE(stopped.complete);
  EXPECT_TRUE(stopped.resumable);
  ASSERT_TRUE(fs::exists(job.checkpoint));
  ASSERT_TRUE(animate_file(job).complete);
  EXPECT_EQ(test::bytes_of(folder / "whole.glb"), test::bytes_of(folder / "resumed.glb"));
}

TEST(AnimateSurface, NothingIsPromisedWithoutACheckpoint) {
  const fs::path folder = test::scratch_files();
  const AnimateJob job = surface_job(folder, "out.glb");
  int frames = 0;
  const AnimateResult stopped = animate_file(
      job, [&](const ProgressReport& report) { return !report.activity.starts_with("moving") || ++frames < 6; });
  EXPECT_FALSE(stopped.complete);
  EXPECT_FALSE(stopped.resumable);
}

}  // namespace
}  // namespace sinew
