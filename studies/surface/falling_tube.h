// Shi et al. 2008, figure 3: the bone of a rubber tube accelerates downward; with and without spokes.
#pragma once

#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "studies/surface/tube.h"

namespace sinew {

struct FallingTubeOptions {
  double acceleration = 4;  // m/s^2, downward
  // Duration of the acceleration, and of the whole motion, at the end of which the bone stands still.
  double accelerates = 0.25, seconds = 1.5;
  double gamma = 0.4;  // of the spokes, if there are any
  VertexParameters material{.alpha = 0.02, .beta = 0.3, .gamma = 0, .lambda = 0.2, .delta = 0.02};
};

struct FallingTubeFrame {
  double time = 0;               // seconds
  double volume = 1;             // relative to rest
  double height = 1, width = 1;  // of the section in the middle, relative to the diameter at rest
  double below = 1, above = 1;   // distance of its lowest and highest vertex from the bone, relative to the radius
};

struct FallingTubeRun {
  std::string name;
  double gamma = 0;
  std::vector<FallingTubeFrame> frames;  // one per step
  std::vector<std::vector<Vec3>> shown;  // the surface at `shown_times`
};

struct FallingTube {
  SurfaceTube tube;
  std::vector<double> shown_times;   // seconds
  std::vector<Vec3> bone_offset;     // at `shown_times`, metres
  std::vector<FallingTubeRun> runs;  // without spokes, with spokes
};

FallingTube falling_tube_experiment(const FallingTubeOptions& options = {}, const Progress& progress = {});

}  // namespace sinew
