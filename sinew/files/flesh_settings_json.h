// Flesh settings as JSON (docs/file_formats.md, docs/flesh_settings.schema.json).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "sinew/cook/flesh_settings.h"

namespace sinew {

// All settings, defaults included, in the order of the schema.
std::string flesh_settings_json(const FleshSettings& settings);

// Settings of `text` over `base`: keys that are missing keep the base's value. `file` is for messages.
// Throws input_error naming file and key for unknown keys, wrong types and values out of range.
FleshSettings flesh_settings_from_json(std::string_view text, const std::string& file, const FleshSettings& base = {});

FleshSettings read_flesh_settings(const std::filesystem::path& path, const FleshSettings& base = {});

Look look_from_name(const std::string& name);  // throws usage_error
Reference reference_from_name(const std::string& name);
Warping warping_from_name(const std::string& name);
Element element_from_name(const std::string& name);
GravityInRest gravity_in_rest_from_name(const std::string& name);
SubdivisionScheme basis_from_name(const std::string& name);
Linearization linearization_from_name(const std::string& name);
LatticeIntegrator integrator_from_name(const std::string& name);
LatticeMass mass_from_name(const std::string& name);
HeldBy constraints_from_name(const std::string& name);

}  // namespace sinew
