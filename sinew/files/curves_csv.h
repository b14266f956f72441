// Curves of free parameters as a table of text: a line per frame, a column per parameter, in the parameters' own units.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sinew/bake/rig_curves.h"

namespace sinew {

// `names`: one per parameter of the curves.
void write_curves_csv(const std::filesystem::path& path, const RigCurves& curves, const std::vector<std::string>& names);

}  // namespace sinew
