// Settings of the method `rigspace` as JSON (docs/settings.md, docs/rig_space_settings.schema.json).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "sinew/cook/rig_space_settings.h"

namespace sinew {

// Throw usage_error naming the words that there are.
HyperelasticLaw hyperelastic_law_from_name(const std::string& name);
InteriorVertices inside_from_name(const std::string& name);

std::string rig_space_settings_json(const RigSpaceSettings& settings);

// Keys that are missing keep their values in `base`. Throws input_error naming file and key.
RigSpaceSettings rig_space_settings_from_json(std::string_view text, const std::string& file, const RigSpaceSettings& base = {});
RigSpaceSettings read_rig_space_settings(const std::filesystem::path& path, const RigSpaceSettings& base = {});

}  // namespace sinew
