// Files that show a character's flesh: its depth, the cores of bones, its stiffness (docs/binding.md).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sinew/character/character.h"
#include "sinew/cook/flesh/prepare.h"
#include "sinew/files/png.h"
#include "sinew/files/volume_files.h"

namespace sinew {

// Writes the format of the name's ending: .png, .csv, or a body mesh (.vtu, .msh, .mesh). Throws usage_error for other
// endings.
void write_flesh_map(const std::filesystem::path& path, const Character& character, const CookedFlesh& scene);

// Throws the usage_error of write_flesh_map() for the ending of the name.
void check_flesh_map_name(const std::filesystem::path& path);

// The rest surface from the front, the side and the back, coloured by the depth of flesh from skin to core: dark at the
// core's surface, light where it is deepest.
Image flesh_depth_picture(const CookedFlesh& scene);

// One line per vertex of the skinned parts: node, mesh, primitive and vertex as numbered in the file, rest position and
// depth in metres.
std::string flesh_depth_table(const Character& character, const CookedFlesh& scene);

// Arrays per tetrahedron: component, core (share of the corners inside a core), bone_proximity, thickness (metres),
// young (pascals) and inside_fraction.
std::vector<ElementArray> flesh_arrays(const CookedFlesh& scene);

}  // namespace sinew
