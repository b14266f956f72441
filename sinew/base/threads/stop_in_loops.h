// Cancellation of work that runs for a long time between two progress reports.
#pragma once

#include <atomic>
#include <memory>

#include "sinew/base/progress.h"

namespace sinew {

class StopQuestion;
using StopFlag = std::atomic<bool>;

// While an object of this class lives, the parallel loops (parallel.h) that its thread starts repeat the last progress
// report about ten times a second, or every `interval` seconds, and throw Stopped when the listener asks to stop. For
// work that has no partial result to return.
class StopInLoops {
 public:
  // Without a listener loops are never stopped.
  explicit StopInLoops(const Progress& listener, double interval = 0.1);
  ~StopInLoops();
  StopInLoops(const StopInLoops&) = delete;
  StopInLoops& operator=(const StopInLoops&) = delete;

  // The listener that the work must report to instead of the original one.
  const Progress& progress() const { return progress_; }

 private:
  std::shared_ptr<StopQuestion> question_;
  StopQuestion* before_;
  Progress progress_;
};

// While an object of this class lives, the loops of its thread run to their end: for work that checks for cancellation
// itself.
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

// For loops: the question that loops of this thread have to ask; null for none.
StopQuestion* stop_question();
bool wants_to_stop(StopQuestion& question);

// For loops nested in a chunk of another thread's loop: the flag that stops the outer loop; null if nothing can.
const StopFlag* stop_flag_of_chunk();

// While an object of this class lives, its thread runs a chunk of a loop that the flag can stop.
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
