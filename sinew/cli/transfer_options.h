// sinew shape transfer SOURCE RIGS --to TARGET -o OUTPUT: a character's force rigs for another character.
#pragma once

#include <filesystem>

#include "sinew/cli/options.h"
#include "sinew/jobs/open_character.h"
#include "sinew/jobs/transfer_shapes.h"

namespace sinew::cli {

struct TransferOptions {
  TransferShapesJob job;

  void add_to(OptionSet& options);
  // Carries the rigs and prints what came of it.
  void run(const std::filesystem::path& source, const SizeRequest& size, const FleshSettings& flesh, bool quiet);
};

}  // namespace sinew::cli
