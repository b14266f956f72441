// Table 1 of Hahn (2013): time per step of the reference method and of the fast one, with the interior in equilibrium
// (IV1), by volumetric skinning (IV2), or by that with a correction (IV3, not in the paper), with one Jacobian per step
// (JE1) or deferred ones (JE2). All take their steps in turns and are timed in the same way.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "studies/rig_space/case.h"

namespace sinew {

struct SpeedOptions {
  int steps = 360;
  double step = 0.01;           // seconds
  int reference_steps = 360;    // of the slow method; 0: none
  int equilibrium_steps = 360;  // of the rows with the interior in equilibrium; 0: none
  // A rig with the parameters and vertices of the scene's, used in its place: an animation package. It has no
  // derivatives of its own to compare with.
  Rig* outside = nullptr;
};

struct SpeedRow {
  std::string method;  // "reference", "IV1, JE1"
  int steps = 0;
  double seconds_per_step = 0;  // median over the steps
  double speed_up = 0;    // median step of the reference relative to this one's, over the steps that both took; 0: none
  double iterations = 0;  // Newton iterations per step, mean
  double rig_evaluations = 0;  // per step, mean, including those for probing
  std::int64_t jacobians = 0, roll_backs = 0;
  SurfaceDistance distance;  // from the reference, over the steps that both took; NaN: none
};

struct SpeedExperiment {
  std::string name;
  std::size_t parameters = 0, boundary = 0, interior = 0, tetrahedra = 0;
  double seconds_per_evaluation = 0;  // of the rig, median, as measured by the rows
  std::vector<SpeedRow> rows;         // the reference first, if it was run
};

// The rig is a black box to all rows but the last three, which use its derivatives; the others take finite differences,
// as in the paper. All rows measure strain from the mesh as drawn and have no damping except by the time step.
SpeedExperiment speed_experiment(const RigSpaceCase& of, const SpeedOptions& options, const Progress& progress = {});

}  // namespace sinew
