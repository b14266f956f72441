// Learns a model of the flesh that plays, for games and the method surface, as `sinew fit --simulate` does.
#pragma once

#include <string>

#include "sinew/jobs/fit_file.h"
#include "studio/server/command.h"
#include "studio/server/cook/job_inputs.h"

namespace sinew::studio {

// Everything that a fit needs, with the equivalent command line.
struct FitRequest {
  FitJob job;
  JobInputs inputs;
  JobFiles files;        // of the model
  std::string settings;  // content of the settings file
  std::string command;
};

// Throws usage_error for invalid names, clips that the character lacks, and flesh that cannot be learned from.
FitRequest fit_request(const command::Fit& fit, JobInputs inputs, const FleshSettings& flesh);

// Writes the model. Returns false if it was stopped.
bool run_fit(const FitRequest& request, const Progress& progress, FitReport& report);

}  // namespace sinew::studio
