// Whether flesh comes to rest, and seeing to it that it does.
//
// The paper's neighbour force has no counter-force: a vertex is pushed by its neighbours' shape and does not push back,
// so that energy can grow where stiff neighbourhoods meet little damping. No bound on single vertices rules that out;
// what is fitted is tried out instead.
#pragma once

#include <span>

#include "sinew/deform/surface/surface_motion.h"

namespace sinew {

// Examples that move slowly do not say how soon flesh stops swinging: damping that fits them best may let it ring for
// seconds after a hop. Raises every vertex's delta to at least 2 z sqrt(alpha + gamma), with which its own swing has
// the damping ratio z. z is the largest of a few, up to 0.3, that the examples do not gainsay: it adds to their error
// (equation 13) no more than a hundredth of the rig's own and a twentieth of what the model leaves, or than nobody
// sees, 1e-4 of the height RMS. Returns z; 0 where they gainsay all.
double damp_where_examples_are_silent(SurfaceModel& model, std::span<const SurfaceExample> examples);

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
