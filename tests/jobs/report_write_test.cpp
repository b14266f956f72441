#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "sinew/jobs/animate/report.h"

namespace sinew {
namespace {

TEST(Report, JsonHasEveryFieldThatWasSet) {
  RunReport report;
  report.input = "in.glb";
  report.output = "out.glb";
  report.program_version = "1.2.3";
  report.method = "flesh";
  report.settings = {{"step", "0.25"}, {"look", "lively"}};
  report.height = 2;
  report.tetrahedra = 8000;
  report.stages = {{"read", 0.5}};
  report.clips = {{"walk", 30, 240, {{0.5, 12, 34, 1.5, 0.99, 0.7}}}};
  Quality quality;
  quality.seen = 0.02;
  quality.stretch = 1.25;
  quality.least_volume = 0.9;
  report.clips[0].quality = report.quality = quality;
  report.clips[0].frames.push_back(report.clips[0].frames[0]);
  report.clips[0].frames[1].display_limit = 0.4;
  report.morph_fit = {{"body", "node", 7, 0.001, 0.01}};
  report.morph_rms_error = 0.001;
  report.morph_max_error = 0.01;
  report.warnings = {"careful"};
  const nlohmann::json json = nlohmann::json::parse(report_json(report));
  EXPECT_EQ(json["input"], "in.glb");
  EXPECT_EQ(json["settings"]["step"], 0.25);
  EXPECT_EQ(json["settings"]["look"], "lively");
  EXPECT_EQ(json["counts"]["tetrahedra"], 8000);
  EXPECT_EQ(json["stages"][0]["seconds"], 0.5);
  EXPECT_EQ(json["clips"][0]["frames"][0]["iterations"], 34);
  EXPECT_EQ(json["clips"][0]["frames"][0]["min_det"], 0.7);
  EXPECT_EQ(json["quality"]["seen"], 2);
  EXPECT_EQ(json["clips"][0]["quality"]["stretch"], 1.25);
  EXPECT_EQ(json["quality"]["volume"], nlohmann::json({0.9, 1.0}));
  EXPECT_TRUE(json["quality"]["loop"].is_null());
  EXPECT_EQ(json["clips"][0]["last_resorts"]["limit"]["frames"], 1);
  EXPECT_EQ(json["clips"][0]["last_resorts"]["limit"]["mean_share"], 0.2);
  EXPECT_EQ(json["clips"][0]["last_resorts"]["strain_bound"]["frames"], 0);
  EXPECT_EQ(json["morph_fit"]["meshes"][0]["targets"], 7);
  EXPECT_NEAR(json["morph_fit"]["rms_percent_of_height"].get<double>(), 0.05, 1e-12);
  EXPECT_EQ(json["warnings"][0], "careful");
}

TEST(Report, NumbersThatAreNoneBecomeNull) {
  RunReport report;
  report.clips = {{"walk", 30, 240, {{0, 0, 0, std::numeric_limits<double>::quiet_NaN(), 1, 1}}}};
  const nlohmann::json json = nlohmann::json::parse(report_json(report));
  EXPECT_TRUE(json["clips"][0]["frames"][0]["energy"].is_null());
  EXPECT_TRUE(json["morph_fit"].is_null());
  EXPECT_TRUE(json["quality"].is_null());
}

}  // namespace
}  // namespace sinew
