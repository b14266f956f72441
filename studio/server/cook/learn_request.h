// Learns how the inside of the body follows the rig's controls, for the method rigspace, as `sinew learn` does.
#pragma once

#include <string>

#include "sinew/jobs/learn_file.h"
#include "studio/server/command.h"
#include "studio/server/cook/job_inputs.h"
#include "studio/server/web/page_json.h"

namespace sinew::studio {

// Everything that learning needs, with the equivalent command line.
struct LearnRequest {
  LearnJob job;
  JobInputs inputs;
  JobFiles files;        // of the map
  std::string settings;  // content of the settings file
  std::string command;
};

// A map that the settings name is left out. Throws usage_error for invalid names, and for settings that free no
// control.
LearnRequest learn_request(const command::Learn& learn, JobInputs inputs, RigSpaceSettings settings);

// Writes the map. Returns false if it was stopped.
bool run_learn(const LearnRequest& request, const Progress& progress, LearnReport& report);

// The report for pages: counts, and `off_percent`, the map's error as a percentage of the height.
PageJson learn_report_json(const LearnReport& report);

}  // namespace sinew::studio
