// Output of the curves of methods that answer with controls (deform/rig_controls.h).
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

// Values of the free parameters and, for those that the clip moves, what physics adds to them.
CurveTable curve_table(const RigControls& controls, const RigCurves& curves);

// The curves as channels on the file's nodes, for a scene with controls. Adds `notes` for the user.
WrittenCurves written_curves(const Scene& scene, const Character& character, const RigCurves& curves,
                             double frames_per_second, std::vector<std::string>& notes);

}  // namespace sinew
