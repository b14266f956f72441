// Generalised-alpha for the coefficients of a lattice's functions over one step (docs/lattice_flesh.md, A step;
// docs/time_stepping.md): how a function moves where it ends the step at p_{n+1}.
#pragma once

#include <cstddef>
#include <span>

#include "sinew/deform/lattice/lattice_pose.h"
#include "sinew/deform/lattice/lattice_state.h"
#include "sinew/deform/lattice/solver/active_functions.h"

namespace sinew {

// The step that is in the making.
struct LatticeMoment {
  const ActiveFunctions& active;
  const LatticePose& pose;    // at its end
  const LatticeState& state;  // at its beginning
};

// p_i = g_i + R_i u_i: where functions would be if they had moved with the rig. What is driven is there; what fades
// does so on its own. World, metres.
void carry_along(const LatticeBody& body, const LatticeMoment& moment, std::span<Vec3> position);

// Stops unknowns that inertia alone would carry out of reach (FleshDynamics::reach) of where the rig has them: on the
// border of that, at rest relative to the moving rig. `acted_on`: hands and obstacles may lead flesh twice as
// far; what they have led farther, inertia carries no farther than it is.
void keep_within_reach(const LatticeBody& body, const ActiveFunctions& active, const LatticePose& pose, bool acted_on,
                       LatticeState& state);

// p_n + h v_n + h^2/2 a_n.
Vec3 free_flight(const LatticeBody& body, const LatticeState& state, std::size_t function);

// (1 - alpha_m) a_{n+1} + alpha_m a_n of a function that ends at `position`; of what is not solved for, the
// acceleration of its path.
Vec3 inertial_acceleration(const LatticeBody& body, const LatticeMoment& moment, std::size_t function,
                           const Vec3& position);

// R_i (3 u_{n+1} - 4 u_n + u_{n-1}) / 2h of an unknown that ends at `position`: the rate that damping acts on, world,
// m/s.
Vec3 relative_rate(const LatticeBody& body, const LatticeMoment& moment, std::size_t function, const Vec3& position);

// The state at the end of the step, of functions that take part.
void finish_step(const LatticeBody& body, const ActiveFunctions& active, const LatticePose& pose,
                 std::span<const Vec3> position, LatticeState& state);

// Displacements of a body that has been at `position` for long.
void rest_displacements(const LatticePose& pose, std::span<const Vec3> position, LatticeState& state);

// At rest relative to the rig, at `position` and moving along with it to `next`, with rest_displacements() taken.
void start_at_rest(const LatticeBody& body, const LatticePose& next, std::span<const Vec3> position,
                   LatticeState& state);

// Across a cut of the rig: displacements and their history stay, forces turn with the frames, velocities relative to
// the rig do. What is not solved for goes with the rig.
void carry_state(const LatticeBody& body, const ActiveFunctions& active, const CutFrames& cut, LatticeState& state);

}  // namespace sinew
