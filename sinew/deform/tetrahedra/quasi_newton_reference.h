// Flesh of nonlinear elasticity: each step minimises the incremental potential of the tissue (tissue_forces.h) by
// quasi-Newton iterations, whose inverse Hessian is the factor of the linear step, corrected by L-BFGS (Liu, Bouaziz
// and Kavan 2017). An iteration costs one evaluation of forces and one substitution.
#pragma once

#include <memory>

#include "sinew/deform/flesh/body_motion.h"
#include "sinew/deform/tetrahedra/flesh_body.h"
#include "sinew/deform/tetrahedra/flesh_motion.h"
#include "sinew/deform/tetrahedra/tissue_forces.h"

namespace sinew {

struct QuasiNewton {
  NaturalShape shape = NaturalShape::goal;
  TissueLaw law;
  // An iteration is the last of its step if its correction is smaller than this share of the step's motion, both
  // measured as energies of the linear step. With 0.02 motion is within 1 to 5 %
  // of the converged one (sinew-study truth).
  double tolerance = 0.02;
  // Steps usually take 2 to 8, some dozens where flesh is flung, and some hundred where the frames of neighbouring
  // vertices differ widely. A step that takes more ends where it was nearest to a minimum.
  int most_iterations = 200;
  int history = 5;  // pairs of L-BFGS, at least 1
  // Precision of the forces. Floats resolve tolerances down to about 1e-3.
  TissuePrecision precision = TissuePrecision::floats;
};

std::unique_ptr<FleshReference> quasi_newton_reference(std::shared_ptr<const FleshBody> body, const QuasiNewton& how);

std::unique_ptr<BodyMotion> quasi_newton_flesh(std::shared_ptr<const FleshBody> body, const QuasiNewton& how);

}  // namespace sinew
