// A character that hops along, and the hop that suits it.
#pragma once

#include <optional>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/dynamics/hopping_body.h"

namespace sinew {

struct HoppingOptions {
  double speed = 0.5;  // wanted, ahead, m/s
  double seconds = 10;
  double frames_per_second = 60;  // of the result
  double ground = 0;              // height, metres
};

struct Hopping {
  std::vector<double> times;    // seconds, from 0
  std::vector<TreePose> poses;  // of the character's links
  HopPhases phases;
  double speed = 0;            // in the second half of the time, ahead, m/s
  double aside = 0;            // largest distance from the line ahead, metres
  std::optional<double> fell;  // time at which it leaned too far or sank, seconds; nothing follows it
};

// A hop for a leg as heavy as a person's, whose swing turns the trunk; velocity and sole are those of the body.
Hop usual_hop(const HoppingBody& hopping, double speed);

// The engine lets a pressed foot creep by some centimetres; the result's foot stays as it is in the middle of each
// stance. One thread computes, so that the bits are the same on every run. Throws usage_error for times and numbers
// outside of what can be.
Hopping hop_along(const CharacterLinks& links, const HoppingBody& hopping, const Hop& hop,
                  const HoppingOptions& options, const Progress& progress = {});

// Returns the hop that keeps the body up longest, nearest to its speed and its line: the usual one or one of `tries`
// drawn ones. The result is the same for any number of threads.
Hop find_hop(const HoppingBody& hopping, const HoppingOptions& options, int tries, const Progress& progress = {});

}  // namespace sinew
