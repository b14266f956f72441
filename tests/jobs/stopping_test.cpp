// A run asks often enough whether it should go on that Ctrl-C ends it within a second.
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <string>

#include "sinew/base/threads/parallel.h"
#include "sinew/jobs/animate_file.h"
#include "sinew/jobs/fit_file.h"
#include "tests/jobs/files.h"
#include "tests/jobs/method_values.h"

namespace sinew {
namespace {

// Seconds of computing between two questions, on this thread, so that a busy machine does not count.
constexpr double longest_silence = 0.5;

class Listener {
 public:
  // Goes on until an activity begins with `last`.
  explicit Listener(std::string last) : last_(std::move(last)) {}

  bool hears(const ProgressReport& report) {
    const double now = seconds();
    if (now - before_ > longest_) {
      longest_ = now - before_;
      after_ = activity_;
    }
    before_ = now;
    activity_ = report.activity;
    return !report.activity.starts_with(last_);
  }
  void expect_no_long_silence() const {
    EXPECT_TRUE(activity_.starts_with(last_)) << "the run ended with: " << activity_;
    EXPECT_LT(longest_, longest_silence) << "after: " << after_;
  }

 private:
  static double seconds() {
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  }
  std::string last_, activity_ = "the start", after_;
  double before_ = seconds(), longest_ = 0;
};

class Stopping : public testing::Test {
 protected:
  void SetUp() override { set_thread_count(1); }  // the thread that is listened to has all the work
  void TearDown() override { set_thread_count(0); }
};

TEST_F(Stopping, PreparingALatticeOfTwoLevels) {
  AnimateJob job;
  job.input = test::sample_file("sumo.glb");
  job.output = test::scratch_files() / "out.glb";
  test::flesh(job.method).lattice.file = "auto";
  test::flesh(job.method).lattice.cells = 250;
  test::flesh(job.method).lattice.levels = 2;
  Listener listener("simulating");
  EXPECT_FALSE(animate_file(job, [&](const ProgressReport& report) { return listener.hears(report); }).complete);
  listener.expect_no_long_silence();
}

TEST_F(Stopping, Fitting) {
  FitJob job;
  job.input = test::sample_file("sumo.glb");
  job.output = test::scratch_files() / "out.sinew";
  job.settings.tetrahedra = 1000;
  job.examples.resize(1);
  job.examples[0].begin = 0;
  job.examples[0].end = 1.5;
  Listener listener("fitting each vertex alone");
  EXPECT_FALSE(fit_file(job, [&](const ProgressReport& report) { return listener.hears(report); }).complete);
  listener.expect_no_long_silence();
}

}  // namespace
}  // namespace sinew
