// Muscles that a clip's torques activate.
#include "sinew/jobs/motion/flex_motion.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "tests/base/refusal.h"
#include "tests/jobs/files.h"

namespace sinew::test {
namespace {

FlexMotionJob job_of(const std::string& clip) {
  FlexMotionJob job;
  job.input = sample_file("sumo.glb");
  job.output = std::filesystem::path(testing::TempDir()) / "flex_motion.json";
  job.clip = clip;
  return job;
}

const MuscleEffort& effort_of(const FlexMotionReport& report, const std::string& name) {
  const auto found = std::find_if(report.muscles.begin(), report.muscles.end(),
                                  [&](const MuscleEffort& muscle) { return muscle.name == name; });
  if (found == report.muscles.end()) throw std::logic_error("no muscle " + name);
  return *found;
}

// The value of a muscle's control at a time.
double control_at(const ActivationFile& file, const std::string& name, double time) {
  for (const AbstractControl& control : file.controls) {
    if (control.name != "effort of " + name) continue;
    for (std::size_t k = 1; k < control.keys.size(); ++k) {
      const auto& [from, a] = control.keys[k - 1];
      const auto& [to, b] = control.keys[k];
      if (time >= from && time <= to) return a + (b - a) * (time - from) / (to - from);
    }
  }
  return std::nan("");  // fails every comparison
}

TEST(FlexMotion, TheLegThatStandsCarriesTheBody) {
  // The wrestler has his left leg in the air from 1 to 2.1 s, stomps, and lands on both.
  const FlexMotionReport report = flex_motion(job_of("stomp"));
  EXPECT_GT(effort_of(report, "quadriceps.R").most, 200);  // newton metres, for a man of 224 kg
  double most = 0;
  for (const MuscleEffort& muscle : report.muscles) most = std::max(most, muscle.activation);
  EXPECT_EQ(most, 1);
  const ActivationFile file = activation_from_json(read_text_file(job_of("").output), "flex_motion.json");
  EXPECT_EQ(file.controls.size(), report.muscles.size());
  EXPECT_EQ(file.clip, "stomp");
  EXPECT_TRUE(report.notes.empty()) << report.notes[0];
  for (const double time : {1.1, 1.4, 1.7, 2.0}) {
    EXPECT_GT(control_at(file, "quadriceps.R", time), 0.4) << time;
    EXPECT_LT(control_at(file, "quadriceps.L", time), 0.1) << time;
  }
  EXPECT_GT(control_at(file, "quadriceps.L", 2.36), 0.2);  // it catches him
  EXPECT_LT(control_at(file, "quadriceps.R", 2.36), 0.1);

  // Muscles twice as strong are half as active.
  FlexMotionJob stronger = job_of("stomp");
  stronger.effort = 2 * report.effort;
  const FlexMotionReport calm = flex_motion(stronger);
  ASSERT_EQ(calm.muscles.size(), report.muscles.size());
  for (std::size_t m = 0; m < report.muscles.size(); ++m) {
    EXPECT_EQ(calm.muscles[m].most, report.muscles[m].most);
    if (report.muscles[m].activation < 1) {
      EXPECT_NEAR(calm.muscles[m].activation, report.muscles[m].activation / 2, 1e-9);
    }
  }
}

TEST(FlexMotion, SaysWhatItCannotUse) {
  FlexMotionJob job = job_of("no such clip");
  EXPECT_NE(refusal(ErrorKind::usage, [&] { flex_motion(job); }).find("no such clip"), std::string::npos);
  job = job_of("stomp");
  job.output = "flex_motion.glb";
  EXPECT_NE(refusal(ErrorKind::usage, [&] { flex_motion(job); }).find("must end in .json"), std::string::npos);
  job = job_of("stomp");
  job.muscles = R"({"version": 1, "muscles": [{"name": "stay", "radius": 0.02,
    "origin": {"joint": "head", "place": [0, 1.7, 0]}, "insertion": {"joint": "head", "place": [0, 1.6, 0]}}]})";
  EXPECT_NE(refusal(ErrorKind::input, [&] { flex_motion(job); }).find("no muscle turns a joint"), std::string::npos);
}

}  // namespace
}  // namespace sinew::test
