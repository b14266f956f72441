// Cooks a second method for the character in the player, on a background thread. The newest request wins.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "sinew/base/progress.h"
#include "sinew/cook/flesh/flesh_method.h"
#include "studio/server/cook/cook_worker.h"
#include "studio/server/live/live_player.h"

namespace sinew::studio {

struct ComparisonRequest {
  LoadedCharacter loaded;  // the character
  MethodChoice choice = FleshMethod();
  Paint paint;
};

class ComparisonJob {
 public:
  using Listener = std::function<void(const ProgressReport&)>;
  using Done = std::function<void(std::shared_ptr<const Scene>, std::exception_ptr failure)>;

  explicit ComparisonJob(Listener listener) : listener_(std::move(listener)) {}
  ~ComparisonJob() { cancel(); }
  ComparisonJob(const ComparisonJob&) = delete;
  ComparisonJob& operator=(const ComparisonJob&) = delete;

  // Calls `done` on the job's thread with the scene, or the reason why there is none: Stopped if another request came.
  void begin(ComparisonRequest request, Done done);
  // Stops the work and waits for its end.
  void cancel();

 private:
  void end();

  Listener listener_;
  std::mutex mutex_;  // guards the following members
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

}  // namespace sinew::studio
