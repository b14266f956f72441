// Reader of Wavefront OBJ: positions and faces only.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "sinew/character/character.h"

namespace sinew {

// The result has one part on one node, without skin or clips. Polygons of any shape are triangulated
// (mesh/surface/polygon_triangulation.h). Negative (relative) indices, groups, objects, line continuations and line
// ends of all systems are read. Normals, texture coordinates, materials, points, lines and free-form surfaces are
// skipped. Throws input_error, naming the line, for anything else.
Character read_obj(const std::filesystem::path& path);
Character parse_obj(std::string_view text, const std::string& file);

}  // namespace sinew
