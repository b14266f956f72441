// Work that can be stopped between two of its reports.
#pragma once

#include <memory>

#include "sinew/base/progress.h"

namespace sinew {

class StopQuestion;

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
};

// For loops: what this thread's are to ask; null: nothing.
StopQuestion* stop_question();
bool wants_to_stop(StopQuestion& question);

}  // namespace sinew
