// Control lattices as files: .json (lattice_json.h), and .vtu for ParaView and meshing tools (docs/file_formats.md).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "sinew/mesh/control_lattice/control_lattice.h"

namespace sinew {

// Whether a file can hold a lattice by the ending of its name: .json or .vtu.
bool names_lattice(const std::filesystem::path& path);

// The form follows the ending of the name; others are a usage_error. Reading throws input_error that names the file,
// the element and the remedy: for all that structural_defects() finds (sinew/mesh/control_lattice/lattice_structure.h),
// and more. Geometry is not looked at.
ControlLattice read_lattice(const std::filesystem::path& path);
void write_lattice(const std::filesystem::path& path, const ControlLattice& lattice);

// VTK's tetrahedra, wedges, hexahedra and polyhedra. Bones and sharp edges stand in the field data, where vertices are
// named by the point data "vertex_id", so that they survive tools that renumber points; sharp vertices and painted
// values are point data. Reading turns cells outward, and wants none of these arrays.
std::string lattice_vtu(const ControlLattice& lattice);
ControlLattice lattice_from_vtu(std::string_view text, const std::string& file);

}  // namespace sinew
