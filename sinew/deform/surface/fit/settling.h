// Tests whether flesh comes to rest, and raises damping until it does.
//
// The paper's neighbour force has no reaction: a vertex is pushed by the shape of its neighbours without pushing them
// back, so that energy can grow where stiff neighbourhoods have little damping. No bound on single vertices rules that
// out; therefore the fitted model is tested by simulation.
#pragma once

#include <span>

#include "sinew/deform/surface/surface_motion.h"

namespace sinew {

// Raises every vertex's delta to at least 2 z sqrt(alpha + gamma), which gives its own oscillation the damping ratio z.
// Slow examples do not determine how soon oscillations decay, and the damping that fits them best may let flesh ring
// for seconds after a hop. z is the largest of a few values up to 0.3 that is consistent with the examples: their error
// (equation 13) grows by at most a hundredth of the goal's own and a twentieth of the model's, or by an invisible
// amount, 1e-4 of the height RMS. Returns z; 0 if none is consistent.
double damp_where_examples_are_silent(SurfaceModel& model, std::span<const SurfaceExample> examples);

// RMS speed of a resting body that was poked in many places, metres per second. Speed rather than distance, because
// strongly damped flesh is far from its goal for long without moving visibly.
struct Settling {
  double early = 0;  // over the second second after the pokes
  double late = 0;   // over the tenth second
};

// Measures settling with the run-time and the parameters as encoded in files.
Settling try_settling(const SurfaceModel& model);

// Raises delta everywhere to the least of a few values, 0 first, with which the flesh settles: to half of `early` or to
// 2e-5 of the height per second. Returns that value; 1, which follows the goal, if nothing less suffices.
double make_settle(SurfaceModel& model);

}  // namespace sinew
