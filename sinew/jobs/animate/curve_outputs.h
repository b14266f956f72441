// What is written of the curves that a method answers with (deform/rig_controls.h).
#pragma once

#include <string>
#include <vector>

#include "sinew/bake/output/rig_curves.h"
#include "sinew/character/character.h"
#include "sinew/deform/rig_controls.h"
#include "sinew/deform/scene.h"
#include "sinew/files/curves_csv.h"
#include "sinew/gltf/write/write_curves.h"

namespace sinew {

// Values of the free parameters, and beside those that the clip moves what physics adds to them.
CurveTable curve_table(const RigControls& controls, const RigCurves& curves);

// The same as channels on the file's nodes, of a scene whose controls are some. `notes`: for people.
WrittenCurves written_curves(const Scene& scene, const Character& character, const RigCurves& curves,
                             double frames_per_second, std::vector<std::string>& notes);

}  // namespace sinew
