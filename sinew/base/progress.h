// Progress and cancellation of long work: the worker reports, a face (terminal, studio) listens.
#pragma once

#include <exception>
#include <functional>
#include <string>

namespace sinew {

// What a worker tells while it works; `fraction` runs from 0 to 1.
struct ProgressReport {
  std::string activity;  // e.g. "simulating stomp"
  double fraction = 0;
};

// Called from the thread that runs the work. Returns false to ask for a clean stop.
using Progress = std::function<bool(const ProgressReport&)>;

// Reports to a possibly empty listener; true where the work goes on.
inline bool report(const Progress& progress, const std::string& activity, double fraction) {
  return !progress || progress(ProgressReport{activity, fraction});
}

// Thrown by work that was asked to stop and has nothing to hand over yet. Not an Error: nothing went wrong.
struct Stopped : std::exception {
  const char* what() const noexcept override { return "stopped on request"; }
};

// Reports, and throws Stopped where the listener asks for a stop.
inline void report_or_stop(const Progress& progress, const std::string& activity, double fraction) {
  if (!report(progress, activity, fraction)) throw Stopped();
}

// What a part of the work reports to: its fractions from 0 to 1 become those from `begin` to `end` of the whole.
inline Progress part_of(const Progress& progress, double begin, double end) {
  if (!progress) return {};
  return [=](const ProgressReport& part) { return progress({part.activity, begin + (end - begin) * part.fraction}); };
}

}  // namespace sinew
