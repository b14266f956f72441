#include "studio/server/live/step_meter.h"

#include <algorithm>

namespace sinew::studio {
namespace {

constexpr double share_of_newest = 0.05;

}  // namespace

void restart(StepMeter& meter, double now) {
  meter.since = now;
  meter.counted = 0;
  meter.lost_before = meter.behind = 0;
}

void count_step(StepMeter& meter, double seconds, double now, double lost) {
  meter.step_seconds += (seconds - meter.step_seconds) * share_of_newest;
  ++meter.counted;
  if (now - meter.since < 1) return;
  meter.steps_per_second = meter.counted / (now - meter.since);
  meter.behind = std::max(0.0, lost - meter.lost_before);
  meter.lost_before = lost;
  meter.counted = 0;
  meter.since = now;
}

}  // namespace sinew::studio
