#include "studio/server/worker.h"

#include <sys/resource.h>
#include <unistd.h>

#include <memory>
#include <utility>

#include "sinew/base/machine_memory.h"
#include "sinew/base/stopwatch.h"

namespace sinew::studio {

Worker::Worker(const Options& options) : options_(options), thread_([this] { run(); }) {}

Worker::~Worker() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
    if (!options_.finishes) stop_ = true;
  }
  woken_.notify_all();
  thread_.join();
}

void Worker::replace_next() {
  if (next_) replaced_.push_back(*std::exchange(next_, std::nullopt));
}

void Worker::give(Task task) {
  const std::lock_guard lock(mutex_);
  replace_next();
  next_ = std::move(task);
  if (!moment_) stop_ = true;
  woken_.notify_all();
}

bool Worker::give_if_idle(Task task) {
  const std::lock_guard lock(mutex_);
  if (runs_ || next_) return false;
  next_ = std::move(task);
  woken_.notify_all();
  return true;
}

void Worker::cancel() {
  const std::lock_guard lock(mutex_);
  replace_next();
  stop_ = true;
  woken_.notify_all();
}

void Worker::wait() {
  std::unique_lock lock(mutex_);
  ++waiting_;
  woken_.notify_all();
  idle_.wait(lock, [this] { return !runs_ && !next_ && replaced_.empty(); });
  --waiting_;
}

void Worker::takes_a_moment() {
  const std::lock_guard lock(mutex_);
  moment_ = true;
}

void Worker::run_one(std::unique_lock<std::mutex>& lock, const Task& task, bool stopped) {
  runs_ = true;
  stop_ = stopped;
  lock.unlock();
  task([this](const ProgressReport&) { return !stop_.load(); });
  lock.lock();
  runs_ = moment_ = false;
}

void Worker::run() {
  if (options_.niceness != 0) setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), options_.niceness);
  // After hours of use the server is as large as its character: what tasks and hands needed for a while is given back
  // once nothing was to be done for some time.
  constexpr std::chrono::seconds rest(5);
  bool has_run = false;  // since memory was given back
  const auto is_wanted = [this] { return ends_ || next_ || !replaced_.empty(); };
  std::unique_lock lock(mutex_);
  for (;;) {
    if (has_run && !woken_.wait_for(lock, rest, is_wanted)) {
      lock.unlock();
      return_freed_memory();
      lock.lock();
      has_run = false;
    }
    woken_.wait(lock, is_wanted);
    if (!replaced_.empty()) {
      const Task task = std::move(replaced_.front());
      replaced_.pop_front();
      run_one(lock, task, true);
    } else if (next_) {
      if (options_.gathering.count() > 0)
        woken_.wait_for(lock, options_.gathering, [this] { return ends_ || waiting_ > 0; });
      run_one(lock, *std::exchange(next_, std::nullopt), ends_ && !options_.finishes);
    } else {
      return;
    }
    has_run = true;
    idle_.notify_all();
  }
}

Progress telling(const Progress& progress, std::function<void(const ProgressReport&)> listener) {
  constexpr double first = 0.15, between = 0.05;  // seconds
  struct Told {
    Stopwatch watch;
    double last = first - between;
  };
  return [progress, listener = std::move(listener), told = std::make_shared<Told>()](const ProgressReport& done) {
    if (const double now = told->watch.seconds(); now > told->last + between) {
      told->last = now;
      listener(done);
    }
    return progress(done);
  };
}

}  // namespace sinew::studio
