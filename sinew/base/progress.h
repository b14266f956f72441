// Progress and cancellation of long work: the worker reports, a face (terminal, studio) listens.
#pragma once

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

}  // namespace sinew
