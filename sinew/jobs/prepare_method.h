// A character made ready to run, each method in its own way.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "sinew/bake/output/rig_curves.h"
#include "sinew/base/progress.h"
#include "sinew/character/character.h"
#include "sinew/character/rig.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/cook/flesh/prepare.h"
#include "sinew/cook/run_report.h"
#include "sinew/deform/scene.h"
#include "sinew/files/curves_csv.h"
#include "sinew/gltf/document.h"
#include "sinew/gltf/write/write_curves.h"
#include "sinew/jobs/method_choice.h"

namespace sinew {

struct MixedScene;
struct ControlLattice;

struct PreparedMethod {
  RunReport report;  // sizes, settings in force, stages and notes of the preparation; no files, clips or results yet
  Scene scene;
  std::shared_ptr<const FleshScene> flesh;        // of the method flesh
  std::shared_ptr<const ControlLattice> control;  // that its flesh moves in; null: in tetrahedra
  std::shared_ptr<const MixedScene> mixed;        // of the method mixed
  // Of scenes with controls: the clip (index; -1: the rest pose) as these. Throws input_error where it moves what is
  // free.
  std::function<const RigAnimation*(int clip)> controls;
  // Of methods that answer in curves: these as a table; and where they are of the file's nodes, what is written of
  // them. `notes`: for people.
  std::function<CurveTable(const RigCurves& curves)> table;
  std::function<WrittenCurves(const RigCurves& curves, double frames_per_second, std::vector<std::string>& notes)>
      curves;
};

// What can be tried where the numbers of a body go wrong (base/simulation_context.h).
inline constexpr const char* other_body =
    "look at --young and --density, try another --tetrahedra, and see what `sinew check` says of the file";

// Fills in how many vertices the surface has.
void report_surface(const SimulationSurface& surface, RunReport& report);

// `character`, as read from `document`, must outlive the result; one without skin weights gets some. `clips`: those
// that are to be played, -1: the rest pose. Throws what prepare_flesh, prepare_mixed, prepare_surface and
// prepare_rig_space throw.
PreparedMethod prepare_method(const MethodChoice& choice, Character& character, std::span<const int> clips,
                              const Progress& progress);

}  // namespace sinew
