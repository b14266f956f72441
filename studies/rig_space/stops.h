// Soft limits at the ends of the parameters' ranges (proposed in Hahn 2013, section 6: soft around rest, without
// excessive deformations).
#pragma once

#include <vector>

#include "sinew/base/progress.h"
#include "studies/rig_space/case.h"

namespace sinew {

struct StopsOptions {
  int steps = 240;
  double step = 0.01;                        // seconds
  std::vector<double> ranges{1, 0.5, 0.25};  // factors of the rig's own ranges
  std::vector<double> limits{0, 5, 20, 80};  // RigSpaceDynamics::limit_stiffness
};

struct StopsRow {
  double range = 0, limit = 0;
  double largest = 0;  // largest excursion of any parameter, relative to its range
  double beyond = 0;   // fraction of all values, over parameters and steps, that lie beyond their range
  double inside = 0;  // root mean square difference to the motion without limits, relative to the range, of values that
                      // stay within 0.75 of their range in that motion
};

struct StopsExperiment {
  std::string name;
  int steps = 0;
  std::vector<StopsRow> rows;
};

// Uses the scene's own dynamics.
StopsExperiment stops_experiment(const RigSpaceCase& of, const StopsOptions& options, const Progress& progress = {});

}  // namespace sinew
