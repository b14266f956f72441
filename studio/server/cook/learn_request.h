// Learns how the inside of the body follows the rig's controls, for the method rigspace, as `sinew learn` does.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "sinew/jobs/learn_file.h"
#include "studio/server/command.h"
#include "studio/server/cook/cook_worker.h"
#include "studio/server/web/page_json.h"

namespace sinew::studio {

// Everything that learning needs, with the equivalent command line.
struct LearnRequest {
  LearnJob job;
  std::shared_ptr<const OpenedCharacter> opened;
  std::string settings;  // content of the file beside the output that the command names
  std::filesystem::path settings_file;
  Paint paint;  // written into a copy of the character that the job reads
  std::shared_ptr<const SimulationSurface> surface;
  std::string command;

  // Files that learning writes, the map first.
  std::vector<std::filesystem::path> files() const;
};

// `character` is its file; all outputs go beside it. A map that the settings name is left out. Throws usage_error for
// invalid names, and for settings that free no control.
LearnRequest learn_request(const command::Learn& learn, const Paint& paint, RigSpaceSettings settings,
                           const std::shared_ptr<const OpenedCharacter>& opened,
                           const std::filesystem::path& character);

// Writes the map. Returns false if it was stopped.
bool run_learn(const LearnRequest& request, const Progress& progress, LearnReport& report);

// The report for pages: counts, and `off_percent`, the map's error as a percentage of the height.
PageJson learn_report_json(const LearnReport& report);

}  // namespace sinew::studio
