// Body meshes as text files: .vtu for ParaView, .msh for Gmsh and .mesh for Medit (docs/file_formats.md). Positions are
// in metres.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "sinew/mesh/tetrahedral_mesh.h"
#include "sinew/mesh/volume/volume_meshing.h"

namespace sinew {

struct ElementArray {
  std::string name;            // letters, digits and underscores
  std::vector<double> values;  // per tetrahedron
};

// True if the name has an ending that can be written: .vtu, .msh or .mesh.
bool names_body_mesh(const std::filesystem::path& path);

// Writes the format of the name's ending: .vtu, .msh (2.2) or .mesh. Medit has a single integer per tetrahedron: it
// gets the array named "component", or 0. Throws usage_error for other endings, and for arrays of the wrong length or
// with values that are not finite.
void write_volume_file(const std::filesystem::path& path, const TetrahedralMesh& mesh,
                       std::span<const ElementArray> arrays = {});

// Arrays for a body mesh: component, cell, duplicated, inside_fraction, and smallest and largest dihedral angle
// (degrees).
std::vector<ElementArray> element_arrays(const VolumeMesh& body);

}  // namespace sinew
