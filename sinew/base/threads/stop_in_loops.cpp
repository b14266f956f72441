#include "sinew/base/threads/stop_in_loops.h"

#include <ctime>
#include <utility>

namespace sinew {
namespace {

// A clock with a resolution of a few milliseconds that can be read in a few nanoseconds, since loops read it at every
// chunk.
double coarse_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

thread_local StopQuestion* current = nullptr;
thread_local const StopFlag* flag_of_chunk = nullptr;

}  // namespace

class StopQuestion {
 public:
  StopQuestion(Progress listener, double interval) : listener_(std::move(listener)), interval_(interval) {}

  bool report(const ProgressReport& report) {
    last_ = report;
    asked_ = coarse_seconds();
    return listener_(last_);
  }
  bool ask() {
    if (coarse_seconds() - asked_ < interval_) return true;
    return report(ProgressReport(last_));
  }

 private:
  Progress listener_;
  double interval_;  // seconds between two questions
  ProgressReport last_;
  double asked_ = coarse_seconds();
};

StopInLoops::StopInLoops(const Progress& listener, double interval) : before_(current) {
  if (!listener) return;
  question_ = std::make_shared<StopQuestion>(listener, interval);
  progress_ = [question = question_](const ProgressReport& report) { return question->report(report); };
  current = question_.get();
}

StopInLoops::~StopInLoops() { current = before_; }

LoopsRunOn::LoopsRunOn()
    : before_(std::exchange(current, nullptr)), flag_before_(std::exchange(flag_of_chunk, nullptr)) {}
LoopsRunOn::~LoopsRunOn() {
  current = before_;
  flag_of_chunk = flag_before_;
}

StopQuestion* stop_question() { return current; }
bool wants_to_stop(StopQuestion& question) { return !question.ask(); }

const StopFlag* stop_flag_of_chunk() { return flag_of_chunk; }
StopsWith::StopsWith(const StopFlag& flag) : before_(std::exchange(flag_of_chunk, &flag)) {}
StopsWith::~StopsWith() { flag_of_chunk = before_; }

}  // namespace sinew
