// Computes how a character's body reacts to a push, on a background thread. The newest request wins.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <utility>

#include "sinew/base/progress.h"
#include "sinew/jobs/motion/react_motion.h"
#include "studio/server/worker.h"

namespace sinew::studio {

class PushJob {
 public:
  using Listener = std::function<void(const ProgressReport&)>;
  using Done = std::function<void(const OpenedCharacter& opened, Clip clip, std::exception_ptr failure)>;

  explicit PushJob(Listener listener) : listener_(std::move(listener)) {}

  // Calls `done` on the job's thread with the new clip, or the reason why there is none: Stopped if another request
  // came.
  void begin(std::shared_ptr<const OpenedCharacter> opened, ReactMotionJob job, Done done);
  void cancel() { worker_.cancel(); }

 private:
  Listener listener_;
  Worker worker_{{.niceness = 5}};  // the player has priority
};

}  // namespace sinew::studio
