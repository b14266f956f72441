#include "sinew/cook/lattice/named_lattice.h"

#include <array>
#include <utility>

#include "sinew/base/error.h"
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

const LatticeOrigin& KeptOrigin::of(const Character& character, const SimulationSurface& surface, int cells,
                                    std::uint64_t skin, const Progress& progress) {
  const int tetrahedra = tetrahedra_of_origin(cells);
  const StageKey key =
      skin == 0 ? 0 : Fingerprint().add(std::array{skin, static_cast<std::uint64_t>(tetrahedra)}).value();
  return stage.get(key, [&](const LatticeOrigin*) { return lattice_origin(character, surface, tetrahedra, progress); });
}

NamedLattice named_lattice(const LatticeDiscretization& settings, const Character& character,
                           const SimulationSurface& surface, KeptOrigin& kept, std::uint64_t skin,
                           const Progress& progress) {
  NamedLattice named;
  if (settings.file == auto_lattice) {
    const LatticeOrigin& origin = kept.of(character, surface, settings.cells, skin, part_of(progress, 0.0, 0.2));
    BuiltLattice built = build_lattice(origin, surface, {settings.cells}, progress);
    named.notes = std::move(built.notes);
    named.lattice = std::make_shared<const ControlLattice>(std::move(built.lattice));
  } else {
    named.lattice = std::make_shared<const ControlLattice>(lattice_from_setting(settings.file, named.notes));
  }
  return named;
}

NamedLattice named_lattice(const LatticeDiscretization& settings, const Character& character,
                           const SimulationSurface& surface, const Progress& progress) {
  KeptOrigin unkept;
  return named_lattice(settings, character, surface, unkept, 0, progress);
}

}  // namespace sinew
