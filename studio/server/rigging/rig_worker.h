// Finds weights and writes rigged files on a thread of its own. The newest request wins.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <vector>

#include "studio/server/rigging/rig_bench.h"
#include "studio/server/worker.h"

namespace sinew::studio {

class RigWorker {
 public:
  using Listener = std::function<void(const ProgressReport&)>;
  using Done = std::function<void(std::shared_ptr<const RiggedDraft>, std::exception_ptr failure)>;

  explicit RigWorker(Listener listener) : listener_(std::move(listener)) {}

  // Finds the weights of the mesh for these joints, and calls `done` on the worker's thread: with Stopped, if a newer
  // request came.
  void find(std::shared_ptr<const OpenedCharacter> opened, std::vector<PlacedJoint> joints, Done done);
  // Runs a task that takes a moment after what runs.
  void run(std::function<void()> task);
  void cancel() { worker_.cancel(); }

 private:
  Listener listener_;
  // On the worker's thread alone: the body of the mesh that was rigged last.
  std::shared_ptr<const OpenedCharacter> of_;
  RiggingBody body_;
  Worker worker_;
};

}  // namespace sinew::studio
