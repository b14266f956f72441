// The main job through the library: what comes out, what is refused and how, what a stop leaves behind.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>

#include "sinew/base/error.h"
#include "sinew/gltf/document.h"
#include "sinew/gltf/read/read_character.h"
#include "sinew/jobs/animate_file.h"
#include "tests/jobs/files.h"
#include "tests/jobs/method_values.h"
#include "tests/jobs/tangents.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

fs::path characters() {
  if (const char* folder = std::getenv("SINEW_CHARACTERS")) return folder;
  return fs::path(SINEW_SOURCE_DIR) / ".." / "shared" / "characters";
}

AnimateJob quick_job(const fs::path& input, const fs::path& output) {
  AnimateJob job;
  job.input = input;
  job.output = output;
  test::flesh(job.method).tetrahedra = 800;
  job.frames_per_second = 12;
  return job;
}

std::string refusal(ErrorKind kind, const AnimateJob& job) {
  try {
    animate_file(job);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "was accepted";
  return {};
}

TEST(AnimateFile, AddsMorphTargetsAndKeepsEverythingElse) {
  const fs::path folder = test::scratch_files();
  AnimateJob job = quick_job(test::sample_file("tube.glb"), folder / "out.glb");
  job.clip = "shake";
  job.report = folder / "run.json";
  const std::string before = test::bytes_of(job.input);
  const AnimateResult result = animate_file(job);
  EXPECT_TRUE(result.complete);
  EXPECT_GT(result.report.output_bytes, 0u);
  EXPECT_TRUE(fs::exists(job.report));
  EXPECT_EQ(test::bytes_of(job.input), before);
  const Character in = character_from(read_gltf_document(job.input)),
                  out = character_from(read_gltf_document(job.output));
  ASSERT_EQ(in.parts.size(), out.parts.size());
  ASSERT_EQ(in.clips.size(), out.clips.size());
  std::size_t targets = 0;
  for (std::size_t p = 0; p < in.parts.size(); ++p) {
    EXPECT_EQ(in.parts[p].surface.positions, out.parts[p].surface.positions);
    EXPECT_EQ(in.parts[p].surface.triangles, out.parts[p].surface.triangles);
    targets += out.parts[p].targets.size() - in.parts[p].targets.size();
  }
  EXPECT_GT(targets, 0u);
  EXPECT_EQ(in.skeleton.joints.size(), out.skeleton.joints.size());
}

TEST(AnimateFile, TwoRunsWriteTheSameBytes) {
  const fs::path folder = test::scratch_files();
  for (const char* name : {"first.glb", "second.glb"}) {
    AnimateJob job = quick_job(test::sample_file("tube.glb"), folder / name);
    job.clip = "shake";
    animate_file(job);
  }
  EXPECT_EQ(test::bytes_of(folder / "first.glb"), test::bytes_of(folder / "second.glb"));
}

TEST(AnimateFile, AStopLeavesNoFileAndTheInputAlone) {
  const fs::path folder = test::scratch_files();
  for (const std::string stage : {"reading", "filling", "binding", "assembling", "cooking", "simulating"}) {
    AnimateJob job = quick_job(test::sample_file("tube.glb"), folder / "out.glb");
    job.report = folder / "run.json";
    const std::string before = test::bytes_of(job.input);
    const AnimateResult result =
        animate_file(job, [&](const ProgressReport& report) { return !report.activity.starts_with(stage); });
    EXPECT_FALSE(result.complete) << stage;
    EXPECT_TRUE(fs::is_empty(folder)) << stage;
    EXPECT_EQ(test::bytes_of(job.input), before);
  }
}

// Of a character that stands taller in its default pose than in the pose that it was bound in.
TEST(AnimateFile, TheReportTellsTheHeightThatTheNoteTells) {
  const fs::path folder = test::scratch_files();
  std::string bytes = test::bytes_of(test::sample_file("tube.glb"));
  const std::string bound = "\"translation\":[0.0,0.5,0.0]", stands = "\"translation\":[0.0,0.9,0.0]";
  const std::size_t at = bytes.find(bound);
  ASSERT_NE(at, std::string::npos);
  bytes.replace(at, bound.size(), stands);
  std::ofstream(folder / "tall.glb", std::ios::binary) << bytes;
  AnimateJob job = quick_job(folder / "tall.glb", folder / "out.glb");
  job.end = 0.1;
  const AnimateResult result = animate_file(job);
  ASSERT_FALSE(result.report.warnings.empty());
  char told[32];
  std::snprintf(told, sizeof told, "is %.3g m high", result.report.height);
  EXPECT_NE(result.report.warnings[0].find(told), std::string::npos) << result.report.warnings[0] << told;
  EXPECT_NEAR(result.report.height, 1.4, 0.01);
}

TEST(AnimateFile, AResumedRunWritesTheSameBytes) {
  const fs::path folder = test::scratch_files();
  AnimateJob job = quick_job(test::sample_file("tube.glb"), folder / "whole.glb");
  animate_file(job);
  job.output = folder / "resumed.glb";
  job.checkpoint = folder / "state";
  job.resume = true;
  int frames = 0;
  ASSERT_FALSE(animate_file(job, [&](const ProgressReport& report) {
                 return !report.activity.starts_with("simulating") || ++frames < 6;
               }).complete);
  ASSERT_TRUE(fs::exists(job.checkpoint));
  ASSERT_TRUE(animate_file(job).complete);
  EXPECT_EQ(test::bytes_of(folder / "whole.glb"), test::bytes_of(folder / "resumed.glb"));
}

// The note is for results of four times their input that are larger by a megabyte; the number that it names has to
// bring less.
TEST(AnimateFile, AResultManyTimesAsLargeAsItsInputNamesTheOptionThatMakesItSmaller) {
  const fs::path folder = test::scratch_files();
  AnimateJob job = quick_job(test::sample_file("tube.glb"), folder / "out.glb");
  job.clip = "shake";
  job.frames_per_second = 30;
  const auto size_note_of = [](const AnimateResult& result) -> std::string {
    for (const std::string& warning : result.report.warnings)
      if (warning.find("times as large as its input") != std::string::npos) return warning;
    return {};
  };
  const double before = static_cast<double>(fs::file_size(job.input));
  const AnimateResult plain = animate_file(job);
  ASSERT_LT(static_cast<double>(plain.report.output_bytes), 4 * before);
  EXPECT_EQ(size_note_of(plain), "");

  job.morphs.targets = 80;
  job.morphs.normals = true;
  const AnimateResult large = animate_file(job);
  ASSERT_GT(static_cast<double>(large.report.output_bytes), std::max(4 * before, before + 1e6));
  const std::string note = size_note_of(large);
  char factor[40];
  std::snprintf(factor, sizeof factor, "%.1f times as large", static_cast<double>(fs::file_size(job.output)) / before);
  EXPECT_NE(note.find(factor), std::string::npos) << note << factor;
  const int targets = large.report.morph_fit.at(0).targets;  // as many as the frames tell apart, 80 at most
  EXPECT_NE(note.find(std::to_string(targets) + " morph targets"), std::string::npos) << note;
  EXPECT_NE(note.find("--morph-error"), std::string::npos) << note;

  const std::size_t option = note.find("--morphs ");
  ASSERT_NE(option, std::string::npos) << note;
  job.morphs.targets = std::atoi(note.c_str() + option + 9);
  ASSERT_GT(job.morphs.targets, 0) << note;
  ASSERT_LT(job.morphs.targets, targets) << note;
  const AnimateResult smaller = animate_file(job);
  EXPECT_LT(static_cast<double>(smaller.report.output_bytes), 0.6 * static_cast<double>(large.report.output_bytes))
      << note;
}

TEST(AnimateFile, TangentsFollowTheNormalsOfMorphTargets) {
  const fs::path folder = test::scratch_files();
  AnimateJob job = quick_job(test::sample_file("tube.glb"), folder / "out.glb");
  job.clip = "shake";
  job.morphs.targets = 3;
  job.morphs.normals = true;
  animate_file(job);
  const GltfDocument written = read_gltf_document(job.output);
  for (const nlohmann::json& target : (*written.json)["meshes"][0]["primitives"][0]["targets"])
    EXPECT_FALSE(target.contains("TANGENT"));
  job.input = test::with_tangents(job.input, folder);
  animate_file(job);
  EXPECT_GT(test::check_tangents_of_targets(job.output), 0.01);
  job.morphs.normals = false;
  animate_file(job);
  const GltfDocument written_again = read_gltf_document(job.output);
  for (const nlohmann::json& target : (*written_again.json)["meshes"][0]["primitives"][0]["targets"])
    EXPECT_FALSE(target.contains("TANGENT"));
}

TEST(AnimateFile, ImpossibleRequestsAreRefusedBeforeWork) {
  const fs::path folder = test::scratch_files();
  const AnimateJob good = quick_job(test::sample_file("tube.glb"), folder / "out.glb");
  const auto refused = [&](const char* word, const std::function<void(AnimateJob&)>& change) {
    AnimateJob job = good;
    change(job);
    const std::string sentence = refusal(ErrorKind::usage, job);
    EXPECT_NE(sentence.find(word), std::string::npos) << sentence;
    EXPECT_FALSE(fs::exists(job.output) && job.output != job.input) << word;
  };
  refused("folder", [&](AnimateJob& job) { job.output = folder / "missing" / "out.glb"; });
  refused("input itself", [&](AnimateJob& job) {
    fs::copy_file(job.input, folder / "own.glb", fs::copy_options::overwrite_existing);
    job.input = job.output = folder / "own.glb";
  });
  refused("end in", [&](AnimateJob& job) { job.output = folder / "out.fbx"; });
  refused(".png", [&](AnimateJob& job) { job.preview = folder / "strip.gif"; });
  refused("no such clip", [](AnimateJob& job) { job.clip = "dance"; });
  refused("one clip", [&](AnimateJob& job) { job.output = folder / "out.pc2", job.clip = "all"; });
  refused("fps", [](AnimateJob& job) { job.frames_per_second = 0; });
  refused("range", [](AnimateJob& job) { job.begin = 2, job.end = 1; });
  refused("poisson", [](AnimateJob& job) { test::flesh(job.method).poisson = 0.7; });
}

TEST(AnimateFile, FilesThatCannotBeWorkedWithGetASentence) {
  const fs::path folder = test::scratch_files();
  std::ofstream(folder / "text.glb") << "this is no model";
  std::ofstream(folder / "half.glb", std::ios::binary) << test::bytes_of(test::sample_file("tube.glb")).substr(0, 5000);
  std::ofstream(folder / "plain.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  for (const char* name : {"text.glb", "half.glb", "plain.obj"}) {
    const std::string sentence = refusal(ErrorKind::input, quick_job(folder / name, folder / "out.glb"));
    EXPECT_NE(sentence.find(name), std::string::npos) << sentence;
    EXPECT_FALSE(fs::exists(folder / "out.glb"));
  }
}

TEST(AnimateFile, FleshThatNothingHoldsIsRefusedWithARemedy) {
  const fs::path folder = test::scratch_files();
  AnimateJob job = quick_job(test::sample_file("tube.glb"), folder / "out.glb");
  test::flesh(job.method).core = 0;
  test::flesh(job.method).bone_hold = 0;
  EXPECT_NE(refusal(ErrorKind::simulation, job).find("bone_hold"), std::string::npos);
  EXPECT_FALSE(fs::exists(job.output));
}

TEST(AnimateFileCharacters, SmallRealCharactersGetFlesh) {
  if (!fs::is_directory(characters())) {
    std::cout << "skipped: " << characters() << " is not there (SINEW_CHARACTERS)\n";
    return;
  }
  const fs::path folder = test::scratch_files();
  for (const char* name : {"gltf/fox/Fox.glb", "gltf/rigged_figure/RiggedFigure.glb",
                           "gltf/skinned_cylinder/03_skinned_cylinder.gltf", "gltf/greenman/greenman.glb"})
    for (Reference reference : {Reference::rig, Reference::elastic}) {
      SCOPED_TRACE(name);
      const fs::path input = characters() / name;
      AnimateJob job = quick_job(input, folder / ("out" + input.extension().string()));
      test::flesh(job.method).reference = reference;
      const AnimateResult result = animate_file(job);
      EXPECT_TRUE(result.complete);
      ASSERT_FALSE(result.report.clips.empty());
      for (const FrameReport& frame : result.report.clips[0].frames) {
        EXPECT_GT(frame.volume_ratio, 0.5);
        EXPECT_LT(frame.volume_ratio, 2.0);
      }
      EXPECT_LT(result.report.morph_rms_error, 1.01e-3 * result.report.height);
      character_from(read_gltf_document(job.output));
    }
}

}  // namespace
}  // namespace sinew
