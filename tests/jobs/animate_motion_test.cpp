// Clips of another file from end to end: the character moves as if they were its own.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sinew/base/error.h"
#include "sinew/gltf/document.h"
#include "sinew/gltf/read/read_character.h"
#include "sinew/jobs/animate_file.h"
#include "sinew/jobs/check_file.h"
#include "tests/contract/glb.h"
#include "tests/jobs/files.h"
#include "tests/jobs/method_values.h"
#include "tests/mesh/shapes.h"

namespace sinew::test {
namespace {

namespace fs = std::filesystem;

// A sample without the members of these names.
fs::path without(const std::string& sample, const fs::path& path, std::initializer_list<const char*> members) {
  const GltfDocument document = read_gltf_document(sample_file(sample));
  nlohmann::json json = *document.json;
  for (const char* member : members) json.erase(member);
  for (nlohmann::json& node : json["nodes"]) {
    if (!json.contains("meshes")) node.erase("mesh");
    if (!json.contains("skins")) node.erase("skin");
  }
  const auto bytes = document.buffers.at(0);
  write_glb(path, json, {bytes.begin(), bytes.end()});
  return path;
}

AnimateJob quick(const fs::path& input, const fs::path& output) {
  AnimateJob job;
  job.input = input;
  job.output = output;
  test::flesh(job.method).tetrahedra = 300;
  job.begin = 0;
  job.end = 0.3;
  return job;
}

class AnimateMotion : public testing::Test {
 protected:
  const fs::path folder_ = scratch_files();
  const fs::path hero_ = without("tube.glb", folder_ / "hero.glb", {"animations"});
  const fs::path moves_ = without("tube.glb", folder_ / "moves.glb",
                                  {"meshes", "skins", "materials", "textures", "images", "scenes", "scene"});
};

TEST_F(AnimateMotion, MovesAsByItsOwnClips) {
  const fs::path own = folder_ / "own.pc2", other = folder_ / "other.pc2";
  animate_file(quick(sample_file("tube.glb"), own));
  AnimateJob job = quick(hero_, other);
  job.motions = {moves_.string()};
  animate_file(job);
  EXPECT_TRUE(bytes_of(own) == bytes_of(other));
  job.output = folder_ / "other.glb";
  animate_file(job);
  EXPECT_EQ(read_character(job.output).clips.size(), read_character(sample_file("tube.glb")).clips.size());
  EXPECT_GT(read_character(job.output).parts.at(0).targets.size(), 0u);
}

TEST_F(AnimateMotion, ClipsAreChosenInTheMotionsFile) {
  const Character whole = read_character(sample_file("tube.glb"));
  ASSERT_GT(whole.clips.size(), 1u);
  AnimateJob job = quick(sample_file("tube.glb"), folder_ / "out.glb");
  job.motions = {moves_.string()};
  job.clip = whole.clips[1].name;
  const AnimateResult result = animate_file(job);
  EXPECT_EQ(result.report.clips.size(), 1u);
  EXPECT_EQ(read_character(job.output).clips.size(), whole.clips.size() + 1);  // only that one is joined
  job.clip = "nonesuch";
  EXPECT_THROW(animate_file(job), Error);
  job.clip.clear();
  job.output = moves_;
  EXPECT_THROW(animate_file(job), Error);  // is never overwritten
}

TEST_F(AnimateMotion, AFileOfClipsAloneSaysWhatItIsFor) {
  const FileCheck check = check_file(moves_.string());
  EXPECT_NE(check.refusal.find("--motion"), std::string::npos) << check.refusal;
  EXPECT_NE(check.refusal.find("clip"), std::string::npos);
  try {
    animate_file(quick(moves_, folder_ / "out.glb"));
    FAIL() << "it was animated";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_NE(std::string(error.what()).find("--motion"), std::string::npos) << error.what();
  }
}

// A character without a clip and a clip without a mesh, of another maker.
TEST_F(AnimateMotion, OtherPeoplesFiles) {
  const fs::path cases = characters() / "cases", hero = cases / "rpm_feminine_tpose.glb";
  if (!fs::exists(hero)) GTEST_SKIP() << "Not tested: " << hero.string() << " is not there.";
  AnimateJob job = quick(hero, folder_ / "out.glb");
  job.motions = {(cases / "rpm_dance001_only.glb").string()};
  test::flesh(job.method).tetrahedra = 1000;
  const AnimateResult result = animate_file(job);
  ASSERT_TRUE(result.report.quality);
  EXPECT_LT(result.report.quality->largest, 0.05);
  for (const std::string& warning : result.report.warnings)
    EXPECT_EQ(warning.find("left out"), std::string::npos) << warning;
}

// Pictures are drawn before anything is written: a stop then leaves nothing.
TEST_F(AnimateMotion, AStopWhilePicturesAreDrawnLeavesNothing) {
  AnimateJob job = quick(sample_file("tube.glb"), folder_ / "out.glb");
  job.preview = folder_ / "out.webp";
  job.report = folder_ / "out.json";
  bool drawing = false;
  const AnimateResult result = animate_file(job, [&](const ProgressReport& report) {
    drawing = drawing || report.activity.starts_with("drawing");
    return !drawing;
  });
  EXPECT_TRUE(drawing);
  EXPECT_FALSE(result.complete);
  for (const fs::path& path : {job.output, job.preview, job.report}) EXPECT_FALSE(fs::exists(path)) << path;
}

}  // namespace
}  // namespace sinew::test
