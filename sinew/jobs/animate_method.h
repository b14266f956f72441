// What animate_file does in one way for every method, and each method in its own.
#pragma once

#include <functional>

#include "sinew/bake/bake_options.h"
#include "sinew/cook/run_report.h"
#include "sinew/base/progress.h"
#include "sinew/character/character.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/jobs/animate_file.h"
#include "sinew/gltf/document.h"
#include "sinew/gltf/write_curves.h"

namespace sinew {

// A character made ready to run.
struct PreparedMethod {
  RunReport report;  // sizes, settings in force, stages and notes of the preparation; no files, clips or results yet
  std::function<BakeResult(const BakeOptions& options, const Progress& progress)> bake;
  std::vector<std::string> parameters;  // names of what a method that answers in curves moves
  // Of methods that answer in curves of the file's nodes: what is written of them. `notes`: for people.
  std::function<WrittenCurves(const RigCurves& curves, std::vector<std::string>& notes)> curves;
};

// Fills in how many vertices the surface has.
void report_surface(const SimulationSurface& surface, RunReport& report);

// `character`, as read from `document`, must outlive the result, and so must the job. Throws what prepare_flesh,
// prepare_mixed, prepare_surface and prepare_rig_space throw.
PreparedMethod prepare_method(const AnimateJob& job, const GltfDocument& document, Character& character,
                              const Progress& progress);

// The method flesh, which needs no document.
PreparedMethod prepare_flesh_method(const AnimateJob& job, const Character& character, const Progress& progress);

}  // namespace sinew
