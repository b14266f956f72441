// Control lattices as files: .json (lattice_json.h), and .vtu for ParaView and meshing tools (docs/file_formats.md).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "sinew/mesh/control_lattice/control_lattice.h"

namespace sinew {

// True if the name has an ending that can hold a lattice: .json or .vtu.
bool names_lattice(const std::filesystem::path& path);

// The ending of the name decides the format; other endings are a usage_error. Reading throws input_error that names the
// file, the element and the remedy, for structural_defects() (mesh/control_lattice/lattice_structure.h) and for broken
// files. Geometry is not checked.
ControlLattice read_lattice(const std::filesystem::path& path);
// The lattice of a setting, which holds the name of a file or a lattice's JSON text; and its name for messages.
ControlLattice lattice_of_setting(const std::string& setting);
std::string name_of_lattice_setting(const std::string& setting);
void write_lattice(const std::filesystem::path& path, const ControlLattice& lattice);

// Lattices as VTK tetrahedra, wedges, hexahedra and polyhedra. Bones and sharp edges are field data and refer to
// vertices by the point data "vertex_id", so that they survive tools that renumber points. Sharp vertices and painted
// values are point data. When read, cells are turned to face outward, and all of these arrays are optional.
std::string lattice_vtu(const ControlLattice& lattice);
ControlLattice lattice_from_vtu(std::string_view text, const std::string& file);

}  // namespace sinew
