// Free handles and files of rotations from file to file.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "sinew/bake/output/point_cache.h"
#include "sinew/base/file.h"
#include "sinew/files/rotations_file.h"
#include "sinew/jobs/animate_file.h"
#include "sinew/jobs/open_character.h"
#include "tests/base/refusal.h"
#include "tests/jobs/files.h"
#include "tests/jobs/method_values.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

AnimateJob mixed_job_of(const char* sample, const fs::path& output) {
  AnimateJob job;
  job.input = test::sample_file(sample);
  job.output = output;
  job.method = MixedMethod();
  test::mixed(job.method).tetrahedra = 500;
  return job;
}

TEST(AnimateHandles, AMeshWithoutASkeletonIsLedByAFileAndItsResultPlays) {
  const fs::path folder = test::scratch_files();
  AnimateJob job = mixed_job_of("duck.obj", folder / "duck.glb");
  write_text_file(folder / "handles.json", R"({"handles": [
    {"name": "body", "kind": "frame", "place": [0, 0.04, 0], "radius": 0.03},
    {"name": "head", "place": [0, 0.13, 0.06], "radius": 0.03, "keys": [{"time": 0}, {"time": 0.5, "move": [0.05, 0.02, 0]}]}]})");
  test::mixed(job.method).handles = (folder / "handles.json").string();
  const RunReport report = animate_file(job).report;
  for (const std::string& warning : report.warnings)
    EXPECT_EQ(warning.find("does not move"), std::string::npos) << warning;
  const Character duck = open_rigged_character(job.output).character;
  ASSERT_EQ(duck.clips.size(), 1u);
  EXPECT_NEAR(duck.clips[0].end - duck.clips[0].start, 0.5, 1e-6);
  AnimateJob cached = job;
  cached.output = folder / "duck.pc2";
  animate_file(cached);
  const Track led = read_point_cache(cached.output, job.frames_per_second);
  const std::vector<Vec3> first = led.positions_at(0), last = led.positions_at(0.5);
  double farthest = 0;
  for (std::size_t v = 0; v < first.size(); ++v) farthest = std::max(farthest, distance(first[v], last[v]));
  EXPECT_NEAR(farthest, std::hypot(0.05, 0.02), 0.03);
}

TEST(AnimateHandles, RotationsThatWereWrittenGiveTheSameBytes) {
  const fs::path folder = test::scratch_files();
  AnimateJob job = mixed_job_of("tube.glb", folder / "out.glb");
  test::mixed(job.method).material = MixedMaterial::corotated;
  job.begin = 0;
  job.end = 0.3;
  job.rotations = folder / "tube.rotations";
  animate_file(job);
  AnimateJob again = job;
  again.output = folder / "again.glb";
  again.rotations.clear();
  test::mixed(again.method).rotations = job.rotations.string();
  animate_file(again);
  EXPECT_EQ(test::bytes_of(job.output), test::bytes_of(again.output));
  // Bones still hold their pins: with other rotations another body.
  ElementRotations still = parse_rotations_file(read_file(job.rotations), "tube.rotations");
  for (Mat3& rotation : still.rotation) rotation = Mat3::identity();
  write_rotations_file(folder / "still.rotations", still);
  test::mixed(again.method).rotations = (folder / "still.rotations").string();
  animate_file(again);
  EXPECT_NE(test::bytes_of(job.output), test::bytes_of(again.output));

  test::mixed(again.method).tetrahedra = 900;
  const std::string other = test::refusal(ErrorKind::input, [&] { animate_file(again); });
  EXPECT_NE(other.find("elements, but the body has"), std::string::npos) << other;
  job.method = FleshMethod();
  EXPECT_NE(test::refusal(ErrorKind::usage, [&] { animate_file(job); }).find("--write-rotations"), std::string::npos);
}

}  // namespace
}  // namespace sinew
