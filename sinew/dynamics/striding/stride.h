// A planar body that walks by its muscles and reflexes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/dynamics/striding/planar_biped.h"
#include "sinew/dynamics/striding/reflexes.h"

namespace sinew {

struct StrideOptions {
  double speed = 1.2;  // with which it begins, times first_speed, m/s
  double seconds = 10;
  double frames_per_second = 60;
  bool ends_with_a_fall = false;  // nothing is simulated after it
  double counts_from = 2;         // seconds, after which means are taken
};

// One moment of a walk.
struct StrideFrame {
  double time = 0;
  PlanarPose pose;
  std::array<std::array<double, leg_muscles_count>, 2> activation{};  // per leg
  std::array<double, 2> load{};                                       // of the ground on each leg, body weights
  std::array<LegState, 2> state{};
};

struct StrideRecord {
  std::vector<StrideFrame> frames;
  // Time at which it fell: its hip was below 0.6 of the leg, or its trunk leaned by a radian.
  std::optional<double> fell;
  double speed = 0;                // mean, m/s
  double effort = 0;               // mean square of the activations
  double lean = 0, lean_away = 0;  // mean of the trunk, and root of the mean square from it, radians
  double peak_load = 0;            // largest force of the ground on a leg, in 20 ms, body weights
  int steps = 0;                   // feet that came down
  double step_length = 0;          // mean, metres; 0 without steps
  double travelled = 0;            // metres, until it fell
};

// Same bits every time: one thread computes.
StrideRecord stride(const PlanarMeasures& measures, const Reflexes& reflexes, const StrideOptions& options);

struct StrideSearch {
  double speed = 1.2;  // wanted, m/s
  double seconds = 10;
  int tries = 2000;
  std::uint64_t seed = 1;
};
struct FoundStride {
  Reflexes reflexes{};
  StrideRecord walk;
  double cost = 0;  // below 11 where it does not fall
  int tries = 0;
};
double cost_of(const PlanarMeasures& measures, const StrideSearch& search, const StrideRecord& walk);

// The best reflexes of CMA-ES over walks, beginning with `first`. Same numbers for any number of threads.
FoundStride find_stride(const PlanarMeasures& measures, const Reflexes& first, const StrideSearch& search,
                        const Progress& progress = {});

}  // namespace sinew
