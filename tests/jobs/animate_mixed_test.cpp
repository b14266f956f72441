// The method `mixed` from file to file: what comes out for characters with and without skin weights, and what stays.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

#include "sinew/bake/output/compare.h"
#include "sinew/base/error.h"
#include "sinew/character/defects.h"
#include "sinew/gltf/document.h"
#include "sinew/gltf/read/read_character.h"
#include "sinew/jobs/animate/track.h"
#include "sinew/jobs/animate_file.h"
#include "tests/jobs/files.h"
#include "tests/jobs/method_values.h"
#include "tests/jobs/strip_weights.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;
using test::Stripped;

AnimateJob quick_mixed_job(const fs::path& input, const fs::path& output) {
  AnimateJob job;
  job.input = input;
  job.output = output;
  job.method = MixedMethod();
  test::mixed(job.method).tetrahedra = 1500;
  job.frames_per_second = 12;
  return job;
}

std::string refusal_of_mixed(ErrorKind kind, const AnimateJob& job) {
  try {
    animate_file(job);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    EXPECT_FALSE(fs::exists(job.output));
    return error.what();
  }
  ADD_FAILURE() << "was accepted";
  return {};
}

nlohmann::json document(const fs::path& path) { return *read_gltf_document(path).json; }

// RMS distance, as a share of the height.
double distance_between(const fs::path& a, const fs::path& b) {
  const Track first = read_track(a, {}), second = read_track(b, {});
  const TrackDifference difference = compare(first, second, common_times(first, second, 12));
  return difference.rms / difference.height;
}

TEST(AnimateMixed, ReportSaysMethodAndSettings) {
  const fs::path folder = test::scratch_files();
  AnimateJob job = quick_mixed_job(test::sample_file("tube.glb"), folder / "out.glb");
  job.report = folder / "run.json";
  job.loop = Loop::on;
  ASSERT_TRUE(animate_file(job).complete);
  const auto report = nlohmann::json::parse(test::bytes_of(job.report));
  EXPECT_EQ(report["method"], "mixed");
  EXPECT_EQ(report["settings"]["settings"]["material"], "arap");
  EXPECT_EQ(report["settings"]["settings"]["tetrahedra"], 1500);
  EXPECT_GT(report["counts"]["tetrahedra"], 500);
  const auto& frames = report["clips"][0]["frames"];
  ASSERT_GT(frames.size(), 10u);
  for (const auto& frame : frames) EXPECT_GT(frame["volume_ratio"], 0.8);
  // A loop needs no second pass here, and the report says so.
  EXPECT_NE(report["warnings"].dump().find("--loop"), std::string::npos);
}

TEST(AnimateMixed, KeepsEverythingElseOfTheFile) {
  const fs::path folder = test::scratch_files();
  AnimateJob job = quick_mixed_job(test::sample_file("elephant.glb"), folder / "out.glb");
  job.begin = 0;
  job.end = 0.3;
  job.accessories = false;  // eyes and tusks would get nodes
  ASSERT_TRUE(animate_file(job).complete);
  const nlohmann::json before = document(job.input), after = document(job.output);
  for (const char* key : {"materials", "textures", "skins", "scenes", "asset", "images", "samplers", "cameras"})
    EXPECT_EQ(before.value(key, nlohmann::json()), after.value(key, nlohmann::json())) << key;
  ASSERT_EQ(before["nodes"].size(), after["nodes"].size());
  ASSERT_EQ(before["animations"].size(), after["animations"].size());
}

TEST(AnimateMixed, WithoutSkinWeightsTheFileGetsASkin) {
  const fs::path folder = test::scratch_files();
  const fs::path weighted = folder / "weighted.glb";
  ASSERT_TRUE(animate_file(quick_mixed_job(test::sample_file("tube.glb"), weighted)).complete);
  for (const Stripped what : {Stripped::weights, Stripped::nodes, Stripped::skins}) {
    SCOPED_TRACE(static_cast<int>(what));
    const fs::path input = folder / "stripped.glb", output = folder / "out.glb";
    test::strip_skin_weights(test::sample_file("tube.glb"), input, what);
    const AnimateResult result = animate_file(quick_mixed_job(input, output));
    EXPECT_TRUE(std::any_of(result.report.warnings.begin(), result.report.warnings.end(),
                            [](const std::string& w) { return w.find("no skin weights") != std::string::npos; }));
    EXPECT_LT(result.report.morph_rms_error / result.report.height, 1.01e-3);

    std::vector<Defect> repairs;
    const Character before = read_character(input), after = read_character(output, &repairs);
    EXPECT_TRUE(repairs.empty()) << sentence(repairs.front());
    ASSERT_EQ(after.parts.size(), before.parts.size());
    for (std::size_t p = 0; p < after.parts.size(); ++p) {
      EXPECT_EQ(after.parts[p].surface.positions, before.parts[p].surface.positions);
      EXPECT_EQ(after.parts[p].surface.triangles, before.parts[p].surface.triangles);
      ASSERT_GE(after.parts[p].skin, 0);
      for (const Influences& influences : after.parts[p].influences) EXPECT_LE(influences.count, 4);
    }
    EXPECT_EQ(after.skeleton.joints.size(), before.skeleton.joints.size());
    ASSERT_EQ(after.clips.size(), before.clips.size());
    // A file with its skin at hand gets no second one.
    EXPECT_EQ(after.skins.size(), what == Stripped::weights ? 1u : what == Stripped::nodes ? 2u : 1u);
    for (const char* key : {"materials", "textures", "scenes", "asset"})
      EXPECT_EQ(document(input).value(key, nlohmann::json()), document(output).value(key, nlohmann::json())) << key;

    EXPECT_LT(distance_between(weighted, output), 0.01);
    // It has weights now, and goes through once more as any character does.
    AnimateJob again = quick_mixed_job(output, folder / "again.glb");
    EXPECT_TRUE(animate_file(again).complete);
    EXPECT_TRUE(std::none_of(result.report.warnings.begin(), result.report.warnings.end(),
                             [](const std::string& w) { return w.find("no bone reaches") != std::string::npos; }));
  }
}

