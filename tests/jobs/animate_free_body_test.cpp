// A mesh without a skeleton falls: from an OBJ to a file that plays it.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "sinew/bake/output/compare.h"
#include "sinew/bake/output/point_cache.h"
#include "sinew/jobs/animate_file.h"
#include "sinew/jobs/open_character.h"
#include "tests/base/refusal.h"
#include "tests/jobs/files.h"
#include "tests/jobs/method_values.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

AnimateJob falling_duck(const fs::path& folder) {
  AnimateJob job;
  job.input = test::sample_file("duck.obj");
  job.output = folder / "duck.glb";
  FleshSettings& flesh = test::flesh(job.method);
  flesh.free_body = flesh.weight = true;
  flesh.box = 0.5;
  flesh.tetrahedra = 250;
  flesh.spin = {0, 0.2, 0.6};
  job.end = 1;
  return job;
}

double lowest_of(const std::vector<Vec3>& surface) {
  double lowest = HUGE_VAL;
  for (const Vec3& x : surface) lowest = std::min(lowest, x.y);
  return lowest;
}

TEST(AnimateFreeBody, ADuckFallsOntoTheFloorAndItsFilePlaysThat) {
  const fs::path folder = test::scratch_files();
  AnimateJob job = falling_duck(folder);
  animate_file(job);
  animate_file(job);  // again, over the first result
  const Character duck = open_rigged_character(job.output).character;
  ASSERT_EQ(duck.clips.size(), 1u);
  const Track played = character_track(duck, &duck.clips[0]);
  AnimateJob cached = job;
  cached.output = folder / "duck.pc2";
  animate_file(cached);
  const Track moved = read_point_cache(cached.output, job.frames_per_second);
  EXPECT_LT(compare(moved, played, moved.times).rms, 1.5e-3 * played.height);

  // Free fall at first: the node carries it, whatever the morph targets do.
  const double before = lowest_of(moved.positions_at(0)), later = lowest_of(moved.positions_at(0.1));
  EXPECT_NEAR(before - later, 0.5 * 9.81 * 0.01, 0.02);
  const Character mesh = open_character(job.input).character;
  const std::vector<Vec3>& rest = mesh.parts[0].surface.positions;
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (const Vec3& x : rest) low = std::min(low, x.y), high = std::max(high, x.y);
  const double floor = 0.5 * (low + high) * mesh.metres_per_unit - 0.25;
  EXPECT_NEAR(lowest_of(moved.positions_at(1)), floor, 0.01);
}

TEST(AnimateFreeBody, ResumesToTheSameBytes) {
  const fs::path folder = test::scratch_files();
  AnimateJob job = falling_duck(folder);
  animate_file(job);
  AnimateJob resumed = job;
  resumed.output = folder / "resumed.glb";
  resumed.checkpoint = folder / "state";
  resumed.resume = true;
  int frames = 0;
  ASSERT_FALSE(animate_file(resumed, [&](const ProgressReport& report) {
                 return !report.activity.starts_with("simulating") || ++frames < 12;
               }).complete);
  ASSERT_TRUE(animate_file(resumed).complete);
  EXPECT_EQ(test::bytes_of(job.output), test::bytes_of(resumed.output));
}

TEST(AnimateFreeBody, AMeshWithoutASkeletonIsStillRefusedByOtherFlesh) {
  const fs::path folder = test::scratch_files();
  AnimateJob job = falling_duck(folder);
  FleshSettings& flesh = test::flesh(job.method);
  flesh.free_body = false;
  flesh.spin = {};
  EXPECT_NE(test::refusal(ErrorKind::input, [&] { animate_file(job); }).find("sinew rig"), std::string::npos);
}

}  // namespace
}  // namespace sinew
