// Prepares a second method for the character in the player, on a thread of its own; the newest request wins.
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
  LoadedCharacter loaded;  // whose character it is
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

  // `done` hears on the job's thread what was prepared, or why nothing was: Stopped where another order came.
  void begin(ComparisonRequest request, Done done);
  // Returns once nothing is being done any more.
  void cancel();

 private:
  void end();

  Listener listener_;
  std::mutex mutex_;  // of what follows
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

}  // namespace sinew::studio
