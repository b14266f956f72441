// Wavefront OBJ: plain meshes, positions and faces only.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "sinew/character/character.h"

namespace sinew {

// One part on one node without skin or clips. Polygons of any shape become triangles
// (mesh/surface/polygon_triangulation.h); negative (relative) indices, groups, objects, line continuations and line
// ends of all systems are understood; normals, texture coordinates, materials, points, lines and free-form surfaces are
// passed over. Throws input_error, naming the line, for everything else.
Character read_obj(const std::filesystem::path& path);
Character parse_obj(std::string_view text, const std::string& file);

}  // namespace sinew
