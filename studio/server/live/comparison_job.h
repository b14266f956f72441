// Cooks a second method for the character in the player, on a background thread. The newest request wins.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <utility>

#include "sinew/base/progress.h"
#include "sinew/cook/flesh/flesh_method.h"
#include "studio/server/cook/cook_worker.h"
#include "studio/server/live/live_player.h"
#include "studio/server/worker.h"

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

  // Calls `done` on the job's thread with the scene, or the reason why there is none: Stopped if another request came.
  void begin(ComparisonRequest request, Done done);
  // Stops the work and waits for its end.
  void cancel();

 private:
  Listener listener_;
  Worker worker_;
};

}  // namespace sinew::studio
