// Shi et al. 2008, figure 6c: soft flesh that is dragged at one vertex deforms there, and only there.
#pragma once

#include <string>
#include <vector>

#include "studies/surface/tube.h"

namespace sinew {

struct LocalDragOptions {
  double pull = 1;                          // how far outwards the vertex is held, over the tube's radius
  std::vector<int> steps{1, 2, 5, 15, 60};  // after which it is looked at
  double bin = 0.5;                         // of distances, over the radius
  int bins = 7;
};

struct LocalDragRun {
  std::string material;
  VertexParameters parameters;
  // [step][bin]: largest displacement of vertices that were that far from the held one at rest, over the pull.
  std::vector<std::vector<double>> displacement;
};

std::vector<LocalDragRun> local_drag_experiment(const LocalDragOptions& options = {});

}  // namespace sinew
