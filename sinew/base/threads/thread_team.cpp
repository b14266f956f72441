#include "sinew/base/threads/thread_team.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <new>
#include <system_error>
#include <utility>

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif
#if defined(__linux__)
#include <sched.h>
#endif

namespace sinew {
namespace {

// Time that an idle worker spins: longer than the serial parts of a simulation step.
constexpr std::chrono::microseconds patience{100};

constexpr auto nothing_left = std::numeric_limits<std::uint32_t>::max();

thread_local bool inside_a_loop = false;

void pause() {
#if defined(__x86_64__) || defined(__i386__)
  _mm_pause();
#else
  std::this_thread::yield();
#endif
}

// The core that this thread runs on, or -1 if unknown.
int current_core() {
#if defined(__linux__)
  return sched_getcpu();
#else
  return -1;
#endif
}

void run_alone(std::size_t count, const std::function<void(std::size_t)>& chunk) {
  for (std::size_t i = 0; i < count; ++i) chunk(i);
}

// Address space that should be left for a simulation besides its threads' stacks, and space that each thread reserves
// for what it allocates.
constexpr std::size_t room_for_work = std::size_t{256} << 20, room_per_thread = std::size_t{64} << 20;

bool has_room_for_work(std::size_t workers) {
  void* room = ::operator new(room_for_work + workers * room_per_thread, std::nothrow);
  ::operator delete(room);
  return room != nullptr;
}

constexpr std::uint64_t ticket(std::uint32_t loop, std::uint32_t chunk) { return std::uint64_t{loop} << 32 | chunk; }

}  // namespace

ThreadTeam::ThreadTeam(int threads)
    : ThreadTeam(threads, [](std::function<void()> work) { return std::thread(std::move(work)); }) {}

ThreadTeam::ThreadTeam(int threads, const StartThread& start)
    : spins_(threads <= static_cast<int>(std::max(1u, std::thread::hardware_concurrency()))) {
  // If memory was the limit, the stacks of the threads that started have left none to work with.
  std::size_t workers = threads > 1 ? static_cast<std::size_t>(threads) - 1 : 0;
  while (!start_workers(workers, start) && !workers_.empty() && !has_room_for_work(workers_.size())) {
    workers = workers_.size() / 2;
    stop_workers();
  }
  shares_ = std::vector<Share>(workers_.size() + 1);
}

// Starts as many threads as the system permits; false if fewer than `count`.
bool ThreadTeam::start_workers(std::size_t count, const StartThread& start) {
  workers_.reserve(count);
  try {
    while (workers_.size() < count)
      workers_.push_back(start([this, member = workers_.size() + 1] { run_worker(member); }));
  } catch (const std::system_error&) {
  } catch (const std::bad_alloc&) {
  }
  return workers_.size() == count;
}

void ThreadTeam::stop_workers() {
  stop_ = true;
  ++loop_;
  loop_.notify_all();
  for (std::thread& worker : workers_) worker.join();
  workers_.clear();
  loop_ = 0;
  stop_ = false;
}

ThreadTeam::~ThreadTeam() { stop_workers(); }

void ThreadTeam::run(std::size_t count, const std::function<void(std::size_t)>& chunk) {
  if (inside_a_loop || count <= 1 || shares_.size() == 1 || count >= nothing_left) return run_alone(count, chunk);
  if (busy_.exchange(true, std::memory_order_acquire)) return run_alone(count, chunk);

  const std::uint32_t loop = loop_.load(std::memory_order_relaxed) + 1;
  chunk_.store(&chunk, std::memory_order_relaxed);
  caller_core_.store(current_core(), std::memory_order_relaxed);
  unfinished_.store(count, std::memory_order_relaxed);
  failure_ = nullptr;
  const std::size_t members = shares_.size();
  for (std::size_t member = 0; member < members; ++member) {
    // The loop's number comes first: a thread that is late from the previous loop must not take the old `next` for a
    // chunk below the new `end`.
    shares_[member].next.store(ticket(loop, nothing_left), std::memory_order_relaxed);
    shares_[member].end.store(static_cast<std::uint32_t>(count * (member + 1) / members), std::memory_order_release);
    shares_[member].next.store(ticket(loop, static_cast<std::uint32_t>(count * member / members)),
                               std::memory_order_release);
  }
  loop_.store(loop, std::memory_order_release);
  loop_.notify_all();

  inside_a_loop = true;
  work(0, loop);
  inside_a_loop = false;
  for (int turns = 0; unfinished_.load(std::memory_order_acquire) > 0; ++turns) {
    if (spins_ && turns < 10'000)
      pause();
    else
      std::this_thread::yield();
  }
  const std::exception_ptr failure = std::exchange(failure_, nullptr);
  busy_.store(false, std::memory_order_release);
  if (failure) std::rethrow_exception(failure);
}

// Works on its own share first, then on what is left of the others'.
void ThreadTeam::work(std::size_t member, std::uint32_t loop) {
  for (std::size_t k = 0; k < shares_.size(); ++k) {
    Share& share = shares_[(member + k) % shares_.size()];
    std::uint64_t next = share.next.load(std::memory_order_acquire);
    for (;;) {
      const auto i = static_cast<std::uint32_t>(next);
      if (next >> 32 != loop || i >= share.end.load(std::memory_order_acquire)) break;
      if (!share.next.compare_exchange_weak(next, next + 1, std::memory_order_acq_rel, std::memory_order_acquire))
        continue;
      // The loop cannot end before this chunk does, so its function still exists.
      try {
        (*chunk_.load(std::memory_order_relaxed))(i);
      } catch (...) {
        const std::lock_guard lock(failure_mutex_);
        if (!failure_ || i < failed_chunk_) {
          failure_ = std::current_exception();
          failed_chunk_ = i;
        }
      }
      unfinished_.fetch_sub(1, std::memory_order_acq_rel);
      next = share.next.load(std::memory_order_acquire);
    }
  }
}

void ThreadTeam::run_worker(std::size_t member) {
  inside_a_loop = true;
  for (std::uint32_t seen = 0;;) {
    seen = wait_for_loop_after(seen);
    if (stop_) return;
    leave_core_of_caller();
    work(member, seen);
  }
}

// Linux wakes a thread near the one that woke it, on a small machine even on the same core, and may leave it there;
// both then take turns, and a loop takes as long as with one thread. A worker on the caller's core sets its affinity to
// the other cores, and then resets it.
void ThreadTeam::leave_core_of_caller() const {
#if defined(__linux__)
  const int core = caller_core_.load(std::memory_order_relaxed);
  if (core < 0 || core >= CPU_SETSIZE || core != current_core()) return;
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0 || CPU_COUNT(&allowed) < 2) return;
  cpu_set_t others = allowed;
  CPU_CLR(static_cast<std::size_t>(core), &others);
  if (sched_setaffinity(0, sizeof(others), &others) == 0) sched_setaffinity(0, sizeof(allowed), &allowed);
#endif
}

std::uint32_t ThreadTeam::wait_for_loop_after(std::uint32_t seen) const {
  if (spins_) {
    const auto give_up = std::chrono::steady_clock::now() + patience;
    do {
      for (int turn = 0; turn < 32; ++turn) {
        const std::uint32_t loop = loop_.load(std::memory_order_acquire);
        if (loop != seen) return loop;
        pause();
      }
    } while (std::chrono::steady_clock::now() < give_up);
  }
  loop_.wait(seen, std::memory_order_acquire);
  return loop_.load(std::memory_order_acquire);
}

}  // namespace sinew
