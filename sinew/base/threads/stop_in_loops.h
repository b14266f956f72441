// Work that can be stopped between two of its reports.
#pragma once

#include <atomic>
#include <memory>

#include "sinew/base/progress.h"

namespace sinew {

class StopQuestion;
using StopFlag = std::atomic<bool>;

// A stage may take long between two reports (progress.h), on large input above all. While one of these lives, the loops
// (parallel.h) that its thread begins repeat the last report about ten times a second, and throw Stopped where the
// listener does not want to go on. For work that has nothing to hand over when it is stopped.
class StopInLoops {
 public:
  // Without a listener, loops run on.
  explicit StopInLoops(const Progress& listener);
  ~StopInLoops();
  StopInLoops(const StopInLoops&) = delete;
  StopInLoops& operator=(const StopInLoops&) = delete;

  // What the work reports to in the listener's place.
  const Progress& progress() const { return progress_; }

 private:
  std::shared_ptr<StopQuestion> question_;
  StopQuestion* before_;
  Progress progress_;
};

// While one of these lives, the loops of its thread run to their end: for work that stops at places of its own.
class LoopsRunOn {
 public:
  LoopsRunOn();
  ~LoopsRunOn();
  LoopsRunOn(const LoopsRunOn&) = delete;
  LoopsRunOn& operator=(const LoopsRunOn&) = delete;

 private:
  StopQuestion* before_;
  const StopFlag* flag_before_;
};

// For loops: what this thread's are to ask; null: nothing.
StopQuestion* stop_question();
bool wants_to_stop(StopQuestion& question);

// For loops within a chunk of another thread's loop, which ask nothing: whether that one is to stop; null: it never is.
const StopFlag* stop_flag_of_chunk();

// While one of these lives, its thread runs a chunk of a loop that this flag stops.
class StopsWith {
 public:
  explicit StopsWith(const StopFlag& flag);
  ~StopsWith();
  StopsWith(const StopsWith&) = delete;
  StopsWith& operator=(const StopsWith&) = delete;

 private:
  const StopFlag* before_;
};

}  // namespace sinew
