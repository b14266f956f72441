// A control lattice that is edited by hand around the open character, with its history.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "sinew/character/simulation_surface.h"
#include "sinew/mesh/lattice_editing/lattice_problems.h"
#include "sinew/mesh/lattice_editing/symmetry.h"
#include "studio/server/command.h"
#include "studio/server/web/page_json.h"

namespace sinew::studio {

using SharedLattice = std::shared_ptr<const ControlLattice>;

struct LatticeBench {
  bool open = true;             // false: it was closed, and is kept for the next time
  std::uint32_t character = 0;  // its number
  std::shared_ptr<const SimulationSurface> surface;
  SharedLattice now;
  std::vector<SharedLattice> before, after;  // for undo and redo, the nearest at the end
  std::vector<std::string> acts;             // for the user: act k led from before[k] to the next state
  std::vector<std::string> acts_after;       // likewise for `after`
  std::string last_edit;                     // kind and stroke of the last edit; empty: not to be merged
  std::uint64_t revision = 1;                // rises with every change
  SharedLattice used;                        // that the project was given last; null: another one
  std::string used_setting;                  // as that project's setting has it
  std::vector<std::string> notes;            // sentences about how it began
};

// The plane that mirrors the character: across x, at 0 if its middle is near to that.
SymmetryPlane symmetry_plane(const SimulationSurface& surface);

// hero.glb gives hero.studio.lattice.json beside it, where the lattice that is edited is kept.
std::filesystem::path kept_lattice_path(const std::filesystem::path& character);

// Carries out an edit, which undo() takes back: all actions but open, close and use. Edits of one stroke of a page are
// one step; moves of a stroke begin from where it began. Throws usage_error, a sentence, for what is impossible; the
// lattice then is as before.
void edit(LatticeBench& bench, const command::EditLattice& edit, std::uint64_t page);
// Another lattice takes the place of the one on the bench, as one step.
void begin_anew(LatticeBench& bench, const LatticeBench& other);
// Each throws usage_error if there is nothing to go to.
void undo(LatticeBench& bench);
void redo(LatticeBench& bench);

// The bench for pages (docs/studio_protocol.md, State), the lattice as they draw and pick it, and its problems.
// `used`: whether the project has this lattice.
PageJson lattice_state(const LatticeBench& bench, bool used);
PageJson lattice_cells(const LatticeBench& bench);
PageJson lattice_problems_json(const LatticeProblems& problems);
// The skin and the bones at rest that a lattice is edited around.
PageJson lattice_skin(const SimulationSurface& surface);

}  // namespace sinew::studio
