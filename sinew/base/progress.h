// Progress and cancellation of long work: the worker reports, a user interface (terminal, studio) listens.
#pragma once

#include <exception>
#include <functional>
#include <string>

namespace sinew {

// One progress report; `fraction` runs from 0 to 1.
struct ProgressReport {
  std::string activity;  // e.g. "simulating stomp"
  double fraction = 0;
};

// Called from the thread that runs the work. Returns false to ask for a clean stop.
using Progress = std::function<bool(const ProgressReport&)>;

// Reports to the listener, if there is one. Returns whether the work should continue.
inline bool report(const Progress& progress, const std::string& activity, double fraction) {
  return !progress || progress(ProgressReport{activity, fraction});
}

// Thrown by work that was asked to stop and has no result yet. Not an Error: nothing went wrong.
struct Stopped : std::exception {
  const char* what() const noexcept override { return "stopped on request"; }
};

// Reports, and throws Stopped where the listener asks for a stop.
inline void report_or_stop(const Progress& progress, const std::string& activity, double fraction) {
  if (!report(progress, activity, fraction)) throw Stopped();
}

// A listener for one part of the work: maps its fractions from 0..1 to `begin`..`end` of the whole.
inline Progress part_of(const Progress& progress, double begin, double end) {
  if (!progress) return {};
  return [=](const ProgressReport& part) { return progress({part.activity, begin + (end - begin) * part.fraction}); };
}

}  // namespace sinew
