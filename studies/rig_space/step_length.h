// Steps of one length against steps as short as the motion asks for (what Hahn 2013, section 6, leaves for later):
// error over steps taken.
#pragma once

#include <vector>

#include "sinew/base/progress.h"
#include "studies/rig_space/case.h"

namespace sinew {

struct StepLengthOptions {
  double seconds = 2.4;    // of the clip
  double longest = 0.02;   // seconds: the longest step; errors are looked at as often
  int halvings = 4;        // of it, for steps of one length
  int truth_halvings = 6;  // for what errors are measured from, with a Jacobian per step
  std::vector<double> tolerances{2e-3, 1e-3, 5e-4, 2.5e-4, 1.25e-4};  // AdaptiveSteps::tolerance
};

struct StepLengthRow {
  bool deferred = false;  // Jacobians
  bool adaptive = false;
  double step = 0;           // seconds: of those of one length
  double tolerance = 0;      // of adaptive ones
  int steps = 0;             // that stayed
  SurfaceDistance distance;  // from the truth
};

struct StepLengthExperiment {
  std::string name;
  double seconds = 0, truth_step = 0;
  std::vector<StepLengthRow> rows;
};

// With the scene's own dynamics: poses without stress, damping and stops; with deferred Jacobians and without.
StepLengthExperiment step_length_experiment(const RigSpaceCase& of, const StepLengthOptions& options,
                                            const Progress& progress = {});

}  // namespace sinew
