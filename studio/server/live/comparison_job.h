// Prepares a second method for the character in the player, on a thread of its own; the newest request wins.
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
  LoadedCharacter loaded;  // whose character it is
  MethodChoice choice = FleshMethod();
  Paint paint;
};

class ComparisonJob {
 public:
  using Listener = std::function<void(const ProgressReport&)>;
  using Done = std::function<void(std::shared_ptr<const Scene>, std::exception_ptr failure)>;

  explicit ComparisonJob(Listener listener) : listener_(std::move(listener)) {}

  // `done` hears on the job's thread what was cooked, or why nothing was: Stopped where another request came.
  void begin(ComparisonRequest request, Done done);
  // Returns once nothing is being done any more.
  void cancel();

 private:
  Listener listener_;
  Worker worker_;
};

}  // namespace sinew::studio
