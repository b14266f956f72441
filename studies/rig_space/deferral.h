// Deferred Jacobians (Hahn 2013, section 4.3): the number that is needed for a given error of the linear rig, with and
// without look-ahead.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/base/progress.h"
#include "studies/rig_space/case.h"

namespace sinew {

struct DeferralOptions {
  int steps = 360;
  double step = 0.01;                                                 // seconds
  std::vector<double> linearity{1e-3, 1e-4, 2e-5, 1e-5, 1e-6, 1e-7};  // RigSpaceDynamics::linearity
};

struct DeferralRow {
  double linearity = 0;
  bool predictor = false;
  std::int64_t jacobians = 0, predicted_updates = 0, roll_backs = 0;
  double rig_evaluations = 0;  // per step
  SurfaceDistance distance;    // from the motion with one Jacobian per step
};

struct DeferralExperiment {
  std::string name;
  int steps = 0;
  double rig_evaluations = 0;  // per step, with one Jacobian each
  std::vector<DeferralRow> rows;
};

// The rig is a black box. Strain is measured from the mesh as drawn.
DeferralExperiment deferral_experiment(const RigSpaceCase& of, const DeferralOptions& options,
                                       const Progress& progress = {});

}  // namespace sinew
