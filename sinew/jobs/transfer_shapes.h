// A character's force rigs carried to another character (docs/shape_control.md).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/cook/flesh/flesh_settings.h"
#include "sinew/jobs/open_character.h"

namespace sinew {

// A request of `sinew shape transfer`.
struct TransferShapesJob {
  std::filesystem::path source;    // the character that the rigs are for
  std::filesystem::path rigs;      // their file
  std::filesystem::path target;    // the other character
  std::filesystem::path output;    // file of rigs for it
  std::filesystem::path features;  // pairs of points (feature_points.h); empty: none
  std::filesystem::path preview;   // .png; empty: no picture
  SizeRequest source_size, target_size;
  FleshSettings flesh;  // of both
  int cells = 500;      // of the lattice that is fitted
};

// The result, for people and tests.
struct TransferredShapes {
  std::vector<std::string> lines;     // the fit by stages and the rigs, for people
  std::vector<std::string> warnings;  // sentences
  int inverted_cells = 0;
  double surface_error = 0;  // root mean square after the last stage, relative to the target's height
};

// Writes the file of rigs of kind `field`. Throws usage_error and input_error with a sentence.
TransferredShapes transfer_shapes(const TransferShapesJob& job, const Progress& progress = {});

}  // namespace sinew
