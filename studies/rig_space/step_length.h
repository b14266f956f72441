// Steps of fixed length compared with steps that adapt to the motion (future work in Hahn 2013, section 6): error over
// number of steps.
#pragma once

#include <vector>

#include "sinew/base/progress.h"
#include "studies/rig_space/case.h"

namespace sinew {

struct StepLengthOptions {
  double seconds = 2.4;    // length of the part of the clip that is used
  double longest = 0.02;   // the longest step, seconds, and the interval at which errors are measured
  int halvings = 4;        // of `longest`, for steps of fixed length
  int truth_halvings = 6;  // for the run that errors are measured from, with one Jacobian per step
  std::vector<double> tolerances{2e-3, 1e-3, 5e-4, 2.5e-4, 1.25e-4};  // AdaptiveSteps::tolerance
};

struct StepLengthRow {
  bool deferred = false;  // true: deferred Jacobians
  bool adaptive = false;
  double step = 0;           // of fixed steps, seconds
  double tolerance = 0;      // of adaptive steps
  int steps = 0;             // accepted ones
  SurfaceDistance distance;  // from the reference run
};

struct StepLengthExperiment {
  std::string name;
  double seconds = 0, truth_step = 0;
  std::vector<StepLengthRow> rows;
};

// Uses the scene's own dynamics (poses without stress, damping and limits), with deferred Jacobians and without.
StepLengthExperiment step_length_experiment(const RigSpaceCase& of, const StepLengthOptions& options,
                                            const Progress& progress = {});

}  // namespace sinew
