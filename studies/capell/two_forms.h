// Equation 5.10 of Capell (2004) against its symmetric form with one rotation per cell, in a lattice: what internal
// forces do to the body as a whole, and whether a step's system is definite, while a bar bends at its joint.
#pragma once

#include <vector>

#include "sinew/base/progress.h"
#include "studies/capell/posed_lattice.h"

namespace sinew {

struct TwoFormsRow {
  Linearized how;
  double degrees = 0;
  // Of the elastic forces in a shape a little off the predicted one, nothing held: over the sum of the single forces'
  // sizes, and of their moments' about the joint.
  double net_force = 0, net_torque = 0;
  // Least eigenvalue of the symmetric part, bones held, N/m: of a step's system, and of that without inertia.
  double system = 0, stiffness = 0;
};

std::vector<TwoFormsRow> two_forms_experiment(const std::vector<double>& degrees = {0, 45, 90, 135, 170},
                                              const Progress& progress = {});

}  // namespace sinew
