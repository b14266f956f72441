// Whether a surface model's parameters come back from examples that it made itself.
#pragma once

#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "studies/surface/tube.h"

namespace sinew {

struct RecoveryOptions {
  int rings = 13, columns = 10;
  std::size_t frames = 120;  // of each of two examples
  double tolerance = 1e-3;   // of a parameter that has come back
  double moves = 1e-3;       // root mean square of a vertex's offset over the tube's length, from which it counts
};

struct RecoveryRow {
  std::string scheme, reference;
  bool directions = false;    // the example's restoration differs between directions
  double share = 0;           // of the vertices that move: all of whose parameters have come back
  std::vector<double> worst;  // per parameter, alpha to delta, over 95 % of those vertices
  double error = 0;           // what is left of the goal's error, as a share of it
  double seconds = 0;
  int iterations = 0;
};

std::vector<RecoveryRow> recovery_experiment(const RecoveryOptions& options = {}, const Progress& progress = {});

}  // namespace sinew
