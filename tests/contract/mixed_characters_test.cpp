// One command, any character (contract, clauses 1, 2 and 7), by mixed finite elements: real files, good and bad.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "bad_files.h"
#include "folder.h"
#include "sinew/base/error.h"
#include "sinew/character/adopt_skeleton.h"
#include "sinew/gltf/read/read_character.h"
#include "sinew/jobs/animate_file.h"
#include "tests/jobs/method_values.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

// A few frames with few elements: enough for anything that breaks to break.
AnimateJob short_job(const fs::path& input, const fs::path& output, const Character& character) {
  AnimateJob job;
  job.input = input;
  job.output = output;
  job.method = MixedMethod();
  test::mixed(job.method).tetrahedra = 1500;
  job.frames_per_second = 12;
  const Clip* clip = character.clips.empty() ? nullptr : &character.clips.front();
  if (clip && clip->end - clip->start > 0.5) {
    job.begin = clip->start;
    job.end = clip->start + 0.5;
  }
  return job;
}

// Whether it was posed; what has skin weights has to be.
bool was_posed(const fs::path& path, const fs::path& folder) {
  const Character before = read_character(path);
  const AnimateJob job = short_job(path, folder / "mixed.glb", before);
  AnimateResult result;
  try {
    result = animate_file(job);
  } catch (const Error& error) {
    EXPECT_FALSE(has_skin_weights(before)) << error.what();
    EXPECT_EQ(error.kind(), ErrorKind::input) << error.what();
    EXPECT_NE(std::string(error.what()).find("skeleton"), std::string::npos) << error.what();
    return false;
  }
  EXPECT_TRUE(result.complete);
  EXPECT_FALSE(result.report.clips.empty());
  if (result.report.clips.empty()) return true;
  for (const FrameReport& frame : result.report.clips[0].frames) {
    EXPECT_TRUE(std::isfinite(frame.energy));
    EXPECT_GT(frame.volume_ratio, 0.1) << frame.time;
  }
  const Character after = read_character(job.output);
  EXPECT_GE(after.skeleton.joints.size(), before.skeleton.joints.size());
  EXPECT_EQ(after.parts.size(), before.parts.size());
  if (after.parts.size() != before.parts.size()) return true;
  for (std::size_t p = 0; p < before.parts.size(); ++p) {
    EXPECT_EQ(after.parts[p].surface.positions.size(), before.parts[p].surface.positions.size());
    EXPECT_EQ(after.parts[p].surface.triangles, before.parts[p].surface.triangles);
  }
  return true;
}

TEST(MixedCharacters, EveryOneIsPosed) {
  const fs::path characters = test::characters_folder();
  if (characters.empty()) return;
  const fs::path folder = test::scratch_folder("mixed_characters");
  int posed = 0;
  for (const char* set : {"gltf", "vrm", "derived"})
    for (const fs::path& path : test::gltf_files_below(characters / set)) {
      SCOPED_TRACE(path.string());
      if (was_posed(path, folder)) ++posed;
    }
  EXPECT_GE(posed, 32);
}

TEST(MixedCharacters, BadFilesGetASentence) {
  const fs::path characters = test::characters_folder();
  if (characters.empty()) return;
  const fs::path folder = test::scratch_folder("mixed_bad_characters");
  AnimateJob job;
  job.method = MixedMethod();
  test::mixed(job.method).tetrahedra = 200;
  test::expect_results_or_sentences(characters / "bad", folder, job);
}

TEST(MixedCharacters, ConformanceSkinsArePosed) {
  const fs::path characters = test::characters_folder();
  if (characters.empty()) return;
  const fs::path folder = test::scratch_folder("mixed_conformance");
  int posed = 0;
  for (const fs::path& path : test::gltf_files_below(characters / "conformance")) {
    SCOPED_TRACE(path.string());
    AnimateJob job;
    job.input = path;
    job.output = folder / "mixed.glb";
    job.method = MixedMethod();
    test::mixed(job.method).tetrahedra = 200;
    job.frames_per_second = 5;
    try {
      animate_file(job);
      EXPECT_NO_THROW(read_character(job.output));
      ++posed;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input) << error.what();
      EXPECT_FALSE(has_skin_weights(read_character(path))) << error.what();
    }
  }
  EXPECT_GE(posed, 16);
}

}  // namespace
}  // namespace sinew
