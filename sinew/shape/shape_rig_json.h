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

}  // namespace sinew
