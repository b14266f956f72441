// Keys of a file, over the clips of a bake.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "sinew/base/file.h"
#include "sinew/jobs/animate_file.h"
#include "tests/base/refusal.h"
#include "tests/jobs/files.h"
#include "tests/jobs/method_values.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

// Clips that loop, come to rest and end elsewhere.
TEST(AnimateKeys, ThoseBeyondTheClipChangeNoByte) {
  const fs::path folder = test::scratch_files();
  AnimateJob job;
  job.input = test::sample_file("sumo.glb");
  job.clip = "all";
  job.frames_per_second = 12;
  test::flesh(job.method).tetrahedra = 250;
  const auto baked = [&](const std::string& keys) {
    const fs::path file = folder / "keys.json";
    if (!keys.empty()) write_text_file(file, keys);
    test::flesh(job.method).keys = keys.empty() ? "" : file.string();
    job.output = folder / "out.glb";
    animate_file(job);
    return test::bytes_of(job.output);
  };
  const auto usual = baked("");
  EXPECT_EQ(baked(R"({"clips": {"*": {"stiffness": [[0, 1], [100, 1], [101, 5]], "damping": [[99, 1], [100, 2]],
                                      "gravity": [[100, [0, -9.81, 0]], [101, [0, 0, 0]]]}}})"),
            usual);
  EXPECT_NE(baked(R"({"clips": {"*": {"stiffness": [[0, 1], [0.5, 5]]}}})"), usual);
  EXPECT_NE(test::refusal(ErrorKind::input, [&] { baked(R"({"clips": {"Stomp!": {}}})"); })
                .find("sumo.glb has no clip 'Stomp!'"),
            std::string::npos);
}

}  // namespace
}  // namespace sinew
