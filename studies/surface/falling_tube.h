// Shi et al. 2008, figure 3: the bone of a rubber tube accelerates downward; with and without spokes.
#pragma once

#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "studies/surface/tube.h"

namespace sinew {

struct FallingTubeOptions {
  double acceleration = 4;                   // m/s^2, downward
  double accelerates = 0.25, seconds = 1.5;  // how long it does; all of the motion, the bone standing still at last
  double gamma = 0.4;                        // of the spokes, where there are some
  VertexParameters material{.alpha = 0.02, .beta = 0.3, .gamma = 0, .lambda = 0.2, .delta = 0.02};
};

struct FallingTubeFrame {
  double time = 0;               // seconds
  double volume = 1;             // over that at rest
  double height = 1, width = 1;  // of the section in the middle, over the diameter at rest
  double below = 1, above = 1;   // distance of its lowest and highest vertex from the bone, over the radius
};

struct FallingTubeRun {
  std::string name;
  double gamma = 0;
  std::vector<FallingTubeFrame> frames;  // one a step
  std::vector<std::vector<Vec3>> shown;  // the surface at the times of `shown_times`
};

struct FallingTube {
  SurfaceTube tube;
  std::vector<double> shown_times;   // seconds
  std::vector<Vec3> bone_offset;     // at those times, metres
  std::vector<FallingTubeRun> runs;  // without spokes, with spokes
};

FallingTube falling_tube_experiment(const FallingTubeOptions& options = {}, const Progress& progress = {});

}  // namespace sinew
