// A character's force rigs carried to another character (docs/shape_control.md).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/cook/flesh/flesh_settings.h"
#include "sinew/files/png.h"
#include "sinew/jobs/open_character.h"
#include "sinew/mesh/similarity_fit.h"
#include "sinew/shape/shape_rig.h"

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

  // For callers that have them in memory: the rigs, in place of their file; pairs of points beside those of the file;
  // and whether a picture is made. An empty `output` is not written.
  std::optional<ShapeFile> given{};
  std::vector<PointPair> pairs{};
  bool pictured = false;
};

// The result, for people and tests.
struct TransferredShapes {
  std::vector<std::string> lines;     // the fit by stages and the rigs, for people
  std::vector<std::string> warnings;  // sentences
  int inverted_cells = 0;
  ShapeFile rigs;            // for the target
  Image picture;             // where `pictured` or `preview` asks for it
  double surface_error = 0;  // root mean square after the last stage, relative to the target's height
};

// Makes rigs of kind `field`, and writes their file. Throws usage_error and input_error with a sentence.
TransferredShapes transfer_shapes(const TransferShapesJob& job, const Progress& progress = {});

}  // namespace sinew
