// Prepares a second method for the character on stage, on a thread of its own; the newest order wins.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "sinew/base/progress.h"
#include "sinew/jobs/method_choice.h"
#include "studio/server/kitchen.h"
#include "studio/server/stage.h"

namespace sinew {

struct BesideOrder {
  Cast cast;  // whose character it is
  MethodChoice choice;
  Paint paint;
};

class BesideJob {
 public:
  using Listener = std::function<void(const ProgressReport&)>;
  using Done = std::function<void(std::shared_ptr<const PreparedMethod>, std::exception_ptr failure)>;

  explicit BesideJob(Listener listener) : listener_(std::move(listener)) {}
  ~BesideJob() { cancel(); }
  BesideJob(const BesideJob&) = delete;
  BesideJob& operator=(const BesideJob&) = delete;

  // `done` hears on the job's thread what was prepared, or why nothing was: Stopped where another order came.
  void begin(BesideOrder order, Done done);
  // Returns once nothing is being done any more.
  void cancel();

 private:
  void end();

  Listener listener_;
  std::mutex mutex_;  // of what follows
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

}  // namespace sinew
