// Loops on threads that a host lends: the same results, on no other threads.
#include "sinew/base/threads/thread_loan.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <stdexcept>
#include <string>

#include "sinew/base/threads/parallel.h"
#include "sinew/base/threads/stop_in_loops.h"
#include "tests/base/lent_threads.h"

namespace sinew {
namespace {

using test::OneAfterTheOther;
using test::StartedThreads;

// Its last bits tell in which order it was added.
std::uint64_t delicate_sum() {
  return std::bit_cast<std::uint64_t>(ordered_sum(5000, 7, [](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i)
      sum += std::ldexp(std::sin(static_cast<double>(i)), static_cast<int>(i % 60) - 30);
    return sum;
  }));
}

void expect_each_index_once() {
  for (const std::size_t count : {0u, 1u, 2u, 7u, 1000u}) {
    std::vector<std::atomic<int>> visits(count);
    parallel_for(count, 3, [&](std::size_t i) { ++visits[i]; });
    for (const std::atomic<int>& visit : visits) EXPECT_EQ(visit, 1) << count;
  }
}

TEST(ThreadLoan, LoopsRunOnTheHostsThreadsWithTheSameBits) {
  const std::uint64_t bits = delicate_sum();
  StartedThreads two(2), five(5), others(2, false);
  OneAfterTheOther one_after_the_other;
  for (HostThreads* const host :
       {static_cast<HostThreads*>(&two), static_cast<HostThreads*>(&five), static_cast<HostThreads*>(&others),
        static_cast<HostThreads*>(&one_after_the_other)}) {
    const ThreadLoan loan(*host);
    EXPECT_EQ(thread_count(), host->count());
    expect_each_index_once();
    EXPECT_EQ(delicate_sum(), bits);
  }
  EXPECT_GT(two.runs, 0);
  EXPECT_GT(one_after_the_other.runs, 0);
}

TEST(ThreadLoan, WithoutAHostTheCallingThreadRunsAll) {
  const std::uint64_t bits = delicate_sum();
  const ThreadLoan alone;
  EXPECT_EQ(thread_count(), 1);
  EXPECT_EQ(delicate_sum(), bits);
  parallel_for(100, 1, [me = std::this_thread::get_id()](std::size_t) { EXPECT_EQ(std::this_thread::get_id(), me); });
}

TEST(ThreadLoan, TheYoungestOfAThreadCounts) {
  const int before = thread_count();
  {
    StartedThreads three(3), seven(7);
    const ThreadLoan outer(three);
    {
      const ThreadLoan inner(seven);
      EXPECT_EQ(thread_count(), 7);
    }
    EXPECT_EQ(thread_count(), 3);
    int elsewhere = 0;
    std::thread([&] { elsewhere = thread_count(); }).join();
    EXPECT_EQ(elsewhere, before);
  }
  EXPECT_EQ(thread_count(), before);
}

TEST(ThreadLoan, LoopsInsideALoopAskTheHostForNothing) {
  StartedThreads host(3);
  const ThreadLoan loan(host);
  std::vector<int> visits(20 * 30, 0);
  parallel_for(20, 1,
               [&](std::size_t row) { parallel_for(30, 4, [&](std::size_t column) { ++visits[30 * row + column]; }); });
  EXPECT_EQ(visits, std::vector<int>(visits.size(), 1));
  EXPECT_EQ(host.runs, 1);
}

TEST(ThreadLoan, TheLowestExceptionReachesTheCaller) {
  StartedThreads two(2), others(4, false);
  OneAfterTheOther one_after_the_other;
  for (HostThreads* const host : {static_cast<HostThreads*>(&two), static_cast<HostThreads*>(&others),
                                  static_cast<HostThreads*>(&one_after_the_other)}) {
    const ThreadLoan loan(*host);
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
    EXPECT_EQ(visits, 64);
    expect_each_index_once();  // the next loop is whole
  }
}

// Each with threads of its own, one with none, beside one on the process's team.
TEST(ThreadLoan, SeveralThreadsHaveLoansAtOnce) {
  const std::uint64_t bits = delicate_sum();
  StartedThreads two(2), three(3, false);
  std::vector<std::uint64_t> found(4);
  const auto many = [](std::uint64_t& last) {
    for (int k = 0; k < 20; ++k) last = delicate_sum();
  };
  {
    std::vector<std::jthread> callers;
    callers.emplace_back([&] {
      const ThreadLoan loan(two);
      many(found[0]);
    });
    callers.emplace_back([&] {
      const ThreadLoan loan(three);
      many(found[1]);
    });
    callers.emplace_back([&] {
      const ThreadLoan alone;
      many(found[2]);
    });
    callers.emplace_back([&] { many(found[3]); });
  }
  EXPECT_EQ(found, std::vector<std::uint64_t>(4, bits));
}

// The caller's thread alone may ask, and here it never works.
TEST(ThreadLoan, LoopsStopWhereTheCallerOnlyWaits) {
  StartedThreads others(2, false);
  const ThreadLoan loan(others);
  bool goes_on = true;
  const StopInLoops stop([&](const ProgressReport&) { return goes_on; });
  report(stop.progress(), "working", 0);
  const auto loops = [] {
    for (int k = 0; k < 50; ++k)
      parallel_for(8, 1, [](std::size_t) { std::this_thread::sleep_for(std::chrono::milliseconds(1)); });
  };
  loops();
  goes_on = false;
  EXPECT_THROW(loops(), Stopped);
}

std::ptrdiff_t threads_of_this_process() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"), std::filesystem::directory_iterator());
}

// The exit code of a process: 0 where loops under loans have started no thread.
int loops_start_no_threads() {
  ::unsetenv("SINEW_THREADS");
  const std::ptrdiff_t before = threads_of_this_process();
  OneAfterTheOther host;
  {
    const ThreadLoan loan(host);
    delicate_sum();
    parallel_for(4, 1, [](std::size_t) { delicate_sum(); });
  }
  {
    const ThreadLoan alone;
    delicate_sum();
  }
  const bool none = threads_of_this_process() == before && host.runs > 0;
  delicate_sum();  // which starts the team where the machine has a second core
  return none && (std::thread::hardware_concurrency() < 2 || threads_of_this_process() > before) ? 0 : 1;
}

// In a process that is started anew, where no team was made.
TEST(ThreadLoan, NoOtherThreadStarts) {
  if (threads_of_this_process() < 1) GTEST_SKIP() << "Not tested: this system does not tell its threads.";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(_exit(loops_start_no_threads()), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace sinew
