// Body meshes as text files: .vtu for ParaView, .msh for Gmsh, .mesh for Medit, and the plain .tet of benchmark limbs
// (docs/file_formats.md). Positions are in metres.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/mesh/tetrahedral_mesh.h"
#include "sinew/mesh/volume/volume_meshing.h"

namespace sinew {

struct ElementArray {
  std::string name;            // letters, digits and underscores
  std::vector<double> values;  // per tetrahedron
};

struct VolumeFile {
  TetrahedralMesh mesh;              // tetrahedra of negative volume in the file are turned
  std::vector<ElementArray> arrays;  // .msh: element data; .mesh: the references, as "reference"
  std::vector<int> core;             // .tet: vertices of the rigid core
  int tip = -1;                      // .tet: vertex whose sag is reported
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

// Reads .mesh, .msh (2.2 and 4.1, text) and .tet; elements other than tetrahedra are skipped. Throws input_error that
// names file, element and remedy. Counts and indices are checked.
VolumeFile read_volume_file(const std::filesystem::path& path);

// Reads text in memory; `format` is the ending, `file` is used in messages.
VolumeFile parse_volume_file(std::string_view text, const std::string& format, const std::string& file);

}  // namespace sinew
