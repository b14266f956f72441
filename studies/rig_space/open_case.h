// Preparation of a character's file for the experiments of `sinew-study rigspace`.
#pragma once

#include <filesystem>
#include <string>

#include "sinew/base/progress.h"
#include "sinew/cook/rig_space/rig_space_settings.h"
#include "studies/rig_space/case.h"

namespace sinew {

// Learns the map to the interior and decides the material. `clip`: by name.
RigSpaceCase open_rig_space_case(const std::string& name, const std::filesystem::path& file, const std::string& clip,
                                 const RigSpaceSettings& settings, const Progress& progress = {});

}  // namespace sinew
