// A character's force rigs carried to another character (docs/shape_control.md).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/files/png.h"
#include "sinew/jobs/shape/transfer_fit.h"
#include "sinew/shape/shape_rig.h"

namespace sinew {

// A request of `sinew shape transfer`.
struct TransferShapesJob : TransferFitJob {
  std::filesystem::path rigs;            // file of the source's rigs
  std::filesystem::path output;          // file of rigs for the target
  std::filesystem::path control_points;  // moves of control points (feature_points.h); empty: none
  std::filesystem::path preview;         // .png; empty: no picture
  std::filesystem::path lattice;         // .obj of the fitted lattice; empty: none

  // For callers that have them in memory: the rigs, in place of their file; moves beside those of the file; and whether
  // a picture is made. An empty `output` is not written.
  std::optional<ShapeFile> given{};
  std::vector<PointPair> moves{};
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
// Does so with characters and a lattice that were fitted before; the job's rigs are `given`, and its files of points
// not read.
TransferredShapes transfer_shapes(FittedTransfer& fitted, const TransferShapesJob& job, const Progress& progress = {});

}  // namespace sinew
