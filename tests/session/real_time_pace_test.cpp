// Simulated time beside a clock that tests turn themselves: machines that are fast, slow, hopeless, and have hiccups.
#include "sinew/session/real_time_pace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "sinew/base/error.h"

namespace sinew {
namespace {

constexpr double base = 1.0 / 240, display = 1.0 / 60;
const std::vector<double> bank{base, 2 * base, 4 * base, 8 * base, 16 * base};

// A machine on which a step takes step_cost(wall time) and a cycle cycle_cost beside.
struct Machine {
  std::function<double(double)> step_cost;
  double cycle_cost = 0.001;
  double now = 100;  // clocks begin anywhere
  double slowest_cycle = 0;

  void run(RealTimePace& pace, double until) {
    while (now < until) {
      const double start = now;
      pace.begin_cycle(now);
      while (pace.step_is_due()) {
        now += step_cost(now);
        pace.stepped(now);
      }
      now += cycle_cost;
      pace.end_cycle(now);
      slowest_cycle = std::max(slowest_cycle, now - start);
      now = std::max(now, pace.next_cycle());
    }
  }
};

TEST(RealTimePace, AFastMachineTakesTheShortestStepsAndFollowsTheClock) {
  for (const double speed : {0.25, 1.0, 2.0}) {
    RealTimeOptions options;
    options.speed = speed;
    Machine machine{[](double) { return 0.0005; }};
    RealTimePace pace(bank, options, machine.now);
    double start = machine.now;
    for (int second = 1; second <= 5; ++second) {
      machine.run(pace, start + second);
      // The last cycle began less than a cycle ago.
      EXPECT_NEAR(pace.simulated(), speed * second, speed * 2 * display);
    }
    EXPECT_EQ(pace.choice(), 0u);
    EXPECT_EQ(pace.times_behind(), 0);
    EXPECT_EQ(pace.steps_taken()[0], std::lround(pace.simulated() / base));
  }
}

TEST(RealTimePace, ASlowMachineTakesStepsThatItCanKeepUpWith) {
  // 7 ms a step: steps of 1/240 s fall behind, of 1/120 s keep up.
  for (const auto& [cost, choice] : {std::pair{0.003, 0}, {0.006, 1}, {0.012, 2}, {0.025, 3}, {0.055, 4}}) {
    Machine machine{[cost = cost](double) { return cost; }};
    const double start = machine.now;
    RealTimePace pace(bank, {}, start);
    machine.run(pace, start + 3);
    EXPECT_EQ(pace.choice(), static_cast<std::size_t>(choice)) << cost;
    const int before = pace.times_behind();
    const double lost = pace.seconds_behind(), settled = pace.simulated(), then = machine.now;
    machine.run(pace, start + 10);
    // From then on it keeps up, to within what one cycle covers.
    EXPECT_EQ(pace.times_behind(), before) << cost;
    EXPECT_EQ(pace.seconds_behind(), lost);
    EXPECT_NEAR(pace.simulated() - settled, machine.now - then, 2 * std::max(display, pace.step())) << cost;
    // Never ahead, and behind by no more than what it gave up and what is still made up for.
    const double behind = machine.now - start - lost - pace.simulated();
    EXPECT_GE(behind, -1e-9);
    EXPECT_LE(behind, 2 * bank.back() + machine.slowest_cycle);
  }
}

TEST(RealTimePace, AHopelessMachineRunsSlowAndSaysSo) {
  Machine machine{[](double) { return 0.2; }};
  const double start = machine.now;
  RealTimePace pace(bank, {}, start);
  machine.run(pace, start + 20);
  EXPECT_EQ(pace.choice(), bank.size() - 1);
  EXPECT_GT(pace.times_behind(), 5);
  EXPECT_NEAR(pace.simulated() + pace.seconds_behind(), machine.now - start, 2 * bank.back() + machine.slowest_cycle);
  // A step of 1/15 s every 0.2 s.
  EXPECT_NEAR(pace.simulated(), 20.0 / 3, 0.7);
}

TEST(RealTimePace, AHiccupIsGivenUpOnceAndChangesNoStep) {
  bool hiccup = false;
  Machine machine{[&](double now) {
    if (hiccup || now < 102) return 0.001;
    hiccup = true;
    return 0.5;
  }};
  const double start = machine.now;
  RealTimePace pace(bank, {}, start);
  machine.run(pace, start + 4);
  EXPECT_TRUE(hiccup);
  EXPECT_EQ(pace.times_behind(), 1);
  // What two of the longest steps cover is made up for.
  EXPECT_NEAR(pace.seconds_behind(), 0.5 - 2 * bank.back(), 2 * display);
  EXPECT_EQ(pace.choice(), 0u);
  for (std::size_t k = 1; k < bank.size(); ++k) EXPECT_EQ(pace.steps_taken()[k], 0);
  EXPECT_NEAR(pace.simulated() + pace.seconds_behind(), machine.now - start, 2 * display);
}

TEST(RealTimePace, ComesBackToShortStepsWhenTheLoadGoes) {
  Machine machine{[](double now) { return now > 101 && now < 103 ? 0.025 : 0.001; }};
  const double start = machine.now;
  RealTimePace pace(bank, {}, start);
  machine.run(pace, start + 2.5);
  EXPECT_EQ(pace.choice(), 3u);
  machine.run(pace, start + 6);
  EXPECT_EQ(pace.choice(), 0u);
  // No step is more than twice as long as the one before, nor less than half.
  Machine again{[](double now) { return now > 101 && now < 103 ? 0.055 : 0.001; }};
  RealTimePace other(bank, {}, start);
  std::size_t last = 0;
  for (double until = start; until < start + 6; until += 1e-4) {
    again.run(other, until);
    EXPECT_LE(std::max(other.choice(), last) - std::min(other.choice(), last), 1u);
    last = other.choice();
  }
}

// A load at the edge of what a step bears does not make it flutter.
TEST(RealTimePace, DoesNotFlutter) {
  int turn = 0;
  Machine machine{[&](double) { return ++turn % 2 ? 0.0040 : 0.0034; }};
  const double start = machine.now;
  RealTimePace pace(bank, {}, start);
  int changes = 0;
  std::size_t last = 0;
  for (double until = start; until < start + 20; until += 0.01) {
    machine.run(pace, until);
    changes += pace.choice() != last;
    last = pace.choice();
  }
  EXPECT_LE(changes, 2);
}

// One clock that stands still or goes back, which none should.
TEST(RealTimePace, BadClocksDoNoHarm) {
  RealTimePace pace(bank, {}, 5);
  for (const double now : {5.0, 5.1, 5.05, 5.05, 5.2, 1.0}) {
    pace.begin_cycle(now);
    while (pace.step_is_due()) pace.stepped(now);
    pace.end_cycle(now);
  }
  EXPECT_NEAR(pace.simulated() + pace.seconds_behind(), 0.2, bank.back());
  EXPECT_THROW(RealTimePace({}, {}, 0), Error);
  EXPECT_THROW(RealTimePace({0.1, 0.05}, {}, 0), Error);
  EXPECT_THROW(RealTimePace({0.1, std::numeric_limits<double>::infinity()}, {}, 0), Error);
  for (const double speed : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    RealTimeOptions options;
    options.speed = speed;
    EXPECT_THROW(RealTimePace(bank, options, 0), Error);
  }
}

// A method with one short step, shown seldom: many steps a cycle are no delay.
TEST(RealTimePace, ManyStepsARoundAreNotBehind) {
  RealTimeOptions options;
  options.display_rate = 5;
  RealTimePace pace({1.0 / 240}, options, 0);
  double now = 0;
  for (int cycle = 0; cycle < 10; ++cycle) {
    pace.begin_cycle(now);
    while (pace.step_is_due()) pace.stepped(now += 1e-4);
    pace.end_cycle(now += 1e-4);
    now = pace.next_cycle();
  }
  EXPECT_EQ(pace.times_behind(), 0);
  EXPECT_NEAR(pace.simulated(), 9 * 0.2, 1.0 / 240 + 1e-9);
}

// Pictures that are shown between the steps of a cycle cost the cycle what they cost at its end.
TEST(RealTimePace, WhatIsShownAmidARoundIsNoPartOfAStep) {
  const auto lengths = [](bool amid) {
    RealTimePace pace({1.0 / 240, 2.0 / 240, 4.0 / 240, 8.0 / 240, 16.0 / 240}, {}, 0);
    double now = 0;
    std::vector<std::size_t> choices;
    for (int cycle = 0; cycle < 120; ++cycle) {
      pace.begin_cycle(now);
      for (int steps = 0; pace.step_is_due(); ++steps) {
        pace.stepped(now += 0.003);
        if (amid && steps == 0) pace.shown(now += 0.004);
      }
      pace.end_cycle(now += amid ? 0 : 0.004);
      choices.push_back(pace.choice());
      now = std::max(now, pace.next_cycle());
    }
    return choices;
  };
  const std::vector<std::size_t> at_the_end = lengths(false);
  EXPECT_EQ(lengths(true), at_the_end);
  EXPECT_GT(*std::max_element(at_the_end.begin(), at_the_end.end()), 0u);
}

TEST(RealTimePace, NeededStepIsWhereTimeTakenAndTimeCoveredAgree) {
  RealTimeOptions options;
  options.reserve = 0;
  // Four steps of 3 ms and 2 ms of display fill 14 of 16.7 ms: 4.17 ms are more than needed.
  EXPECT_NEAR(RealTimePace::needed_step(0.003, 0.002, options), 0.003 / (1 - 0.12), 1e-12);
  // One step and the display take longer than the display's cycle: the step is as long as both.
  EXPECT_NEAR(RealTimePace::needed_step(0.020, 0.002, options), 0.022, 1e-12);
  EXPECT_NEAR(RealTimePace::needed_step(0.001, 0.050, options), 0.051, 1e-12);
  options.speed = 0.5;
  EXPECT_NEAR(RealTimePace::needed_step(0.020, 0.002, options), 0.011, 1e-12);
}

}  // namespace
}  // namespace sinew
