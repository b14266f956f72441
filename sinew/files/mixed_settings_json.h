// Settings of the method `mixed` as JSON (docs/settings.md, docs/mixed_settings.schema.json).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "sinew/cook/mixed_settings.h"

namespace sinew {

// All settings, defaults included, in the order of the schema.
std::string mixed_settings_json(const MixedSettings& settings);

// Settings of `text` over `base`: keys that are missing keep the base's value. `file` is for messages.
// Throws input_error naming file and key for unknown keys, wrong types and values out of range.
MixedSettings mixed_settings_from_json(std::string_view text, const std::string& file, const MixedSettings& base = {});

MixedSettings read_mixed_settings(const std::filesystem::path& path, const MixedSettings& base = {});

MixedMaterial mixed_material_from_name(const std::string& name);  // throws usage_error
MixedClusters clusters_from_name(const std::string& name);
Pinning pinning_from_name(const std::string& name);

}  // namespace sinew
