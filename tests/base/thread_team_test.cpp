// A team does its work with as many threads as the system starts.
#include "sinew/base/threads/thread_team.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <functional>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

#include "sinew/base/threads/parallel.h"
#include "sinew/base/threads/threads_refused.h"

namespace sinew {
namespace {

// Starts so many threads, then refuses as `Refusal` says.
template <class Refusal>
ThreadTeam::StartThread only(int threads, const Refusal& refusal) {
  return [left = threads, refusal](std::function<void()> work) mutable {
    if (left-- <= 0) throw refusal;
    return std::thread(std::move(work));
  };
}

void expect_each_chunk_once(ThreadTeam& team) {
  for (const std::size_t count : {0u, 1u, 2u, 5u, 100u}) {
    std::vector<std::atomic<int>> visits(count);
    team.run(count, [&](std::size_t i) { ++visits[i]; });
    for (const std::atomic<int>& visit : visits) EXPECT_EQ(visit, 1) << count;
  }
}

TEST(ThreadTeam, WorksWithTheThreadsThatStart) {
  const std::system_error no_process(std::make_error_code(std::errc::resource_unavailable_try_again));
  for (const int started : {0, 1, 3}) {
    ThreadTeam team(8, only(started, no_process));
    EXPECT_EQ(team.size(), started + 1);
    expect_each_chunk_once(team);
    ThreadTeam poor(8, only(started, std::bad_alloc()));
    EXPECT_EQ(poor.size(), started + 1);
    expect_each_chunk_once(poor);
  }
}

TEST(ThreadTeam, HasTheThreadsThatWereAskedForWhereAllStart) {
  for (const int threads : {1, 2, 5}) {
    ThreadTeam team(threads);
    EXPECT_EQ(team.size(), threads);
    expect_each_chunk_once(team);
  }
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#elif defined(__has_feature)
constexpr bool sanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool sanitized = false;
#endif

// Bytes of address space that this process has.
rlim_t address_space() {
  long pages = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%ld", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  return static_cast<rlim_t>(pages) * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
}

// The exit code of a process that asks for 64 threads where there is room for the stacks of a few: 0 where its loops
// ran with fewer, and had some left to work with.
int loops_with_little_room() {
  const rlim_t room = address_space() + (rlim_t{300} << 20);
  const rlimit limit{room, room};
  if (setrlimit(RLIMIT_AS, &limit) != 0) return 2;
  set_thread_count(64);
  const double sum =
      ordered_sum(1000, 8, [](std::size_t begin, std::size_t end) { return static_cast<double>(end - begin); });
  const std::vector<char> work(std::size_t{8} << 20);
  return sum == 1000 && thread_count() < 64 && thread_count() + threads_refused() == 64 ? 0 : 1;
}

// In a process that is started anew, since a limit cannot be taken back.
TEST(ThreadTeam, LoopsRunWhereTheSystemRefusesThreads) {
  if (sanitized) GTEST_SKIP() << "Not tested: sanitizers want all of the address space.";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(_exit(loops_with_little_room()), testing::ExitedWithCode(0), "");
}

TEST(ThreadTeam, NothingIsRefusedWhereAllStart) {
  set_thread_count(3);
  EXPECT_EQ(threads_refused(), 0);
  set_thread_count(0);
}

}  // namespace
}  // namespace sinew
