// Work stops between two of its reports, and nothing else of it changes.
#include "sinew/base/threads/stop_in_loops.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "sinew/base/threads/parallel.h"

namespace sinew {
namespace {

using namespace std::chrono_literals;

void wait_in_chunks(int chunks, std::atomic<int>& done) {
  parallel_for(static_cast<std::size_t>(chunks), 1, [&](std::size_t) {
    std::this_thread::sleep_for(20ms);
    ++done;
  });
}

class StopInLoopsThreads : public testing::TestWithParam<int> {
 protected:
  void SetUp() override { set_thread_count(GetParam()); }
  void TearDown() override { set_thread_count(0); }
};

INSTANTIATE_TEST_SUITE_P(Counts, StopInLoopsThreads, testing::Values(1, 2, 4));

TEST_P(StopInLoopsThreads, ALongLoopEndsSoonAfterTheListenerHasEnough) {
  int asked = 0;
  std::atomic<int> done = 0;
  const auto begin = std::chrono::steady_clock::now();
  {
    const StopInLoops stop([&](const ProgressReport& report) {
      EXPECT_EQ(report.activity, "fitting");
      EXPECT_EQ(report.fraction, 0.25);
      return ++asked < 3;
    });
    EXPECT_TRUE(report(stop.progress(), "fitting", 0.25));
    EXPECT_THROW(wait_in_chunks(10'000, done), Stopped);
  }
  EXPECT_EQ(asked, 3);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 5s);  // of 50 and more; half a second on an idle machine
  const int before = done;
  wait_in_chunks(8, done);  // nobody is asked any more
  EXPECT_EQ(done, before + 8);
  EXPECT_EQ(asked, 3);
}

TEST_P(StopInLoopsThreads, WhoGoesOnGetsTheSameLoop) {
  std::vector<double> values(1'000), again(values.size());
  const auto fill = [](std::vector<double>& to) {
    parallel_for(to.size(), 7, [&](std::size_t i) { to[i] = 1.0 / static_cast<double>(i + 1); });
    return ordered_sum(to.size(), 13, [&](std::size_t b, std::size_t e) {
      double sum = 0;
      for (std::size_t i = b; i < e; ++i) sum += to[i];
      return sum;
    });
  };
  const double sum = fill(values);
  const StopInLoops stop([](const ProgressReport&) { return true; });
  EXPECT_EQ(fill(again), sum);
  EXPECT_EQ(again, values);
}

TEST(StopInLoops, LoopsRunOnWhereTheyMust) {
  int asked = 0;
  std::atomic<int> done = 0;
  const StopInLoops stop([&](const ProgressReport&) {
    ++asked;
    return false;
  });
  {
    const LoopsRunOn hold;
    wait_in_chunks(20, done);
  }
  EXPECT_EQ(done, 20);
  EXPECT_EQ(asked, 0);
  std::this_thread::sleep_for(150ms);
  EXPECT_THROW(wait_in_chunks(20, done), Stopped);
  EXPECT_EQ(asked, 1);
}

TEST(StopInLoops, WithoutAListenerNothingIsAsked) {
  std::atomic<int> done = 0;
  const StopInLoops stop({});
  EXPECT_FALSE(stop.progress());
  std::this_thread::sleep_for(150ms);
  wait_in_chunks(4, done);
  EXPECT_EQ(done, 4);
}

// A few long chunks with loops of their own: whichever thread runs one, it ends as soon as the listener has enough.
TEST_P(StopInLoopsThreads, LoopsWithinChunksEndAsSoon) {
  std::atomic<int> done = 0;
  int asked = 0;
  const auto begin = std::chrono::steady_clock::now();
  {
    const StopInLoops stop([&](const ProgressReport&) { return ++asked < 3; });
    EXPECT_THROW(parallel_for(8, 1, [&](std::size_t) { wait_in_chunks(500, done); }), Stopped);
  }
  EXPECT_EQ(asked, 3);
  EXPECT_LT(done, 200);  // of 4,000: what was begun in the third of a second until then
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 5s);
  const int before = done;
  parallel_for(4, 1, [&](std::size_t) { wait_in_chunks(4, done); });
  EXPECT_EQ(done, before + 16);
}

// Who holds loops together does so within chunks of others too.
TEST_P(StopInLoopsThreads, WhatMustRunOnDoesWithinChunks) {
  std::atomic<int> done = 0;
  const StopInLoops stop([](const ProgressReport&) { return false; });
  std::this_thread::sleep_for(150ms);
  std::atomic<int> begun = 0;
  EXPECT_THROW(parallel_for(4, 1,
                            [&](std::size_t) {
                              ++begun;
                              const LoopsRunOn hold;
                              wait_in_chunks(5, done);
                            }),
               Stopped);
  EXPECT_EQ(done, 5 * begun);
}

// Loops of other threads belong to other work.
TEST(StopInLoops, OtherThreadsAreNotStopped) {
  const StopInLoops stop([](const ProgressReport&) { return false; });
  std::this_thread::sleep_for(150ms);
  std::atomic<int> done = 0;
  std::thread([&] { wait_in_chunks(4, done); }).join();
  EXPECT_EQ(done, 4);
}

}  // namespace
}  // namespace sinew
