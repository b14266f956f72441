// Stiffness per control (future work in Hahn 2013, section 6): an artist softens one control and leaves the others.
#pragma once

#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "studies/rig_space/case.h"

namespace sinew {

struct StiffnessRun {
  double factor = 1;  // of Young's modulus around the controls that are changed
  RigSpaceCase of;    // with that factor in its settings
};

struct StiffnessRow {
  double factor = 1;
  double changed = 0, others = 0;  // root mean square displacement of the controls over time, metres
};

struct StiffnessExperiment {
  std::string name, controls;
  int steps = 0;
  std::vector<StiffnessRow> rows;
};

// `controls`: name pattern of the controls whose stiffness the runs change. Uses each scene's own dynamics.
StiffnessExperiment stiffness_experiment(const std::vector<StiffnessRun>& runs, const std::string& controls, int steps,
                                         double step, const Progress& progress = {});

}  // namespace sinew
