// The control lattice that settings name.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/character/character.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/cook/flesh/flesh_settings.h"
#include "sinew/mesh/control_lattice/control_lattice.h"

namespace sinew {

struct NamedLattice {
  std::shared_ptr<const ControlLattice> lattice;
  std::vector<std::string> notes;  // for people
};

// Reads the lattice from its file, or builds it for the character (auto_lattice). Throws what read_lattice() and
// build_lattice() throw, and input_error that lists the defects of a lattice from a file.
NamedLattice named_lattice(const LatticeDiscretization& settings, const Character& character,
                           const SimulationSurface& surface, const Progress& progress = {});

}  // namespace sinew
