// Figure 5 of Hahn (2013): the elastic energy of linear maps to the interior of a body, over the frames of a motion.
#pragma once

#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "studies/rig_space/case.h"

namespace sinew {

struct InteriorOptions {
  int frames = 64;
  double step = 0.01;  // seconds
  int steps_per_frame = 3;
  int few_poses = 8;  // number of examples for the rows with few of them; at least 4
};

struct InteriorMap {
  std::string name;                          // "non-negative, 500 nearest"
  bool paper = false;                        // true if it is in figure 5
  int poses = 0;                             // number of examples that it was learned from
  double correspondences = 0;                // remaining ones per interior vertex, mean
  double seconds_per_vertex = 0;             // NaN where it was not measured
  std::vector<double> energy;                // per frame, joules
  double mean_ratio = 0, largest_ratio = 0;  // of the energy relative to the equilibrium's
};

struct InteriorExperiment {
  std::string name;
  std::size_t boundary = 0, interior = 0;
  int poses = 0;  // total number of examples
  double examples_seconds = 0;
  std::vector<double> seconds;      // per frame
  std::vector<double> equilibrium;  // per frame, joules: from the static solution
  std::vector<InteriorMap> maps;
};

// The method itself moves the body, which has its map and its correction, over the clip. Energies are of the whole
// body, with strain measured from the mesh as drawn; in equilibrium the interior has the least. The last map is the
// body's own, corrected as the method had it. No frame is among the examples, which have the free parameters at rest,
// exercised or shaken. Throws what the method throws, and Stopped where `progress` asks for it.
InteriorExperiment interior_experiment(const RigSpaceCase& of, const InteriorOptions& options,
                                       const Progress& progress = {});

}  // namespace sinew
