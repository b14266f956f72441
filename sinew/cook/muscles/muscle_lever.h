// The joint that a muscle turns, and about which axis.
#pragma once

#include "sinew/character/simulation_surface.h"
#include "sinew/cook/muscles/muscle_file.h"

namespace sinew {

struct MuscleLever {
  int origin = -1, insertion = -1;  // indices into SimulationSurface::bones
  bool origin_is_lower = false;     // the bones turn about the joint of the lower one of the two
  Vec3 axis;                        // by which the muscle turns the insertion's bone, rest space; of no length: none

  bool turns() const { return norm(axis) > 0; }
  int lower() const { return origin_is_lower ? origin : insertion; }
  int upper() const { return origin_is_lower ? insertion : origin; }
};

// Throws input_error naming file, muscle and remedy where the skin does not follow a joint of its ends.
MuscleLever muscle_lever(const MuscleFile& file, const Muscle& muscle, const SimulationSurface& surface);

}  // namespace sinew
