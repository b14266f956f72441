// Estimates the material of a character's flesh from how it was seen to move, file to file: the job of
// `sinew fit --material`.
#pragma once

#include <string>

#include "sinew/base/progress.h"
#include "sinew/cook/flesh/estimate_material.h"
#include "sinew/cook/flesh/flesh_settings.h"
#include "sinew/jobs/fit_file.h"

namespace sinew {

// The outcome of an estimate.
struct MaterialFit {
  MaterialEstimate estimate;
  FleshSettings settings;  // of the job, with the values that the examples determine
  double height = 0;       // metres
  std::size_t points = 0;  // number of vertices and markers of all examples
  std::vector<std::string> notes;
  std::vector<StageReport> stages;
  bool complete = true;  // false if stopped; nothing was written
};

// Uses the job's input, examples (files, markers among them), settings, frames per second of PC2 files and size, and
// writes the settings to its output (.json) and a report. Throws usage_error for impossible requests, input_error for
// unusable files and for examples that determine no value.
MaterialFit fit_material(const FitJob& job, const Progress& progress = {});

}  // namespace sinew
