// What animate_file does in one way for every method, and each method in its own.
#pragma once

#include <functional>

#include "sinew/bake/bake_options.h"
#include "sinew/cook/run_report.h"
#include "sinew/base/progress.h"
#include "sinew/character/character.h"
#include "sinew/character/rig.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/deform/scene.h"
#include "sinew/files/curves_csv.h"
#include "sinew/jobs/animate_file.h"
#include "sinew/gltf/document.h"
#include "sinew/gltf/write_curves.h"

namespace sinew {

using Baking = std::function<BakeResult(const BakeOptions& options, const Progress& progress)>;
using ControlsOfClip = std::function<const RigAnimation*(int clip)>;

// At the clock's pace where the job asks for that, or else as fast as it goes. `controls`: of scenes that have some. Job and
// character must outlive the result.
Baking baking(const AnimateJob& job, const Character& character, Scene scene, ControlsOfClip controls = {});

// A character made ready to run.
struct PreparedMethod {
  RunReport report;  // sizes, settings in force, stages and notes of the preparation; no files, clips or results yet
  Baking bake;
  // Of methods that answer in curves: these as a table; and where they are of the file's nodes, what is written of them.
  // `notes`: for people.
  std::function<CurveTable(const RigCurves& curves)> table;
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
