// Generalised-alpha time integration of a lattice's coefficients over one step (docs/lattice_flesh.md, A step;
// docs/time_stepping.md): velocity and acceleration that follow from the position p_{n+1} at the end of the step.
#pragma once

#include <cstddef>
#include <span>

#include "sinew/deform/lattice/lattice_pose.h"
#include "sinew/deform/lattice/lattice_state.h"
#include "sinew/deform/lattice/solver/active_functions.h"

namespace sinew {

// The step that is being computed.
struct LatticeMoment {
  const ActiveFunctions& active;
  const LatticePose& pose;    // at its end
  const LatticeState& state;  // at its beginning
};

// Predicts p_i = g_i + R_i u_i, world, metres: every function moved along with the rig. Driven functions are final
// there; fading functions follow their own decay.
void carry_along(const LatticeBody& body, const LatticeMoment& moment, std::span<Vec3> position);

// Carries unknowns along with frames that turn too fast to be seen, or did so in the last step (flesh/turning.h).
// `before`: the functions' frames a step ago.
void carry_by_turning(const LatticeBody& body, const ActiveFunctions& active, const VertexFrames& before,
                      const VertexFrames& now, LatticeState& state);

// Limits the reach of inertia: unknowns that inertia alone would carry farther than FleshDynamics::reach from their
// goal are placed at that distance, at rest relative to the moving rig. `acted_on`: constraints or colliders are in
// force and may lead flesh twice as far; inertia does not carry it beyond where they led it.
void keep_within_reach(const LatticeBody& body, const ActiveFunctions& active, const LatticePose& pose, bool acted_on,
                       LatticeState& state);

// Returns p_n + h v_n + h^2/2 a_n.
Vec3 free_flight(const LatticeBody& body, const LatticeState& state, std::size_t function);

// Returns (1 - alpha_m) a_{n+1} + alpha_m a_n of a function that ends the step at `position`; for functions that are
// not solved for, the acceleration of their prescribed path.
Vec3 inertial_acceleration(const LatticeBody& body, const LatticeMoment& moment, std::size_t function,
                           const Vec3& position);

// Returns R_i (3 u_{n+1} - 4 u_n + u_{n-1}) / 2h of an unknown that ends the step at `position`: the velocity relative
// to the rig, which damping acts on, m/s, world.
Vec3 relative_rate(const LatticeBody& body, const LatticeMoment& moment, std::size_t function, const Vec3& position);

// Advances the state of all active functions to the end of the step.
void finish_step(const LatticeBody& body, const ActiveFunctions& active, const LatticePose& pose,
                 std::span<const Vec3> position, LatticeState& state);

// Sets displacements and their history as if the body had been at `position` for long.
void rest_displacements(const LatticePose& pose, std::span<const Vec3> position, LatticeState& state);

// Sets the state at rest relative to the rig, at `position` and moving along with the rig to `next`. Call
// rest_displacements() first.
void start_at_rest(const LatticeBody& body, const LatticePose& next, std::span<const Vec3> position,
                   LatticeState& state);

// Carries the state across a cut of the rig: displacements and their history stay; forces, and velocities relative to
// the rig, turn with the frames. Functions that are not solved for go with the rig.
void carry_state(const LatticeBody& body, const ActiveFunctions& active, const CutFrames& cut, LatticeState& state);

}  // namespace sinew
