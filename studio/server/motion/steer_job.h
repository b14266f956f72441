// Finds the motion graph of a character's clips, on a background thread. The newest request wins.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <utility>

#include "sinew/base/progress.h"
#include "sinew/jobs/motion/graph/live_graph.h"
#include "studio/server/worker.h"

namespace sinew::studio {

class SteerJob {
 public:
  using Listener = std::function<void(const ProgressReport&)>;
  using Done = std::function<void(std::shared_ptr<const LiveGraph>, std::exception_ptr failure)>;

  explicit SteerJob(Listener listener) : listener_(std::move(listener)) {}

  // Calls `done` on the job's thread with the graph, or the reason why there is none: Stopped if another request came.
  // The graph of the last request is kept.
  void begin(std::shared_ptr<const OpenedCharacter> opened, Done done);
  void cancel() { worker_.cancel(); }

 private:
  Listener listener_;
  std::shared_ptr<const LiveGraph> kept_;  // on the worker's thread alone
  Worker worker_{{.niceness = 5}};         // the player has priority
};

}  // namespace sinew::studio
