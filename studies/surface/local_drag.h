// Shi et al. 2008, figure 6c: soft flesh that is dragged at one vertex deforms only near it.
#pragma once

#include <string>
#include <vector>

#include "studies/surface/tube.h"

namespace sinew {

struct LocalDragOptions {
  double pull = 1;  // distance by which the vertex is pulled outwards, relative to the tube's radius
  std::vector<int> steps{1, 2, 5, 15, 60};  // numbers of steps after which it is measured
  double bin = 0.5;                         // width of the distance bins, relative to the radius
  int bins = 7;
};

struct LocalDragRun {
  std::string material;
  VertexParameters parameters;
  // [step][bin]: largest displacement of vertices at that rest distance from the held one, relative to the pull.
  std::vector<std::vector<double>> displacement;
};

std::vector<LocalDragRun> local_drag_experiment(const LocalDragOptions& options = {});

}  // namespace sinew
