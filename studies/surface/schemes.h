// The paper's alternating scheme compared with gradient descent, on flesh that no surface model made: error per
// iteration.
#pragma once

#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/character/character.h"

namespace sinew {

struct SchemesOptions {
  std::string clip;    // of the character; empty: the first one
  double seconds = 2;  // length of the part of it that is used, at most
  int tetrahedra = 4000;
  int alternating_iterations = 200, gradient_iterations = 60;
};

struct SchemeRun {
  std::string name;
  std::vector<double> error;  // per iteration: root of the remaining squared error as a fraction of the goal's
  double best = 0;            // the least of `error`
  double seconds = 0;         // total time of the iterations
};

struct SchemesExperiment {
  std::string character, clip;
  std::size_t vertices = 0, frames = 0;
  double goal_rms = 0;  // distance of the goal from the flesh, metres
  std::vector<SchemeRun> runs;
};

// Bakes the clip with `flesh` and fits surface models to it from the paper's start, alpha = 1: alternating with mu =
// 1/T, 0.03 and 0.1, the gradient from the same start, and the gradient in its stages, the last one also with
// anisotropic restoration. Throws input_error for a character without clips or without the named one.
SchemesExperiment schemes_experiment(const Character& character, const std::string& name,
                                     const SchemesOptions& options = {}, const Progress& progress = {});

}  // namespace sinew
