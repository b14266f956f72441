// Loops cover what they should once, results have the same bits for any number of threads, and what a
// body throws comes out.
#include "sinew/base/threads/parallel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <latch>
#include <memory>
#include <mutex>
#include <new>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "sinew/base/error.h"

namespace sinew {
namespace {

constexpr int thread_counts[] = {1, 2, 4};
constexpr std::size_t counts[] = {0, 1, 2, 7, 64, 1000, 4097};
constexpr std::size_t grains[] = {0, 1, 3, 64, 5000};  // 0 counts as 1

class Parallel : public testing::Test {
 protected:
  ~Parallel() override { set_thread_count(0); }
};

using ParallelDeterminism = Parallel;

TEST_F(Parallel, ThreadCountIsWhatWasAskedForOrTheMachines) {
  for (const int threads : thread_counts) {
    set_thread_count(threads);
    EXPECT_EQ(thread_count(), threads);
  }
  ::unsetenv("SINEW_THREADS");
  set_thread_count(0);
  EXPECT_EQ(thread_count(), std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
}

TEST_F(Parallel, TheEnvironmentMayNameTheUsualNumberOfThreads) {
  ::setenv("SINEW_THREADS", "3", 1);
  set_thread_count(0);
  EXPECT_EQ(thread_count(), 3);
  EXPECT_NO_THROW(check_threads_variable());
  set_thread_count(2);
  EXPECT_EQ(thread_count(), 2);
  for (const char* wrong : {"", "0", "-1", "many", "2 ", "1025", "99999999999999999999"}) {
    ::setenv("SINEW_THREADS", wrong, 1);
    EXPECT_THROW(check_threads_variable(), Error) << wrong;
  }
  ::unsetenv("SINEW_THREADS");
  EXPECT_NO_THROW(check_threads_variable());
}

// Where nobody has said how many threads there are, whoever asks first makes them; run in a process of its own,
// as ctest does, nobody has.
TEST_F(Parallel, TheFirstLoopsMayBeginOnSeveralThreadsAtOnce) {
  constexpr std::size_t callers = 4;
  std::latch all_ready(callers);
  std::vector<double> sums(callers);
  std::vector<int> thread_counts_seen(callers);
  std::vector<std::thread> threads;
  for (std::size_t caller = 0; caller < callers; ++caller)
    threads.emplace_back([&, caller] {
      all_ready.arrive_and_wait();
      sums[caller] =
          ordered_sum(1000, 8, [](std::size_t begin, std::size_t end) { return static_cast<double>(end - begin); });
      thread_counts_seen[caller] = thread_count();
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(sums, std::vector<double>(callers, 1000.0));
  EXPECT_EQ(thread_counts_seen, std::vector<int>(callers, thread_count()));
}

TEST_F(Parallel, EachIndexIsVisitedOnce) {
  for (const int threads : thread_counts) {
    set_thread_count(threads);
    for (const std::size_t count : counts)
      for (const std::size_t grain : grains) {
        std::vector<int> visits(count, 0);
        parallel_for(count, grain, [&](std::size_t i) { ++visits[i]; });
        EXPECT_EQ(visits, std::vector<int>(count, 1)) << threads << " threads, grain " << grain;
      }
  }
}

TEST_F(Parallel, ChunksDependOnTheGrainAlone) {
  for (const std::size_t count : counts)
    for (const std::size_t grain : grains) {
      const std::size_t size = std::max<std::size_t>(grain, 1);
      std::set<std::pair<std::size_t, std::size_t>> expected;
      for (std::size_t begin = 0; begin < count; begin += size) expected.insert({begin, std::min(begin + size, count)});
      for (const int threads : thread_counts) {
        set_thread_count(threads);
        std::mutex mutex;
        std::vector<std::pair<std::size_t, std::size_t>> chunks;
        parallel_chunks(count, grain, [&](std::size_t begin, std::size_t end) {
          const std::lock_guard lock(mutex);
          chunks.push_back({begin, end});
        });
        EXPECT_EQ(chunks.size(), expected.size());
        EXPECT_EQ(std::set(chunks.begin(), chunks.end()), expected) << count << " by " << grain;
      }
    }
}

TEST_F(Parallel, NoMoreBodiesRunAtOnceThanThereAreThreads) {
  for (const int threads : thread_counts) {
    set_thread_count(threads);
    std::atomic<int> running = 0, most = 0;
    parallel_for(64, 1, [&](std::size_t) {
      const int now = ++running;
      int before = most;
      while (before < now && !most.compare_exchange_weak(before, now)) {
      }
      std::this_thread::sleep_for(std::chrono::microseconds(300));
      --running;
    });
    EXPECT_GE(most, 1);
    EXPECT_LE(most, threads);
  }
}

// A sum whose value shows in its last bits in which order it was made.
double delicate_sum(std::size_t count, std::size_t grain) {
  return ordered_sum(count, grain, [](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i)
      sum += std::ldexp(std::sin(static_cast<double>(i)), static_cast<int>(i % 60) - 30);
    return sum;
  });
}

TEST_F(ParallelDeterminism, SumsHaveTheSameBitsForAnyNumberOfThreads) {
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{1000}, std::size_t{100'000}})
    for (const std::size_t grain : {1u, 7u, 512u}) {
      std::set<std::uint64_t> bits;
      for (const int threads : thread_counts)
        for (int repeat = 0; repeat < 5; ++repeat) {
          set_thread_count(threads);
          bits.insert(std::bit_cast<std::uint64_t>(delicate_sum(count, grain)));
        }
      EXPECT_EQ(bits.size(), 1u) << count << " by " << grain;
    }
  // Which is not so for any order: other chunks, other bits.
  EXPECT_NE(delicate_sum(100'000, 7), delicate_sum(100'000, 512));
}

TEST_F(Parallel, SumsAreRight) {
  for (const int threads : thread_counts) {
    set_thread_count(threads);
    for (const std::size_t count : counts)
      for (const std::size_t grain : grains) {
        const double sum = ordered_sum(count, grain, [](std::size_t begin, std::size_t end) {
          double part = 0;
          for (std::size_t i = begin; i < end; ++i) part += static_cast<double>(i);
          return part;
        });
        const double n = static_cast<double>(count);
        EXPECT_EQ(sum, n > 0 ? n * (n - 1) / 2 : 0);
      }
  }
}

TEST_F(Parallel, LoopsNest) {
  constexpr std::size_t rows = 40, columns = 300;
  for (const int threads : thread_counts) {
    set_thread_count(threads);
    std::vector<int> visits(rows * columns, 0);
    std::vector<double> sums(rows);
    parallel_for(rows, 1, [&](std::size_t row) {
      parallel_for(columns, 16, [&](std::size_t column) { ++visits[row * columns + column]; });
      sums[row] = ordered_sum(
          columns, 16, [&](std::size_t begin, std::size_t end) { return static_cast<double>((end - begin) * row); });
    });
    EXPECT_EQ(visits, std::vector<int>(rows * columns, 1));
    for (std::size_t row = 0; row < rows; ++row) EXPECT_EQ(sums[row], static_cast<double>(columns * row));
  }
}

TEST_F(Parallel, WhatABodyThrowsReachesTheCaller) {
  for (const int threads : thread_counts) {
    set_thread_count(threads);
    for (const std::size_t guilty : {0u, 500u, 999u}) {
      try {
        parallel_for(1000, 8, [&](std::size_t i) {
          if (i == guilty) throw simulation_error("element " + std::to_string(i) + " is inverted.");
        });
        ADD_FAILURE() << "nothing was thrown";
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::simulation);
        EXPECT_EQ(error.what(), "element " + std::to_string(guilty) + " is inverted.");
      }
    }
    EXPECT_THROW(ordered_sum(100, 1, [](std::size_t, std::size_t) -> double { throw std::bad_alloc(); }),
                 std::bad_alloc);
  }
}

// Loops of one to forty chunks in close succession: a thread that is late from one must take nothing from the next.
TEST_F(Parallel, LoopsThatFollowCloselyKeepApart) {
  for (const int threads : {2, 3, 4}) {
    set_thread_count(threads);
    std::vector<std::atomic<int>> visits(40);
    for (std::size_t loop = 0; loop < 30'000; ++loop) {
      const std::size_t count = 1 + loop * 7 % 40;
      const auto owner = std::make_unique<std::size_t>(loop);  // gone when the loop is
      parallel_for(count, 1, [&, mine = owner.get()](std::size_t i) { visits[i] += *mine == loop ? 1 : 1000; });
      for (std::size_t i = 0; i < visits.size(); ++i) ASSERT_EQ(visits[i].exchange(0), i < count ? 1 : 0) << loop;
    }
  }
}

// Whichever thread comes first, the caller gets the exception of the lowest chunk, and all others have run.
TEST_F(Parallel, TheLowestOfSeveralExceptionsReachesTheCaller) {
  for (const int threads : {1, 2, 4}) {
    set_thread_count(threads);
    for (int turn = 0; turn < 200; ++turn) {
      std::atomic<int> visits = 0;
      try {
        parallel_for(64, 1, [&](std::size_t i) {
          ++visits;
          if (i % 16 == 5) throw std::runtime_error(std::to_string(i));
        });
        FAIL() << "nothing was thrown";
      } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "5");
      }
      if (threads > 1) {
        EXPECT_EQ(visits, 64);
      }
    }
  }
}

TEST_F(Parallel, ThrowingFromANestedLoopEndsAllOfThemAndTheNextLoopIsWhole) {
  for (const int threads : thread_counts) {
    set_thread_count(threads);
    std::atomic<int> running = 0;
    struct Running {
      explicit Running(std::atomic<int>& counter) : counter_(counter) { ++counter_; }
      ~Running() { --counter_; }
      std::atomic<int>& counter_;
    };
    EXPECT_THROW(parallel_for(20, 1,
                              [&](std::size_t outer) {
                                parallel_for(20, 1, [&](std::size_t inner) {
                                  const Running mark(running);
                                  if (outer == 11 && inner == 7) throw std::runtime_error("inner");
                                });
                              }),
                 std::runtime_error);
    EXPECT_EQ(running, 0) << "a body still runs after the loop has ended";
    std::vector<int> visits(1000, 0);
    parallel_for(visits.size(), 3, [&](std::size_t i) { ++visits[i]; });
    EXPECT_EQ(visits, std::vector<int>(1000, 1));
  }
}

}  // namespace
}  // namespace sinew
