// A team of threads that shares the chunks of one loop after another.
//
// Made for loops of microseconds in close succession, as in a simulation step: workers spin briefly before they sleep,
// and each thread starts with the same share of the chunks every time, so that data stay in the caches of the core that
// used them last. (Measured: 0.4 us per loop, against 2 us with a general scheduler, whose workers also often sleep
// through short loops.)
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace sinew {

class ThreadTeam {
 public:
  // Starts a thread that runs the function. Throws std::system_error where the system refuses to.
  using StartThread = std::function<std::thread(std::function<void()>)>;

  // `threads` >= 1 includes the caller of run(). Where the system refuses some of them (a limit of processes or
  // memory), the team consists of those that started: see size().
  explicit ThreadTeam(int threads);
  ThreadTeam(int threads, const StartThread& start);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  // Number of threads, including the caller of run().
  int size() const { return static_cast<int>(shares_.size()); }

  // Calls chunk(i) once for each i in [0, count) and returns when all are done. Nested loops, and loops that another
  // thread starts meanwhile, run on their own thread only. If chunks throw, the others still run and the exception of
  // the lowest chunk is rethrown.
  void run(std::size_t count, const std::function<void(std::size_t)>& chunk);

 private:
  // Chunks [next, end) of one thread's share that no thread has started. The upper half of `next` is the loop's number,
  // so that a late thread takes nothing from the next loop.
  struct alignas(64) Share {
    std::atomic<std::uint64_t> next{0};
    std::atomic<std::uint32_t> end{0};
  };

  void work(std::size_t member, std::uint32_t loop);
  void run_worker(std::size_t member);
  void leave_core_of_caller() const;
  std::uint32_t wait_for_loop_after(std::uint32_t seen) const;

  bool start_workers(std::size_t count, const StartThread& start);
  void stop_workers();

  std::vector<Share> shares_;  // per thread; created when the number is known, untouched before the first loop
  bool spins_;
  std::atomic<bool> busy_{false};       // true while a loop runs
  std::atomic<std::uint32_t> loop_{0};  // number of the current loop
  std::atomic<int> caller_core_{-1};
  std::atomic<const std::function<void(std::size_t)>*> chunk_{nullptr};
  alignas(64) std::atomic<std::size_t> unfinished_{0};
  std::atomic<bool> stop_{false};
  std::mutex failure_mutex_;
  std::size_t failed_chunk_ = 0;
  std::exception_ptr failure_;
  std::vector<std::thread> workers_;
};

}  // namespace sinew
