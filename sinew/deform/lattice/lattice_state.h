// The dynamic state of flesh in a lattice between two steps, per basis function.
#pragma once

#include <vector>

#include "sinew/contact/held_points.h"
#include "sinew/deform/flesh/body_motion.h"
#include "sinew/deform/lattice/solver/active_functions.h"
#include "sinew/linalg/small.h"

namespace sinew {

struct LatticeState {
  // World space.
  std::vector<Vec3> position;           // p_n: coefficients, metres
  std::vector<Vec3> previous_position;  // p_{n-1}
  std::vector<Vec3> velocity;           // metres per second
  // a_n, m/s^2. For functions that are not solved for: the acceleration of their path one step ago, (p_n - 2 p_{n-1} +
  // p_{n-2}) / h^2.
  std::vector<Vec3> acceleration;
  // y_n with M y_n = f_n, where f_n are all forces on the unknowns at the end of the step, m/s^2. For functions that
  // are not solved for: the acceleration of their path there.
  std::vector<Vec3> impetus;
  // R_i^T (p_i - g_i) in the function's own frame, metres.
  std::vector<Vec3> displacement, previous_displacement;
  std::vector<Activity> activity;
  std::vector<double> carried;  // share in which the last step carried it along (flesh/turning.h)
  std::vector<char> stopped;    // true if the current step stops it at its reach; not part of a snapshot
  int steps = 0;                // number of steps since the start
  std::vector<HeldMemory> held;
};

LatticeState lattice_state(std::size_t functions);

void save_state(const LatticeState& state, Snapshot& snapshot);
// Throws input_error if the snapshot holds another body's state.
void load_state(const Snapshot& snapshot, LatticeState& state);

}  // namespace sinew
