// The file of force rigs (docs/shape_control.md, docs/shape.schema.json).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "sinew/shape/shape_rig.h"

namespace sinew {

std::string shape_json(const ShapeFile& file);

// Throws input_error naming file, rig, element and remedy. `file`: a name for messages.
ShapeFile shape_from_json(std::string_view text, const std::string& file);
ShapeFile read_shapes(const std::filesystem::path& path);
// The rigs of a setting, which is a file's name or, from its brace on, a file's text. Throws as read_shapes() does.
ShapeFile shapes_of_setting(const std::string& setting);
// JSON schema of that text in a schema of settings.
inline constexpr const char* shapes_schema = R"({"$ref": "shape.schema.json"})";

// A rig by itself, as files have it.
std::string rig_json(const ShapeRig& rig);
ShapeRig rig_from_json(std::string_view text, const std::string& file);

}  // namespace sinew
