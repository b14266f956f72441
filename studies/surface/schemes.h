// The paper's alternating scheme against the gradient, on flesh that no surface model made: error over iterations.
#pragma once

#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/character/character.h"

namespace sinew {

struct SchemesOptions {
  std::string clip;    // of the character; empty: the first
  double seconds = 2;  // of it, at most
  int tetrahedra = 4000;
  int alternating_iterations = 200, gradient_iterations = 60;
};

struct SchemeRun {
  std::string name;
  std::vector<double> error;  // per iteration: root of what is left of the goal's squared error, as a share of it
  double best = 0;            // the least of them
  double seconds = 0;         // of all iterations
};

struct SchemesExperiment {
  std::string character, clip;
  std::size_t vertices = 0, frames = 0;
  double goal_rms = 0;  // metres: how far the goal is from the flesh
  std::vector<SchemeRun> runs;
};

// Bakes the clip with `flesh` and fits surface models to it from the paper's start, alpha = 1: alternating with mu =
// 1/T, 0.03 and 0.1, the gradient from the same start, and the gradient in its stages, the last also with restoration
// by direction. Throws input_error for a character without clips, or without this one.
SchemesExperiment schemes_experiment(const Character& character, const std::string& name,
                                     const SchemesOptions& options = {}, const Progress& progress = {});

}  // namespace sinew
