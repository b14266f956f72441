// Hosts that lend their threads, each in a way of its own.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

#include "sinew/base/threads/thread_loan.h"

namespace sinew::test {

// Starts threads for each run, and lets the caller work or wait.
class StartedThreads final : public HostThreads {
 public:
  explicit StartedThreads(int count, bool caller_works = true) : count_(count), caller_works_(caller_works) {}

  int count() const override { return count_; }
  void run(std::size_t tasks, const std::function<void(std::size_t)>& task) override {
    ++runs;
    std::vector<std::thread> threads;
    for (std::size_t i = caller_works_ ? 1 : 0; i < tasks; ++i) threads.emplace_back([&task, i] { task(i); });
    if (caller_works_) task(0);
    for (std::thread& thread : threads) thread.join();
  }

  std::atomic<int> runs{0};

 private:
  int count_;
  bool caller_works_;
};

// Says that several may run, and does one after the other, the last first.
class OneAfterTheOther final : public HostThreads {
 public:
  int count() const override { return 3; }
  void run(std::size_t tasks, const std::function<void(std::size_t)>& task) override {
    ++runs;
    for (std::size_t i = tasks; i-- > 0;) task(i);
  }

  int runs = 0;
};

}  // namespace sinew::test
