// The moving state of flesh in a lattice between two steps, per function of the basis.
#pragma once

#include <vector>

#include "sinew/contact/held_points.h"
#include "sinew/deform/flesh/body_motion.h"
#include "sinew/deform/lattice/solver/active_functions.h"
#include "sinew/linalg/small.h"

namespace sinew {

struct LatticeState {
  // World.
  std::vector<Vec3> position;           // p_n: coefficients, metres
  std::vector<Vec3> previous_position;  // p_{n-1}
  std::vector<Vec3> velocity;           // metres per second
  // a_n, m/s^2; of what is not solved for, that of its path one step ago, (p_n - 2 p_{n-1} + p_{n-2}) / h^2.
  std::vector<Vec3> acceleration;
  // y_n with M y_n = f_n, all forces on the unknowns at the end of the step, m/s^2; of what is not solved for, the
  // acceleration of its path there.
  std::vector<Vec3> impetus;
  // In the function's own frame: R_i^T (p_i - g_i), metres.
  std::vector<Vec3> displacement, previous_displacement;
  std::vector<Activity> activity;
  std::vector<char> stopped;  // whether the step in the making stops it at its reach; no part of a snapshot
  int steps = 0;              // done since the start
  std::vector<HeldMemory> held;
};

LatticeState lattice_state(std::size_t functions);

void save_state(const LatticeState& state, Snapshot& snapshot);
// Throws input_error where the snapshot holds another body's state.
void load_state(const Snapshot& snapshot, LatticeState& state);

}  // namespace sinew
