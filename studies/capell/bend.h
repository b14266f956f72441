// Capell (2004), figure 5.2: a bar bent at its joint, in static equilibrium, by every linearisation.
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
  double least_section = 1;     // of all sections, area over area at rest
  double thickness = 1;         // at the joint, over the bar's width
  double rms = 0, largest = 0;  // distance from the nonlinear equilibrium, over the bar's width
  int inverted = 0;             // tetrahedra of bar.grid
};

struct LatticeBendRun {
  Linearized how;
  std::vector<LatticeBendPose> poses;
  double milliseconds = 0;  // a step of the motion, median
  double iterations = 0;    // a step, mean
  double unrest = 0;        // warped: how far the body still moves within 0.1 s, a second after its bones have stopped,
                            // over the bar's width
};

struct LatticeBendOptions {
  std::vector<double> degrees{90, 135};
  double seconds = 0.5;  // of the motion from rest to the last of them, for times
};

std::vector<LatticeBendRun> lattice_bend_experiment(const LatticeBar& bar, const LatticeBendOptions& options = {},
                                                    const Progress& progress = {});

}  // namespace sinew
