// What a worker reports reaches the listener, and the listener's wish to stop reaches the worker.
#include "sinew/base/progress.h"

#include <gtest/gtest.h>

#include <chrono>
#include <exception>
#include <string>
#include <thread>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/base/stopwatch.h"

namespace sinew {
namespace {

TEST(Progress, WithoutAListenerWorkGoesOn) {
  EXPECT_TRUE(report({}, "simulating", 0.5));
  EXPECT_TRUE(report(nullptr, "simulating", 1));
}

TEST(Progress, TheListenerHearsActivityAndFraction) {
  std::vector<ProgressReport> heard;
  const Progress listener = [&](const ProgressReport& report) {
    heard.push_back(report);
    return true;
  };
  EXPECT_TRUE(report(listener, "reading", 0));
  EXPECT_TRUE(report(listener, "simulating stomp", 0.25));
  ASSERT_EQ(heard.size(), 2u);
  EXPECT_EQ(heard[0].activity, "reading");
  EXPECT_EQ(heard[0].fraction, 0);
  EXPECT_EQ(heard[1].activity, "simulating stomp");
  EXPECT_EQ(heard[1].fraction, 0.25);
}

TEST(Progress, TheListenerStopsTheWork) {
  int steps = 0;
  const Progress listener = [](const ProgressReport& report) { return report.fraction < 0.3; };
  while (steps < 10 && report(listener, "working", steps / 10.0)) ++steps;
  EXPECT_EQ(steps, 3);
}

TEST(Progress, WorkWithNothingToHandOverIsStoppedByAnException) {
  EXPECT_NO_THROW(report_or_stop({}, "working", 0.5));
  EXPECT_NO_THROW(report_or_stop([](const ProgressReport&) { return true; }, "working", 0.5));
  const Progress refusing = [](const ProgressReport&) { return false; };
  EXPECT_THROW(report_or_stop(refusing, "working", 0.5), Stopped);
  try {
    report_or_stop(refusing, "working", 0.5);
  } catch (const std::exception& stopped) {
    EXPECT_STREQ(stopped.what(), "stopped on request");
    EXPECT_EQ(dynamic_cast<const Error*>(&stopped), nullptr) << "nothing went wrong";
  }
}

TEST(Progress, APartReportsItsShareOfTheWhole) {
  std::vector<double> fractions;
  const Progress whole = [&](const ProgressReport& report) {
    fractions.push_back(report.fraction);
    return report.activity != "enough";
  };
  const Progress part = part_of(whole, 0.25, 0.75), inner = part_of(part, 0.5, 1);
  for (const double fraction : {0.0, 0.5, 1.0}) EXPECT_TRUE(report(part, "working", fraction));
  EXPECT_TRUE(report(inner, "working", 0.5));
  EXPECT_FALSE(report(inner, "enough", 1));
  EXPECT_EQ(fractions, (std::vector<double>{0.25, 0.5, 0.75, 0.625, 0.75}));
  EXPECT_FALSE(part_of({}, 0, 0.5)) << "without a listener there is none for the parts";
}

TEST(Stopwatch, TimesRunOnAndLapsBeginAnew) {
  using namespace std::chrono_literals;
  Stopwatch watch;
  std::this_thread::sleep_for(20ms);
  const double early = watch.seconds();
  EXPECT_GE(early, 0.02);
  EXPECT_GE(watch.seconds(), early);
  const auto before_lap = std::chrono::steady_clock::now();
  EXPECT_GE(watch.lap(), early);
  std::this_thread::sleep_for(5ms);
  const double second = watch.lap();
  EXPECT_GE(second, 0.005);
  // Begun anew: no more than what has passed since shortly before, however busy the machine.
  EXPECT_LE(second, std::chrono::duration<double>(std::chrono::steady_clock::now() - before_lap).count());
}

}  // namespace
}  // namespace sinew
