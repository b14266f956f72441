// Body meshes as files: .vtu for ParaView, .msh for Gmsh, .mesh for Medit, and the plain .tet of the
// benchmark limbs (docs/file_formats.md). Everything is text; positions are in metres.
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
  TetrahedralMesh mesh;              // tetrahedra turned to positive volume where the file has them otherwise
  std::vector<ElementArray> arrays;  // .msh: element data; .mesh: the references, as "reference"
  std::vector<int> core;             // .tet: vertices of the rigid core
  int tip = -1;                      // .tet: the vertex whose sag is quoted
};

// Whether a file can be written as a body mesh by the ending of its name: .vtu, .msh or .mesh.
bool names_body_mesh(const std::filesystem::path& path);

// The form follows the ending of the name: .vtu, .msh (2.2) or .mesh. Medit has one whole number per
// tetrahedron and no more: it gets the array called "component", or 0. Throws usage_error for other
// endings, and for arrays whose length is not the number of tetrahedra or whose values are not finite.
void write_volume_file(const std::filesystem::path& path, const TetrahedralMesh& mesh,
                       std::span<const ElementArray> arrays = {});

// component, cell, duplicated, inside_fraction and smallest and largest dihedral angle (degrees).
std::vector<ElementArray> element_arrays(const VolumeMesh& body);

// Reads .mesh, .msh (2.2 and 4.1, text) and .tet. Elements other than tetrahedra are passed over.
// Throws input_error with file, element and remedy; never trusts a count or an index.
VolumeFile read_volume_file(const std::filesystem::path& path);

// The same from text in memory; `format` is the ending, `file` names it in messages.
VolumeFile parse_volume_file(std::string_view text, const std::string& format, const std::string& file);

}  // namespace sinew
