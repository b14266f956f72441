// What physics follows of a clip: the motion that its keys stand for, and the places where there is none, since the
// clip is cut (docs/flesh.md, Cuts and held poses).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/character/simulation_surface.h"

namespace sinew {

// A discontinuity of the rig: a cut between two actions, a teleport, a reset of root motion.
struct Cut {
  double begin = 0,
         end = 0;   // seconds on the clip's time line; the rig is where it was at the one, and beyond it at the other
  double jump = 0;  // metres: the farthest that any sampled point goes meanwhile
};

struct ClipMotion {
  std::vector<Cut> cuts;       // rising, apart
  std::optional<Clip> driven;  // the clip with held poses as motion; empty: the clip itself

  const Clip& driving(const Clip& clip) const { return driven ? *driven : clip; }
  // Whether a cut lies in [begin, end], seconds on the clip's time line.
  bool is_cut(double begin, double end) const;
};

// Finds what a third of the surface jumps by within a frame and the rig's speed before and after does not explain. Both
// must be of the clip's character. Same bits for any number of threads.
ClipMotion clip_motion(const Character& character, const SimulationSurface& surface, const Clip& clip);

// The clip with smooth curves in place of STEP channels. Dense keys, twelve a second or more, are joined as samples of
// a motion; a pose that is held for longer goes over into the next one within a twelfth of a second after it has
// changed. Changes within `cuts` stay jumps. Empty where no channel has STEP keys.
std::optional<Clip> with_moving_steps(const Clip& clip, std::span<const Cut> cuts);

// One sentence for people; empty without cuts. `clip`: in the words of the caller.
std::string describe_cuts(const std::string& clip, std::span<const Cut> cuts);

}  // namespace sinew
