// Bakes of what plays. They call the same function as `sinew animate`, so that the bytes are the same.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "sinew/jobs/animate_file.h"
#include "studio/server/command.h"
#include "studio/server/cook/cook_worker.h"
#include "studio/server/project/project.h"

namespace sinew::studio {

// Everything that a bake needs, with the equivalent command line.
struct BakeRequest {
  AnimateJob job;
  std::shared_ptr<const OpenedCharacter> read;  // the character as its file has it
  std::string settings, take;  // contents of the files beside the output that the command names; empty: none
  std::filesystem::path settings_file, take_file;
  Paint paint;  // written into a copy of the character that the job reads
  std::shared_ptr<const SimulationSurface> surface;
  std::string command;

  // Files that the bake writes, the result first.
  std::vector<std::filesystem::path> files() const;
};

// `cooked`: what the project is cooked from; `character`: its file; all outputs go beside it. Throws usage_error for
// invalid file names.
BakeRequest bake_request(const command::Bake& bake, const Project& project, const CookRequest& cooked,
                         const LoadedCharacter& loaded, const std::filesystem::path& character);

// Writes the files. Returns false if it was stopped.
bool run_bake(const BakeRequest& request, const Progress& progress, RunReport& report);

}  // namespace sinew::studio
