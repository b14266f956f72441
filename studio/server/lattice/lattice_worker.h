// Builds and checks lattices on a thread of its own. The newest request wins.
#pragma once

#include <functional>
#include <utility>

#include "sinew/base/progress.h"
#include "sinew/base/threads/stop_in_loops.h"
#include "studio/server/worker.h"

namespace sinew::studio {

class LatticeWorker {
 public:
  using Listener = std::function<void(const ProgressReport&)>;

  explicit LatticeWorker(Listener listener) : listener_(std::move(listener)) {}

  // Runs the task on the worker's thread. It throws nothing; its progress throws Stopped in loops, if a newer one came.
  void run(std::function<void(const Progress&)> task) {
    worker_.give([this, task = std::move(task)](const Progress& asked) {
      const StopInLoops stops(telling(asked, listener_));
      task(stops.progress());
      listener_({"", 1});
    });
  }

 private:
  Listener listener_;
  Worker worker_{{.niceness = 5}};
};

}  // namespace sinew::studio