TEST(AnimateMixed, FilesOfSeveralPartsAreBoundNodeByNode) {
  const fs::path folder = test::scratch_files();
  test::strip_skin_weights(test::sample_file("sumo.glb"), folder / "in.glb", Stripped::skins);
  AnimateJob job = quick_mixed_job(folder / "in.glb", folder / "out.glb");
  job.begin = 1.5;
  job.end = 2;
  const AnimateResult result = animate_file(job);
  const Character character = read_character(job.output);
  int bound = 0;
  for (const Part& part : character.parts) bound += part.skin >= 0;
  EXPECT_EQ(bound, 5);
  EXPECT_EQ(character.parts.size(), 7u);  // the eyes hang on the head
  AnimateJob weighted = quick_mixed_job(test::sample_file("sumo.glb"), folder / "weighted.glb");
  weighted.begin = 1.5;
  weighted.end = 2;
  animate_file(weighted);
  const double away = distance_between(weighted.output, job.output);
  EXPECT_LT(away, 0.02);
  std::cout << "sumo without its weights: RMS " << 100 * away << " % of the height from that with them\n";
}

TEST(AnimateMixed, PointCachesAndStopsWorkAsWithFlesh) {
  const fs::path folder = test::scratch_files();
  AnimateJob job = quick_mixed_job(test::sample_file("tube.glb"), folder / "whole.mdd");
  ASSERT_TRUE(animate_file(job).complete);
  job.output = folder / "resumed.mdd";
  job.checkpoint = folder / "state";
  job.resume = true;
  int frames = 0;
  ASSERT_FALSE(animate_file(job, [&](const ProgressReport& report) {
                 return !report.activity.starts_with("posing") || ++frames < 6;
               }).complete);
  EXPECT_FALSE(fs::exists(job.output));
  ASSERT_TRUE(fs::exists(job.checkpoint));
  ASSERT_TRUE(animate_file(job).complete);
  EXPECT_EQ(test::bytes_of(folder / "whole.mdd"), test::bytes_of(folder / "resumed.mdd"));
}

TEST(AnimateMixed, ImpossibleRequestsAreRefused) {
  const fs::path folder = test::scratch_files();
  AnimateJob job = quick_mixed_job(test::sample_file("tube.glb"), folder / "out.glb");
  test::mixed(job.method).skeleton = "lower";
  EXPECT_NE(refusal_of_mixed(ErrorKind::usage, job).find("--skeleton"), std::string::npos);
  test::mixed(job.method).skeleton.clear();
  test::mixed(job.method).young = -1;
  EXPECT_NE(refusal_of_mixed(ErrorKind::usage, job).find("young"), std::string::npos);

  test::strip_skin_weights(test::sample_file("tube.glb"), folder / "in.glb", Stripped::skins);
  job = quick_mixed_job(folder / "in.glb", folder / "out.glb");
  test::mixed(job.method).skeleton = "nobody";
  EXPECT_NE(refusal_of_mixed(ErrorKind::usage, job).find("nobody"), std::string::npos);
  test::mixed(job.method).skeleton.clear();
  test::mixed(job.method).clusters = MixedClusters::weights;
  EXPECT_NE(refusal_of_mixed(ErrorKind::usage, job).find("clusters"), std::string::npos);
  test::mixed(job.method).clusters = MixedClusters::automatic;
  job.method = FleshMethod();
  EXPECT_NE(refusal_of_mixed(ErrorKind::input, job).find("--method mixed"), std::string::npos);

  nlohmann::json json = document(folder / "in.glb");
  json.erase("animations");
  const auto bytes = read_gltf_document(folder / "in.glb").buffers.at(0);
  test::write_glb(folder / "still.glb", json, {bytes.begin(), bytes.end()});
  job = quick_mixed_job(folder / "still.glb", folder / "out.glb");
  EXPECT_NE(refusal_of_mixed(ErrorKind::input, job).find("--skeleton"), std::string::npos);
}

}  // namespace
}  // namespace sinew
