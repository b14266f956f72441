// Control lattices as JSON (docs/lattice.schema.json, docs/file_formats.md): for people to read and to edit.
#pragma once

#include <string>
#include <string_view>

#include "sinew/mesh/control_lattice/control_lattice.h"

namespace sinew {

inline constexpr int lattice_json_version = 1;

// One vertex and one cell per line. Positions read back to the last bit.
std::string lattice_json(const ControlLattice& lattice);

// Throws input_error that names `file` and the element: for what the schema forbids, and for all that
// structural_defects() finds (sinew/mesh/control_lattice/lattice_structure.h).
ControlLattice lattice_from_json(std::string_view text, const std::string& file);

}  // namespace sinew
