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
};

// Carries the rigs and prints what came of it. Throws usage_error if a file is not named.
void run_transfer(const TransferShapesJob& job, bool quiet);

}  // namespace sinew::cli
