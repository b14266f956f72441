// Control lattices as JSON (docs/lattice.schema.json, docs/file_formats.md), to be read and edited by people.
#pragma once

#include <string>
#include <string_view>

#include "sinew/mesh/control_lattice/control_lattice.h"

namespace sinew {

inline constexpr int lattice_json_version = 1;
// JSON schema of a lattice in a schema of settings.
inline constexpr const char* lattice_schema = R"({"$ref": "lattice.schema.json"})";

// Writes one vertex or cell per line. Reading gives the same positions to the last bit.
std::string lattice_json(const ControlLattice& lattice);

// Throws input_error that names `file` and the element, for violations of the schema and for structural_defects()
// (mesh/control_lattice/lattice_structure.h).
ControlLattice lattice_from_json(std::string_view text, const std::string& file);

}  // namespace sinew
