// Capell (2004), figure 5.2: a bar bent at its joint, in static equilibrium, with every linearisation.
#pragma once

#include <vector>

#include "sinew/base/progress.h"
#include "studies/capell/lattice_bar.h"
#include "studies/common/measures.h"

namespace sinew {

struct LatticeBendPose {
  double degrees = 0;
  std::vector<Vec3> positions;  // of all vertices of bar.grid
  double volume_ratio = 1;
  double least_section = 1;     // smallest of all sections, area relative to rest
  double thickness = 1;         // at the joint, relative to the bar's width
  double rms = 0, largest = 0;  // distance from the nonlinear equilibrium, relative to the bar's width
  int inverted = 0;             // inverted tetrahedra of bar.grid
};

struct LatticeBendRun {
  Linearized how;
  std::vector<LatticeBendPose> poses;
  double milliseconds = 0;  // per step of the motion, median
  double iterations = 0;    // per step, mean
  double unrest = 0;  // warped: motion within 0.1 s, one second after the bones stopped, relative to the bar's width
};

struct LatticeBendOptions {
  std::vector<double> degrees{90, 135};
  double seconds = 0.5;  // length of the motion from rest to the last pose, for timing
};

std::vector<LatticeBendRun> lattice_bend_experiment(const LatticeBar& bar, const LatticeBendOptions& options = {},
                                                    const Progress& progress = {});

}  // namespace sinew
