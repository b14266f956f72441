// Recovery of a surface model's parameters from examples that the model itself made.
#pragma once

#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "studies/surface/tube.h"

namespace sinew {

struct RecoveryOptions {
  int rings = 13, columns = 10;
  std::size_t frames = 120;  // in each of two examples
  double tolerance = 1e-3;   // of a parameter that counts as recovered
  double moves = 1e-3;  // least root mean square offset of a vertex, relative to the tube's length, for it to count
};

struct RecoveryRow {
  std::string scheme, reference;
  bool directions = false;    // true if the restoration of the example is anisotropic
  double share = 0;           // fraction of the moving vertices whose parameters were all recovered
  std::vector<double> worst;  // per parameter, alpha to delta, over 95 % of those vertices
  double error = 0;           // remaining error, as a fraction of the goal's
  double seconds = 0;
  int iterations = 0;
};

std::vector<RecoveryRow> recovery_experiment(const RecoveryOptions& options = {}, const Progress& progress = {});

}  // namespace sinew
