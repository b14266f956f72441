// A thread for work that takes longer than a page waits: cooking, checking, baking, saving.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "sinew/base/progress.h"

namespace sinew::studio {

// One task runs at a time, and one more may wait.
class Worker {
 public:
  // Runs on the worker's thread and throws nothing. `progress` returns false once the task is to stop.
  using Task = std::function<void(const Progress& progress)>;

  struct Options {
    int niceness = 0;                        // added to the process's, so that what is watched goes first
    std::chrono::milliseconds gathering{0};  // a task waits so long for newer ones, unless somebody waits for it
    bool finishes = false;                   // the destructor lets tasks come to their end; false: it stops them
  };
  Worker() : Worker(Options{}) {}
  explicit Worker(const Options& options);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // Runs the task after the one that runs, which is asked to stop. A task that still waited is called too, with a
  // progress that asks it to stop at once, so that whoever waits for its answer gets one.
  void give(Task task);
  // Runs the task if nothing runs or waits, and says whether.
  bool give_if_idle(Task task);
  // Asks all tasks to stop, and returns at once.
  void cancel();
  // Returns when nothing runs or waits.
  void wait();

  // For the task that runs: from here on give() lets it come to its end, since it takes only a moment.
  void takes_a_moment();

 private:
  void run();
  void replace_next();
  void run_one(std::unique_lock<std::mutex>& lock, const Task& task, bool stopped);

  const Options options_;
  std::mutex mutex_;
  std::condition_variable woken_, idle_;
  std::optional<Task> next_;
  std::deque<Task> replaced_;  // still to be called, and to stop
  bool runs_ = false, moment_ = false, ends_ = false;
  int waiting_ = 0;  // callers of wait()
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

// The progress of a task that tells `listener` too: first when the work has taken a moment, then 20 times a second.
Progress telling(const Progress& progress, std::function<void(const ProgressReport&)> listener);

}  // namespace sinew::studio
