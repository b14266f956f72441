// Equation 5.10 of Capell (2004) and its symmetric form with one rotation per cell, compared in a lattice while a bar
// bends at its joint: the net effect of internal forces on the body, and whether a step's system is definite.
#pragma once

#include <vector>

#include "sinew/base/progress.h"
#include "studies/capell/posed_lattice.h"

namespace sinew {

struct TwoFormsRow {
  Linearized how;
  double degrees = 0;
  // Net elastic force and torque about the joint, in a shape slightly off the predicted one, nothing held; relative to
  // the sums of the sizes of the single forces and of their moments.
  double net_force = 0, net_torque = 0;
  // Least eigenvalue of the symmetric part with held bones, N/m: of a step's system, and of that without inertia.
  double system = 0, stiffness = 0;
};

std::vector<TwoFormsRow> two_forms_experiment(const std::vector<double>& degrees = {0, 45, 90, 135, 170},
                                              const Progress& progress = {});

}  // namespace sinew
