// A gait that walks at a given speed: found by CMA-ES (Hansen 2006, in pagmo) over runs of the body.
#pragma once

#include <cstdint>

#include "sinew/base/progress.h"
#include "sinew/dynamics/react.h"

namespace sinew {

// The first generation and one of CMA-ES.
inline constexpr int least_tries = 28;

struct GaitSearch {
  double speed = 1.2;      // wanted, m/s
  double seconds = 15;     // length of a run
  int tries = 300;         // gaits at most; at least least_tries
  std::uint64_t seed = 1;  // of the search's random numbers
  // Push to a side in the middle of a run, m/s by which it changes the body's speed: a gait that bears it is surer.
  // Each try is two runs, pushed to either side.
  double push = 0.1;
  double strength = 1;  // ReactOptions::strength
};

// How a run went, or the worse of two.
struct GaitQuality {
  double cost = 0;      // what the search makes small: below 9 where the body stands, 10 to 25 where it fell
  double speed = 0;     // mean along the way, m/s, after the first two seconds
  double aside = 0;     // largest distance from a straight line, metres
  bool stands = false;  // at the end
};
GaitQuality quality_of(const CharacterLinks& links, const Reaction& reaction, const GaitSearch& search,
                       const Vec3& ahead);

// Whether the search could find these numbers; where it begins with others, it takes the nearest.
bool is_within_search(const Gait& gait);

struct FoundGait {
  Gait gait;
  GaitQuality quality;
  int tries = 0;
};

// The best gait that was tried, beginning with `first`. Same numbers for any number of threads. Throws usage_error as
// GaitControl does.
FoundGait find_gait(const CharacterLinks& links, const ReferenceMotion& standing, const Gait& first,
                    const GaitSearch& search, const Progress& progress = {});

}  // namespace sinew
