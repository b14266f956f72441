#include "sinew/cook/lattice/named_lattice.h"

#include <utility>

#include "sinew/base/error.h"
#include "sinew/cook/lattice/build_lattice.h"
#include "sinew/files/lattice_files.h"
#include "sinew/mesh/control_lattice/validity.h"

namespace sinew {
namespace {

ControlLattice lattice_from_setting(const std::string& setting, std::vector<std::string>& notes) {
  const std::string file = name_of_lattice_setting(setting);
  ControlLattice lattice = lattice_of_setting(setting);
  const LatticeValidity validity = check_lattice(lattice);
  throw_if_any(validity.defects, file);
  if (!validity.overlapping_cells.empty())
    notes.push_back(file + ": " + std::to_string(validity.overlapping_cells.size()) +
                    " pairs of cells overlap (the first: " + std::to_string(validity.overlapping_cells[0][0]) +
                    " and " + std::to_string(validity.overlapping_cells[0][1]) +
                    "); each carries the parts of the body that are its own.");
  return lattice;
}

}  // namespace

NamedLattice named_lattice(const LatticeDiscretization& settings, const Character& character,
                           const SimulationSurface& surface, const Progress& progress) {
  NamedLattice named;
  if (settings.file == auto_lattice) {
    BuiltLattice built = build_lattice(character, surface, {settings.cells}, progress);
    named.notes = std::move(built.notes);
    named.lattice = std::make_shared<const ControlLattice>(std::move(built.lattice));
  } else {
    named.lattice = std::make_shared<const ControlLattice>(lattice_from_setting(settings.file, named.notes));
  }
  return named;
}

}  // namespace sinew
