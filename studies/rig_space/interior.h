// Figure 5 of Hahn (2013): what linear maps to the inside of a body cost in elastic energy, over the frames of a
// motion.
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
  int few_poses = 8;  // of the examples, for the rows of few; at least 4
};

struct InteriorMap {
  std::string name;                          // "non-negative, 500 nearest"
  bool paper = false;                        // whether figure 5 has it
  int poses = 0;                             // learned from
  double correspondences = 0;                // left per interior vertex, mean
  double seconds_per_vertex = 0;             // NaN where it was not measured here
  std::vector<double> energy;                // per frame, joules
  double mean_ratio = 0, largest_ratio = 0;  // of the energy over that of the equilibrium
};

struct InteriorExperiment {
  std::string name;
  std::size_t boundary = 0, interior = 0;
  int poses = 0;  // examples in all
  double examples_seconds = 0;
  std::vector<double> seconds;      // per frame
  std::vector<double> equilibrium;  // per frame, joules: the static solve
  std::vector<InteriorMap> maps;
};

// The body, which has its map and its correction, is moved by the method itself over the clip. Energies are of the
// whole body, strained from the mesh as drawn; its inside is in equilibrium where they are least. The last map is the
// body's own, corrected, as the method had it. No frame is among the examples: those have the free parameters at rest,
// exercised or shaken, never as the motion has them. Throws what the method throws, and Stopped where `progress` asks
// for it.
InteriorExperiment interior_experiment(const RigSpaceCase& of, const InteriorOptions& options,
                                       const Progress& progress = {});

}  // namespace sinew
