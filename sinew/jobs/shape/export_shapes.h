// A character with its force rigs' static effect as corrective shapes, which play without physics
// (docs/shape_control.md).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/cook/flesh/flesh_settings.h"
#include "sinew/jobs/open_character.h"

namespace sinew {

struct ExportShapesJob {
  std::filesystem::path input, rigs;  // the character and its rigs
  SizeRequest size;
  FleshSettings flesh;
  std::filesystem::path output;  // .glb, .gltf or .vrm
  std::filesystem::path report;  // .json; empty: none
  int frames_per_clip = 12;      // at which the error is measured
};

struct ExportedShapes {
  std::string size;                // how the character's size was decided, a sentence
  std::vector<std::string> lines;  // of targets and errors, for people
};

// Throws usage_error and input_error with a sentence.
ExportedShapes export_shapes(const ExportShapesJob& job, const Progress& progress = {});

}  // namespace sinew
