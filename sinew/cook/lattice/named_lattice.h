// The control lattice that settings name.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/character/character.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/cook/flesh/flesh_settings.h"
#include "sinew/cook/lattice/build_lattice.h"
#include "sinew/deform/cook_stage.h"
#include "sinew/mesh/control_lattice/control_lattice.h"

namespace sinew {

struct NamedLattice {
  std::shared_ptr<const ControlLattice> lattice;
  std::vector<std::string> notes;  // for people
};

// An origin of automatic lattices that is kept between cooks.
struct KeptOrigin {
  CookStage<LatticeOrigin> stage;

  // The origin for a lattice of so many cells, made anew if the last one had other tetrahedra or another skin.
  const LatticeOrigin& of(const Character& character, const SimulationSurface& surface, int cells, std::uint64_t skin,
                          const Progress& progress);
};

// Reads the lattice from its file, or builds it for the character (auto_lattice). Throws what read_lattice() and
// build_lattice() throw, and input_error that lists the defects of a lattice from a file.
NamedLattice named_lattice(const LatticeDiscretization& settings, const Character& character,
                           const SimulationSurface& surface, const Progress& progress = {});
// An automatic lattice is built from the origin that `kept` has, if it has one for this skin (CharacterRevision::skin).
NamedLattice named_lattice(const LatticeDiscretization& settings, const Character& character,
                           const SimulationSurface& surface, KeptOrigin& kept, std::uint64_t skin,
                           const Progress& progress = {});

}  // namespace sinew
