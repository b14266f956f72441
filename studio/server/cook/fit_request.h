// Learns a model of the flesh that plays, for games and the method surface, as `sinew fit --simulate` does.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "sinew/jobs/fit_file.h"
#include "studio/server/command.h"
#include "studio/server/cook/cook_worker.h"
#include "studio/server/project/project.h"

namespace sinew::studio {

// Everything that a fit needs, with the equivalent command line.
struct FitRequest {
  FitJob job;
  std::shared_ptr<const OpenedCharacter> opened;
  std::string settings;  // content of the file beside the output that the command names
  std::filesystem::path settings_file;
  Paint paint;  // written into a copy of the character that the job reads
  std::shared_ptr<const SimulationSurface> surface;
  std::string command;

  // Files that the fit writes, the model first.
  std::vector<std::filesystem::path> files() const;
};

// `character` is its file; all outputs go beside it. Throws usage_error for invalid names, clips that the character
// lacks, and projects whose flesh cannot be learned from.
FitRequest fit_request(const command::Fit& fit, const Project& project, const FleshSettings& flesh,
                       const std::shared_ptr<const OpenedCharacter>& opened, const std::filesystem::path& character);

// Writes the model. Returns false if it was stopped.
bool run_fit(const FitRequest& request, const Progress& progress, FitReport& report);

}  // namespace sinew::studio
