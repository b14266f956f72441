// What animate_file does in one way for every method, and each method in its own.
#pragma once

#include <functional>

#include "sinew/bake/bake_options.h"
#include "sinew/bake/run_report.h"
#include "sinew/base/progress.h"
#include "sinew/character/character.h"
#include "sinew/io/animate_file.h"

namespace sinew {

// A character made ready to run.
struct PreparedMethod {
  RunReport report;  // sizes, settings in force, stages and notes of the preparation; no files, clips or results yet
  std::function<BakeResult(const BakeOptions& options, const Progress& progress)> bake;
};

// `character` must outlive the result. Throws what prepare_flesh, prepare_mixed and prepare_surface throw.
PreparedMethod prepare_method(const AnimateJob& job, Character& character, const Progress& progress);

}  // namespace sinew
