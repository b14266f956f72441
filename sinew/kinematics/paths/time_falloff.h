// How much of an edit counts at each time of a clip: all of it at one time, or from one to another, none outside of a
// window, and smooth in between.
#pragma once

namespace sinew {

// 0 for x <= 0 and 1 for x >= 1; first and second derivatives vanish at both ends.
inline double smoother_step(double x) {
  if (!(x > 0)) return 0;
  return x >= 1 ? 1 : x * x * x * (10 + x * (6 * x - 15));
}

// Times in seconds, ascending; equal ones are steps.
struct TimeFalloff {
  double begin = 0, full_from = 0, full_until = 0, end = 0;

  static TimeFalloff around(double time, double width) { return {time - width, time, time, time + width}; }
  double operator()(double time) const {
    if (time >= full_from && time <= full_until) return 1;
    if (time <= begin || time >= end) return 0;
    return time < full_from ? smoother_step((time - begin) / (full_from - begin))
                            : smoother_step((end - time) / (end - full_until));
  }
};

}  // namespace sinew
