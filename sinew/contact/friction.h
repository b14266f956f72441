// Coulomb friction between a surface and obstacles: impulses along the contacts' tangent planes, at the end of a step,
// that slow sliding down and stop it where they can,
//
//   v_t = 0 and |j| <= mu p,   or   j = -mu p v_t / |v_t|,
//
// with v_t the velocity relative to the obstacle and p the impulse along the normal over the step. They have the least
// kinetic energy of sliding within these bounds. Found by accelerated projected gradients (Nesterov 1983, begun anew
// where they overshoot), with steps bounded by the row sums of the contacts' inverse masses.
#pragma once

#include <span>

#include "sinew/base/threads/scratch.h"
#include "sinew/contact/contact_set.h"
#include "sinew/contact/unknowns.h"
#include "sinew/linalg/krylov/krylov.h"
#include "sinew/linalg/sparse_rows.h"

namespace sinew {

struct RubbingContact {
  const Contact* contact = nullptr;
  double most = 0;         // mu p, newton seconds
  Vec3 obstacle_velocity;  // m/s, world
};

// Changes the velocities of the body's points. `inverse_mass` as in ContactForces::settle().
void rub(std::span<const RubbingContact> contacts, const SparseRows& surface, const LinearOperator& inverse_mass,
         const Unknowns& unknowns, std::span<Vec3> velocity);

}  // namespace sinew
