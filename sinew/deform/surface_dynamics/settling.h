// Whether flesh comes to rest, and seeing to it that it does.
//
// The paper's neighbour force has no counter-force: a vertex is pushed by its neighbours' shape and does not push back, so
// that energy can grow where stiff neighbourhoods meet little damping. No bound on single vertices rules that out; what is
// fitted is tried out instead.
#pragma once

#include "sinew/deform/surface_dynamics/surface_model.h"

namespace sinew {

// A body at rest that was poked in many places: RMS speed, metres per second. Speeds, because flesh that creeps back to
// its goal against much damping is far from it for long, but does not move.
struct Settling {
  double early = 0;  // over the second second
  double late = 0;   // over the tenth
};

// By the run-time, with the parameters as files have them.
Settling try_settling(const SurfaceModel& model);

// The least of a few delta, 0 first, that must be everywhere at least for the flesh to settle: to half of `early` or to
// 2e-5 of the height per second. Raised in the model. 1, which follows the goal, where nothing less does.
double make_settle(SurfaceModel& model);

}  // namespace sinew
