// The motion of a clip that physics follows: what its keys stand for, without the cuts (docs/flesh.md, Cuts and held
// poses).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/character/simulation_surface.h"

namespace sinew {

// A discontinuity of the rig: a cut between two actions, a teleport, a reset of root motion.
struct Cut {
  double begin = 0, end = 0;  // seconds on the clip's time line: last moment before the jump, first one after it
  double jump = 0;            // metres: the farthest distance that any sampled point moves in between
};

struct ClipMotion {
  std::vector<Cut> cuts;       // ascending, disjoint
  std::optional<Clip> driven;  // the clip with held poses turned into motion; empty: the clip itself

  const Clip& driving(const Clip& clip) const { return driven ? *driven : clip; }
  // True if a cut lies in [begin, end], seconds on the clip's time line.
  bool is_cut(double begin, double end) const;
};

// Finds cuts: a third of the surface jumps within a frame, by more than the rig's speed before and after explains.
// `character` and `surface` must be those of the clip. Same bits for any number of threads.
ClipMotion clip_motion(const Character& character, const SimulationSurface& surface, const Clip& clip);

// The clip with smooth curves instead of STEP channels. Dense keys, twelve a second or more, are connected as samples
// of a motion; a pose that is held for longer changes to the next one within a twelfth of a second after the key.
// Changes within `cuts` remain jumps. Empty where no channel has STEP keys.
std::optional<Clip> with_moving_steps(const Clip& clip, std::span<const Cut> cuts);

// A sentence for the user; empty without cuts. `clip`: how to call the clip in it.
std::string describe_cuts(const std::string& clip, std::span<const Cut> cuts);

}  // namespace sinew
